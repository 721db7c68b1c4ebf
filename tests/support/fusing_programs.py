"""Programs for the fusing compiler: generated ones, small inputs for any, and what PyTorch makes of them."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from labs.models.fusing.graph import Node
from numpy.typing import NDArray

SHAPES = ((2, 3, 4), (3, 4), (4,), (1, 4), (3, 1), (2, 1, 4))
"""Any two of them can be broadcast together."""
UNARY = (
    *("tanh(A)", "sigmoid(A)", "A.exp()", "exp(-abs(A))", "log(1 + A * A)", "sqrt(1 + A * A)", "rsqrt(A * A + 1)"),
    *("erf(A)", "gelu(A)", "relu(A)", "silu(A)", "-A", "abs(A)", "clamp(A, -0.5, 0.75)", "A ** 2", "A ** 3"),
    *(
        "(A * A + 0.5) ** -0.5",
        "A / 2",
        "1 / (1 + A * A)",
        "A * 1 + 0",
        "gelu(A, 'tanh')",
        "where(A > 0, A, 0.1 * A)",
    ),
)
BINARY = (
    *("A + B", "A - B", "A * B", "A / (1 + B * B)", "maximum(A, B)", "minimum(A, B)", "where(A > B, A, B * B)"),
    *("where((A > 0) & (B < 1), B, -A)", "(1 + A * A) ** B", "A * B + A", "A - A * B"),
)
ROWS = (
    *(
        "softmax(A, -1)",
        "log_softmax(A, -1)",
        "layer_norm(A)",
        "A.sum(-1, keepdim=True)",
        "A.mean(-1, keepdim=True)",
    ),
    *("A.amax(-1, keepdim=True)", "A.amin(0, keepdim=True)", "A.sum(0, keepdim=True)", "A.prod(-1, keepdim=True)"),
    *("A - A.amax(-1, keepdim=True)", "A.var(0, keepdim=True, correction=0)", "logsumexp(A, -1, keepdim=True)"),
    *("A + A.sum()", "A.mean() * A", "rms_norm(A)"),
)


def generate(seed: int, lines: int = 8) -> str:
    """A program whose numbers stay moderate."""
    draw = random.Random(seed)
    count = draw.randint(1, 3)
    inputs = {name: draw.choice(SHAPES[:4] if draw.random() < 0.7 else SHAPES) for name in "xyz"[:count]}
    known = dict(inputs)
    text = []
    for number in range(lines):
        name, a, b = f"t{number}", *draw.choices(list(known)[-5:], k=2)
        kind = draw.random()
        form = draw.choice(UNARY if kind < 0.35 else BINARY if kind < 0.7 else ROWS)
        shape = known[a] if "B" not in form else np.broadcast_shapes(known[a], known[b])
        if kind > 0.9 and len(known[a]) > 1:
            form, shape = moved(draw, known[a])
        elif kind >= 0.7:
            shape = reduced(form, shape)
        text.append(f"    {name} = tanh({form.replace('A', a).replace('B', b)})")
        known[name] = tuple(shape)
    last = list(known)[-1]
    other = draw.choice(list(known)[count:])
    ends = last if other == last or draw.random() < 0.6 else f"{last}, {other}"
    head = ", ".join(f"{name}: f32[{', '.join(map(str, shape))}]" for name, shape in inputs.items())
    return f"def f({head}):\n" + "\n".join(text) + f"\n    return {ends}\n"


def moved(draw: random.Random, shape: Sequence[int]) -> tuple[str, list[int]]:
    """A form, and a shape that goes with all others still."""
    return draw.choice(
        [
            ("(A.transpose(-1, -2) * 2).transpose(-1, -2)", list(shape)),
            ("A @ A.transpose(-1, -2) @ A", list(shape)),
            (f"A.reshape({math.prod(shape)}).exp().reshape({', '.join(map(str, shape))})", list(shape)),
            ("A[..., :1] * A", list(shape)),
            ("A[..., ::2].sum(-1, keepdim=True) + A", list(shape)),
            ("A[..., -1:]", [*shape[:-1], 1]),
        ]
    )


def reduced(form: str, shape: Sequence[int]) -> list[int]:
    kept = list(shape)
    if form.startswith(("A.", "logsumexp")) and "keepdim" in form:
        kept[0 if "(0," in form else -1] = 1
    return kept


def small(source: str) -> str:
    """The same program on little tensors: each length of an annotation becomes a small one of its own."""
    sizes: dict[str, str] = {}
    lengths = iter((5, 7, 3, 6, 4, 2, 9, 8))

    def shape(found: re.Match[str]) -> str:
        parts = [each.strip() for each in found[2].split(",")]
        for each in parts:
            if each not in sizes:
                sizes[each] = str(next(lengths))
        return f": {found[1]}[{', '.join(sizes[each] for each in parts)}]"

    return re.sub(r": (\w+)\[([^]]*)\]", shape, source)


def numbers(inputs: Sequence[Node], seed: int = 0) -> dict[str, NDArray[Any]]:
    random_ = np.random.default_rng(seed)
    made = {}
    for each in inputs:
        whole = random_.integers(-100, 100, each.shape)
        made[each.arg] = whole if each.dtype in ("i8", "i32") else random_.standard_normal(each.shape)
        if each.dtype == "bool":
            made[each.arg] = whole > 0
    return made


def in_torch(source: str, inputs: Mapping[str, torch.Tensor]) -> list[torch.Tensor]:
    """The same text, run by PyTorch in float64. Only the tests' own programs are run so."""
    text = "from __future__ import annotations\n" + source.replace(".max(-1, keepdims=", ".amax(-1, keepdim=")
    text = text.replace("(q @ w)", "(q.to(i32) @ w.to(i32))")  # PyTorch would add up in int8
    text = re.sub(r"(\w+) \*= (.+)", r"\1 = \1 * \2", text)  # nor can it walk back over what was written over
    scope = dict(vars(namespace()))
    exec(text, scope)
    function = [value for name, value in scope.items() if getattr(value, "__module__", "") == "program"][-1]
    with np.errstate(all="ignore"):
        result = function(**inputs)
    return list(result) if isinstance(result, tuple) else [result]


def namespace() -> SimpleNamespace:
    names = "tanh sigmoid exp abs log erf relu clamp maximum minimum softmax log_softmax logsumexp round floor"
    return SimpleNamespace(
        __name__="program",
        **{each: getattr(torch, each) for each in names.split()},
        **{"f32": torch.float64, "f64": torch.float64, "bf16": torch.float64, "i32": torch.int32, "i8": torch.int8},
        sqrt=lambda x: torch.sqrt(x) if isinstance(x, torch.Tensor) else math.sqrt(x),
        rsqrt=torch.rsqrt,
        gelu=lambda x, way="none": torch.nn.functional.gelu(x, approximate=way),
        silu=torch.nn.functional.silu,
        layer_norm=lambda x: torch.nn.functional.layer_norm(x, x.shape[-1:]),
        rms_norm=lambda x: torch.nn.functional.rms_norm(x, x.shape[-1:], eps=1e-6),
        where=torch.where,
    )
