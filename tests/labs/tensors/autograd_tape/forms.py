"""Every operation that a program can write: how it is written, of `x` and `y`, which are matrices of one shape."""

from __future__ import annotations

DIMS = ("", "0", "1, True")
OPERATORS = (
    *("x + y", "x - y", "x * y", "x / y", "x ** y", "x @ y.T", "x @ y[0]", "x[0] @ y[0]"),
    *(
        "-x",
        "x + 2",
        "2 - x",
        "x * 2.5",
        "x / 2",
        "1 / x",
        "3. / x",
        "2 ** x",
        "0. ** x",
        "x * 2 + y",
        "x[0] @ y.T * 1",
    ),
    *("x ** 2", "x ** 3", "x ** 1", "x ** 0", "x ** -1", "x ** 0.5", "x ** 2.5", "x * x", "x / x", "x + y[0]"),
    *("x * y[:, :1]", "x[0, 0] * y", "x[0]", "x[:, 1:]", "x[..., 0]", "x[None]", "x[0, 0] ** 2"),
)
CALLS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "relu", "abs", "neg"), ("",)),
    **dict.fromkeys(("reciprocal", "square", "clone"), ("",)),
    **dict.fromkeys(("maximum", "minimum"), ("y", "x", "y * 1")),
    **dict.fromkeys(("sum", "mean", "amax", "amin"), (*DIMS, "[0, 1]")),
    **dict.fromkeys(("max", "min"), ("", "y")),
    **dict.fromkeys(("var", "std"), (*DIMS[:2], "1, keepdim=True", "0, correction=0")),
    **dict.fromkeys(("softmax", "log_softmax", "cumsum"), ("0", "1")),
    "norm": ("", "1", "2, 0", "dim=1, keepdim=True"),
    "logsumexp": ("0", "1, True", ""),
    "clamp": ("0., 1.", "min=-0.5", "max=0.5", "1, -1", ""),
    "pow": ("2", "y", "-1."),
    "matmul": ("y.T",),
    "dot": ("y",),
    "transpose": ("0, 1",),
    "squeeze": ("", "0"),
    "unsqueeze": ("0",),
    "diagonal": ("",),
}
"""Both as functions and as methods, with what stands after `x`."""
OTHERS = (
    *("x.exp()", "x[0].dot(y[0])", "dot(x[0], y[1])", "dot(x, y)", "x[0].T", "x.T", "x[0, 0].T", "x.mT", "x[0].mT"),
    *("reshape(x, [6])", "reshape(x, [-1, 2])", "permute(x, [1, 0])", "flip(x, [0])", "flip(x, [0, 1])"),
    *("x.reshape(3, 2)", "x.permute(1, 0)", "x.flip(0)", "reshape(x, 6)", "permute(x, 1, 0)", "flip(x, 0)"),
    *("x.view(6)", "x.expand(2, 2, 3)", "x.contiguous()", "x.T.contiguous()", "x.T.reshape(6)"),
    *("x.max(0)[0]", "x.min(1, True)[0]", "max(x, 0).values", "x[0].max(0).values", "x[0, 0].max(0)[0]"),
    *("where(x > 0, x, y)", "where(y > x, x * 2, 0.5)", "where(x > y, x, x)", "cat([x, y])", "stack([x, y], 1)"),
    *("x.float() * 2", "x.detach() * y", "zeros_like(x) + y", "ones_like(x) * x", "x * ones(3)", "x + arange(3)"),
    *("x.float().double()", "x + zeros(2, 1)"),
)
FORMS = (
    *OPERATORS,
    *(f"{name}(x{', ' if given else ''}{given})" for name, every in CALLS.items() for given in every),
    *(f"x.{name}({every[-1]})" for name, every in CALLS.items() if len(every) > 1),
    *OTHERS,
)
STEEP = (
    "sqrt({})",
    "log({})",
    "1 / {}",
    "({}).norm(dim=0)",
    "({}) ** -1",
    "({}) ** 0.5",
    "({}).std(0)",
    "0 ** ({})",
)
CHOOSES = (
    "relu(x)",
    "maximum(x, y)",
    "minimum(x, 0 * y + 0)",
    "abs(x)",
    "clamp(x, 0., 1.)",
    "where(x > 0, x, y)",
    "x * 0",
)
CHOOSES += ("x.max(0)[0]", "x.max() * y", "x.amax(0)", "x * x")
CHAINS = tuple(steep.format(choice) for steep in STEEP for choice in CHOOSES)
"""Slopes without end, which meet a gradient of 0. None compares -0 with 0, where PyTorch's vectors decide."""
