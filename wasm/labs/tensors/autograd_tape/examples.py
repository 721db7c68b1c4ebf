"""Programs to begin with. All of them run in PyTorch as well."""

EXAMPLES = {
    "layer": """\
w = tensor([[1., -2.], [0.5, 3.]], requires_grad=True)
b = tensor([0.5, -1.], requires_grad=True)
x = tensor([3., 1.])
y = (w @ x + b).tanh()
loss = (y * y).sum()
loss.backward()
""",
    "save-or-not": """\
a = tensor([1., 2., 3.], requires_grad=True)
b = tensor([4., 5., 6.], requires_grad=True)
c = a + b            # saves nothing
d = c * a            # saves both factors
e = exp(d * 0.1)     # saves its result
f = relu(e - 3)      # saves its result, for its sign
f.sum().backward()
""",
    "written-view": """\
x = tensor([0.2, 0.4, 0.6, 0.8], requires_grad=True)
y = x * x
row = y[1:3]         # the same bytes as y
z = exp(y)           # saves its result, not y
row += 1             # version 1 of those bytes
s = (y * z).sum()
s.backward()
""",
    "changed-too-early": """\
x = tensor([1., 2., 3.], requires_grad=True)
y = x * 2
z = y * y            # saves y
y += 1               # and now y is another
z.sum().backward()
""",
    "two-backwards": """\
w = tensor([2., -1.], requires_grad=True)
for _ in range(2):
    loss = (w * w).sum()
    loss.backward()  # w.grad is never set to None
print(w.grad)
""",
    "one-walk-too-many": """\
w = tensor([2., -1.], requires_grad=True)
loss = (w * w).sum()
loss.backward(retain_graph=True)
loss.backward()
loss.backward()
""",
    "broadcast": """\
rows = tensor([[1., 2., 3.], [4., 5., 6.]], requires_grad=True)
bias = tensor([10., 20., 30.], requires_grad=True)
out = rows * bias    # bias is repeated
out.sum().backward()
""",
    "training": """\
w = tensor([0., 0.], requires_grad=True)
x = tensor([[1., 2.], [3., -1.], [0., 1.]])
t = tensor([5., 1., 2.])
for _ in range(4):
    miss = x @ w - t
    loss = (miss * miss).mean()
    loss.backward()
    with no_grad():
        w -= 0.1 * w.grad
    w.grad = None
print(w)
""",
    "detach": """\
x = tensor([2., 3.], requires_grad=True)
y = x * x
fixed = y.detach()   # the same bytes, without a history
z = (y * fixed).sum()
z.backward()
""",
    "slope-of-slope": """\
x = tensor(2., requires_grad=True)
y = x ** 3
slope = grad(y, x, create_graph=True)[0]
bend = grad(slope, x, create_graph=True)[0]
bend.backward()
print(slope, bend, x.grad)
""",
    "deep": """\
x = tensor([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
w = tensor([1., 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7], requires_grad=True)

def layer(h):
    return tanh(h * w)

h = x
for _ in range(12):
    h = layer(h)
h.sum().backward()
""",
    "checkpoints": """\
x = tensor([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
w = tensor([1., 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7], requires_grad=True)

def three_layers(h):
    for _ in range(3):
        h = tanh(h * w)
    return h

h = x
for _ in range(4):
    h = checkpoint(three_layers, h)
h.sum().backward()
""",
    "hook": """\
w = tensor([3., -4.], requires_grad=True)
y = w * w
y.register_hook(lambda g: print("y is given", g))
w.register_hook(lambda g: g * 0.1)
y.sum().backward()
print(w.grad)
""",
    "float32": """\
w = tensor([0.1, 0.2, 0.3], dtype=float32, requires_grad=True)
y = (w * w).sum()
y.backward()
""",
    "swish": """\
x = tensor([-2., -1.5, -1., -0.5, 0.5, 1., 1.5, 2.], requires_grad=True)
y = x * sigmoid(x)
y.sum().backward()
""",
    "swish-by-exp": """\
x = tensor([-2., -1.5, -1., -0.5, 0.5, 1., 1.5, 2.], requires_grad=True)
y = x / (1 + exp(-x))
y.sum().backward()
""",
    "swish-by-tanh": """\
x = tensor([-2., -1.5, -1., -0.5, 0.5, 1., 1.5, 2.], requires_grad=True)
y = 0.5 * x * (1 + tanh(0.5 * x))
y.sum().backward()
""",
}
