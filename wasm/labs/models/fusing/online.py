"""Two reductions that can be had in one pass over a row: what matters when a row does not fit into the cache.

The greatest x and Σ exp(x − greatest); or Σ x and Σ (x − mean)². Each pair is one monoid of `loops.MONOIDS`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from labs.models.fusing.graph import Node
from labs.models.fusing.plan import Group, Plan


@dataclass(frozen=True)
class Pair:
    monoid: str
    first: Node
    second: Node
    x: Node


def pairs(plan: Plan, group: Group) -> dict[Node, Pair]:
    """By the second of the two, which without this has to wait for the first."""
    found: dict[Node, Pair] = {}
    for second in group:
        if second.op == "sum" and second.dtype in ("f32", "f64"):
            pair = softmax(plan, second) or moments(plan, second)
            if pair and pair.first in group and pair.first.arg == second.arg and pair.first not in found:
                found[second] = pair
    return found


def softmax(plan: Plan, second: Node) -> Pair | None:
    weight = second.inputs[0]
    if weight.op != "exp" or weight.inputs[0].op != "sub":
        return None
    x, top = weight.inputs[0].inputs
    first = plan.base(top)
    right = first.op == "amax" and first.inputs[0] is x
    return Pair("softmax", first, second, x) if right else None


def moments(plan: Plan, second: Node) -> Pair | None:
    square = second.inputs[0]
    if square.op != "mul" or square.inputs[0] is not square.inputs[1] or square.inputs[0].op != "sub":
        return None
    x, middle = square.inputs[0].inputs
    mean = plan.base(middle)
    if mean.op not in ("div", "mul") or mean.inputs[1].op != "const":
        return None
    first, share = plan.base(mean.inputs[0]), mean.inputs[1].arg
    if first.op != "sum" or first.inputs[0] is not x:
        return None
    count = math.prod(length for axis, length in enumerate(x.shape) if axis in first.arg)
    right = (share if mean.op == "div" else 1 / share) == count
    return Pair("moments", first, second, x) if right else None
