"""Programs for expressions that nobody wrote, and what PyTorch makes of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import torch

CALLS = ("tanh", "sigmoid", "relu", "softplus", "exp", "log", "sqrt", "sin", "cos", "abs", "square")


def program(seed: int) -> str:
    """Some inputs, and lines that each use what is above them, often more than once."""
    chance = random.Random(seed)
    names = [f"x{n}" for n in range(chance.randint(1, 4))]
    lines = [f"{name} = {chance.uniform(-2, 2):.3f}" for name in names]
    for n in range(chance.randint(0, 3)):
        lines.append(f"h{n} = {expression(chance, names, chance.randint(1, 3))}")
        names.append(f"h{n}")
    return "\n".join([*lines, expression(chance, [*names, names[-1]], 2)])


def expression(chance: random.Random, names: list[str], depth: int) -> str:
    def inner() -> str:
        return expression(chance, names, depth - 1)

    if depth == 0:
        return chance.choice(names) if chance.random() < 0.85 else f"{chance.uniform(0.1, 3):.2f}"
    kind = chance.random()
    if kind < 0.4:
        return f"{inner()} {chance.choice('+-*/')} {inner()}"
    if kind < 0.55:
        return f"({inner()}) {chance.choice(['*', '-', '**'])} ({inner()})"
    if kind < 0.65:
        return f"-{inner()}**{chance.choice(['2', '3', '-1', '0.5'])}"
    if kind < 0.75:
        return f"{chance.choice(['max', 'min'])}({inner()}, {inner()})"
    return f"{chance.choice(CALLS)}({inner()})"


def _of(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    return lambda *given: function(*(torch.as_tensor(each, dtype=torch.float64) for each in given))


MEANS = {name: _of(getattr(torch, name)) for name in CALLS if hasattr(torch, name)} | {
    "max": _of(torch.maximum),
    "min": _of(torch.minimum),
    "softplus": _of(torch.nn.functional.softplus),
}


def by_torch(text: str, moved: dict[str, float] | None = None) -> tuple[dict[str, float], float, dict[str, Any]]:
    """Of each named value its gradient (None without a path), the result, and values; Python reads the lines."""
    known: dict[str, Any] = {}
    result: Any = None
    for line in text.split("\n"):
        name, _, right = line.partition("#")[0].rpartition("=")
        if not right.strip():
            continue
        result = eval(right.strip(), {"__builtins__": {}}, MEANS | known)
        if not getattr(result, "requires_grad", False):  # a line of numbers alone is an input
            value = (moved or {}).get(name.strip(), float(result))
            result = torch.tensor(value, dtype=torch.float64, requires_grad=True)
        result.retain_grad()
        if name:
            known[name.strip()] = result
    result.backward()
    slopes = {name: None if each.grad is None else each.grad.item() for name, each in known.items()}
    return slopes, result.item(), {name: each.item() for name, each in known.items()}
