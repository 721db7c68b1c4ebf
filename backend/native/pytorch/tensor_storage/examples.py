"""Programs to begin with. All of them run in PyTorch as they stand."""

EXAMPLES = {
    "views": """\
x = arange(10., 22.)
rows = x.view(3, 4)
column = rows[:, 1]
turned = rows.T
column.zero_()
copy = turned.contiguous()
copy += 10
""",
    "kept_alive": """\
big = zeros(48)
first = big[:2]
del big
first = first.clone()
""",
    "changed_too_early": """\
x = tensor([0., 1., 2.], requires_grad=True)
y = x.exp()
y += 1
y.sum().backward()
""",
    "unnoticed": """\
x = tensor([0., 1., 2.], requires_grad=True)
y = x.exp()
y.data += 1
y.sum().backward()
g = x.grad
""",
    "detached": """\
x = tensor([0., 1., 2.], requires_grad=True)
y = x.exp()
z = y.detach()
z += 1
y.sum().backward()
""",
    "saves_its_input": """\
x = tensor([0., 1., 2.], requires_grad=True)
y = 2 * x
y += 1
z = y * y
z += 1
z.sum().backward()
g = x.grad
""",
    "resize": """\
x = arange(6.)
part = x[2:4]
x.resize_(10)
x[4:] = 7
part.fill_(5)
x.resize_(2)
part += 1
""",
    "expand": """\
x = ones(1)
wide = x.expand(6)
x += 1
wide += 1
""",
    "overlap": """\
x = arange(6.)
a, b = x[1:], x[:-1]
a += b
""",
    "reshape": """\
x = arange(10., 16.).view(2, 3)
a = x.reshape(6)
b = x.T.reshape(6)
a[0] = 50
b[1] = 60
""",
    "two_types": """\
x = tensor([1., -2., 0.5])
bits = x.view(int32)
bits += 8388608
""",
    "gradients_add_up": """\
w = tensor([1., 2.], requires_grad=True)
(w * w).sum().backward()
g = w.grad
(w * w).sum().backward()
w.grad = None
""",
}
