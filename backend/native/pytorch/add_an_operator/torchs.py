"""torch itself, asked: what it says when something is wrong, its own checks, and what its compiler makes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch._dynamo.backends.common import aot_autograd

from native.models.warned import quiet


def heard(work: Callable[..., Any], *given: Any) -> tuple[Any, str]:
    """What comes of it, or ``None`` and torch's first sentence."""
    with quiet() as warned:
        try:
            return work(*given), ""
        except Exception as wrong:
            ours = isinstance(wrong, AssertionError)  # a test of ours, which says all that there is to say
            said = first(str(wrong) if ours else f"{type(wrong).__name__}: {wrong}")
            return None, first(str(warned[0].message)) if warned else said


def first(message: str) -> str:
    """Its first sentence, without the name and number of our namespace."""
    lines = [each.strip() for each in message.strip().splitlines() if each.strip()]
    text = re.sub(r"ours\d+x", "ours", " ".join(lines[:2]) if lines and lines[0].endswith(":") else lines[0])
    text = re.split(r"(?<!e\.g)\. ", text)[0].rstrip(".!,")
    return text if len(text) <= 200 else text[:197] + "…"


def gradcheck(call: Callable[..., Any]) -> None:
    """Raises ``GradcheckError`` if the formula is not the slope."""
    x = torch.tensor([-60.0, -20.0, 10.0, 40.0], dtype=torch.float64, requires_grad=True)
    torch.autograd.gradcheck(call, (x,))


def opcheck(call: Any, x: Tensor) -> None:
    """Raises what the first of its four tests that fails has raised."""
    found = torch.library.opcheck(call, (x.clone().requires_grad_(),), raise_exception=False)
    for wrong in found.values():
        if isinstance(wrong, Exception):
            raise wrong


def compiled(program: Callable[[Tensor], Tensor], rules: dict[Any, Any], x: Tensor) -> tuple[Tensor, list[str]]:
    """What the compiled program gives, and the operators of its graph."""
    made: list[str] = []

    def keep(module: Any, _: Any) -> Any:
        made.extend(nodes(module.graph))
        return module

    torch._dynamo.reset()
    try:
        backend = aot_autograd(fw_compiler=keep, decompositions=rules)
        return torch.compile(program, backend=backend, fullgraph=True)(x), made
    finally:
        torch._dynamo.reset()


def nodes(graph: Any) -> list[str]:
    """The operators that a graph calls."""
    return [str(each.target).split(".")[-2] for each in graph.nodes if each.op == "call_function"]
