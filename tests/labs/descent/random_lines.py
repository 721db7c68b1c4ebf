"""Lines of the language that the lab takes, and the same in PyTorch."""

from __future__ import annotations

import random
from typing import Any

import torch
from labs.descent.one_line import Params
from labs.models.one_line.line import SHAPES, Shape

NAMES = {shape: name for name, shape in SHAPES.items()}


def tensor(rng: random.Random, shape: Shape, depth: int) -> str:
    """An expression of that shape."""
    ways = ["add", "sub", "mul", "relu", "neg", "number", "left"]
    if len(shape) == 2:
        ways += ["t", "matmul", "matmul", "row"]
    way = rng.choice(ways) if depth else "leaf"
    match way:
        case "add" | "sub" | "mul":
            sign = {"add": "+", "sub": "-", "mul": "*"}[way]
            return f"({tensor(rng, shape, depth - 1)} {sign} {tensor(rng, shape, depth - 1)})"
        case "relu":
            return f"relu({tensor(rng, shape, depth - 1)})"
        case "neg":
            return f"-{tensor(rng, shape, depth - 1)}"
        case "number":
            return f"({tensor(rng, shape, depth - 1)} * {rng.randrange(1, 40) / 8})"
        case "left":
            return f"({rng.randrange(1, 40) / 10} - {tensor(rng, shape, depth - 1)})"
        case "t":
            return f"({tensor(rng, shape[::-1], depth - 1)}).T"
        case "matmul":
            inner = rng.choice((2, 3, 4))
            return f"({tensor(rng, (shape[0], inner), depth - 1)} @ {tensor(rng, (inner, shape[1]), depth - 1)})"
        case "row" if shape[-1] == 4:
            return f"({tensor(rng, shape, depth - 1)} + b)"
    return leaf(shape)


def leaf(shape: Shape) -> str:
    known = {
        **NAMES,
        (3, 2): "x.T",
        (4, 3): "w.T",
        (2, 4): "(x @ w)",
        (4, 2): "(w.T @ x.T)",
        (2, 2): "(x @ x.T)",
        (3, 3): "(x.T @ x)",
        (4, 4): "(w.T @ w)",
    }
    return known[shape]


def line(rng: random.Random) -> str:
    shape = rng.choice([(2, 4), (2, 4), (2, 3), (3, 4), (4, 3), (2, 2), (4,)])
    return f"y = {tensor(rng, shape, rng.randrange(1, 4))}"


def numbers(rng: random.Random, name: str) -> str:
    shape = SHAPES[name]
    rows = shape[0] if len(shape) == 2 else 1
    return "; ".join(" ".join(str(rng.randrange(-80, 81) / 20) for _ in range(shape[-1])) for _ in range(rows))


def drawn(rng: random.Random) -> Params:
    return Params(line=line(rng), element=rng.randrange(12), **{name: numbers(rng, name) for name in SHAPES})


def by_torch(params: Params) -> tuple[Any, dict[str, Any]]:
    """The result with its history, and the leaves."""
    leaves = {
        name: torch.tensor([[float(each) for each in row.split()] for row in getattr(params, name).split(";")])
        .reshape(SHAPES[name])
        .requires_grad_()
        for name in SHAPES
    }
    return eval(params.line.partition("=")[2], {"relu": torch.relu, **leaves}), leaves
