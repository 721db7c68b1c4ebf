"""Programs to begin with. All but checkpoint() are PyTorch as it stands."""

EXAMPLES = {
    "two_ways": """\
x = tensor([0., 1., 2.], requires_grad=True)
w = tensor([1., 1., 1.], requires_grad=True)
a = x * w
b = a.exp()
c = a.sin()
loss = (b + c).sum()
loss.backward()
""",
    "layers": """\
x = tensor([1., -2., 3.])
w1 = tensor([[1., 0., 1.], [0., 1., 1.]], requires_grad=True)
w2 = tensor([[1., 2.]], requires_grad=True)
h = (w1 @ x).relu()
y = w2 @ h
loss = (y - 4).pow(2).sum()
loss.backward()
""",
    "once_only": """\
w = tensor([2., 3.], requires_grad=True)
loss = (w * w).sum()
loss.backward(retain_graph=True)
loss.backward()
loss.backward()
""",
    "twice_into_w": """\
w = tensor([2., 3.], requires_grad=True)
for _ in range(2):
    loss = (w * w).sum()
    loss.backward()
""",
    "shared_weight": """\
w = tensor([0.5, 0.5], requires_grad=True)
h = tensor([1., 2.])
for _ in range(3):
    h = (h * w).tanh()
h.sum().backward()
""",
    "not_a_number": """\
x = tensor([0., 1.], requires_grad=True)
with detect_anomaly():
    y = x.sqrt()
    loss = (y * 0).sum()
    loss.backward()
""",
    "hook": """\
w = tensor([3., 4.], requires_grad=True)
y = w * w
y.register_hook(lambda g: g * 0.1)
y.sum().backward()
""",
    "checkpoint": """\
x = tensor([0.5, 1.], requires_grad=True)
h = checkpoint(lambda a: a.exp().sin(), x)
k = x.cos()
(h + k).sum().backward()
""",
    "slope_of_slope": """\
x = tensor([1., 2.], requires_grad=True)
y = (x ** 3).sum()
y.backward(create_graph=True)
g = x.grad
g.sum().backward()
""",
    "detached": """\
w = tensor([1., 2.], requires_grad=True)
a = w.exp()
b = a.detach() * w
b.sum().backward()
""",
}
