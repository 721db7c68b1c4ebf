"""Programs to begin with. Their functions run in PyTorch once they stand in a class with ``@staticmethod``."""

EXAMPLES = {
    "right_at_two_points": """\
def forward(ctx, x):
    ctx.save_for_backward(x)
    return x ** 3

def backward(ctx, g):
    x, = ctx.saved_tensors
    return 3 * x * g

x = tensor([0., 1.])
""",
    "cube": """\
def forward(ctx, x):
    ctx.save_for_backward(x)
    return x ** 3

def backward(ctx, g):
    x, = ctx.saved_tensors
    return 3 * x ** 2 * g

x = tensor([-1., 0.5, 1.5])
""",
    "kink": """\
def forward(ctx, x):
    ctx.save_for_backward(x)
    return relu(x)

def backward(ctx, g):
    x, = ctx.saved_tensors
    return g * (x > 0)

x = tensor([-1., 0., 1.])
""",
    "forgets_g": """\
def forward(ctx, x):
    ctx.save_for_backward(x)
    return x.sin()

def backward(ctx, g):
    x, = ctx.saved_tensors
    return x.cos()

x = tensor([0.5])
""",
    "squares_g": """\
def forward(ctx, x):
    ctx.save_for_backward(x)
    return x.sin()

def backward(ctx, g):
    x, = ctx.saved_tensors
    return x.cos() * g * g

x = tensor([-1., 0.5, 1.5])
""",
    "keeps_attribute": """\
def forward(ctx, x):
    y = x.exp()
    ctx.y = y
    return y

def backward(ctx, g):
    return g * ctx.y

x = tensor([-1., 0.5, 1.])
""",
    "saves_output": """\
def forward(ctx, x):
    y = x.exp()
    ctx.save_for_backward(y)
    return y

def backward(ctx, g):
    y, = ctx.saved_tensors
    return g * y

x = tensor([-1., 0.5, 1.])
""",
    "slope_from_forward": """\
def forward(ctx, x):
    slope = 3 * x ** 2
    ctx.save_for_backward(slope)
    return x ** 3

def backward(ctx, g):
    slope, = ctx.saved_tensors
    return slope * g

x = tensor([-1., 0.5, 1.5])
""",
    "once": """\
def forward(ctx, x):
    slope = 3 * x ** 2
    ctx.save_for_backward(slope)
    return x ** 3

@once_differentiable
def backward(ctx, g):
    slope, = ctx.saved_tensors
    return slope * g

x = tensor([-1., 0.5, 1.5])
""",
    "broadcast": """\
def forward(ctx, x, b):
    ctx.save_for_backward(x, b)
    return x * b

def backward(ctx, g):
    x, b = ctx.saved_tensors
    return g * b, (g * x).mean()

x = tensor([-1., 0.5, 1.5])
b = tensor(2.)
""",
    "leaves_the_sum_out": """\
def forward(ctx, x, b):
    ctx.save_for_backward(x, b)
    return x * b

def backward(ctx, g):
    x, b = ctx.saved_tensors
    return g * b, g * x

x = tensor([-1., 0.5, 1.5])
b = tensor(2.)
""",
    "only_what_is_asked": """\
def forward(ctx, a, b):
    ctx.save_for_backward(a, b)
    return a * b

def backward(ctx, g):
    a, b = ctx.saved_tensors
    ga, gb = None, None
    if ctx.needs_input_grad[0]:
        ga = g * b
    if ctx.needs_input_grad[1]:
        gb = g * a
    return ga, gb

a = tensor([-1., 0.5])
b = tensor([2., 3.])
""",
    "marked": """\
def forward(ctx, x):
    side = where(x > 0, 1., -1.)
    ctx.save_for_backward(side)
    ctx.mark_non_differentiable(side)
    return x * side, side

def backward(ctx, g, unused):
    side, = ctx.saved_tensors
    return g * side

x = tensor([-1., 0.5, 1.5])
""",
}
