"""Where PyTorch has more than is computed here: what is a pair there, and what is not taken."""

from __future__ import annotations

from typing import Any

from labs.models.fusing.graph import Node

ABSENT = {
    "arange": "arange makes a tensor out of nothing; give it as a parameter, such as i: f32[1024]",
    "cumsum": "cumsum needs the sum before it, and kernels here carry none on; write t @ x, t a triangle of ones",
    **dict.fromkeys(("argmax", "argmin", "topk", "sort"), "places of elements are not computed here; amax is"),
    **dict.fromkeys(("randn", "rand", "zeros", "ones", "full", "eye"), "a tensor is given as a parameter here"),
    "norm": "norm is not taken here; write sqrt((x * x).sum())",
    "einsum": "einsum is not taken here; write @, * and .sum(…)",
}
"""What a program of PyTorch's might call, and what to write instead."""


class Places:
    """Where the greatest are, which nobody computes."""


class Extremes(tuple[Node, Places]):
    """What max and min of an axis are in PyTorch: values and places."""


def extremes(name: str, given: list[Any], named: dict[str, Any], found: Any) -> Any:
    """PyTorch's pair, if the call is PyTorch's: `axis` and `keepdims` are NumPy's words, whose max is a tensor."""
    theirs = name in ("max", "min") and (len(given) > 1 or "dim" in named) and not {"axis", "keepdims"} & set(named)
    return Extremes((found, Places())) if theirs else found
