"""Shapes in a graph that have a name: a compiler that knows them can do better than operation by operation."""

from __future__ import annotations

from dataclasses import dataclass

from labs.models.fusing.graph import Node


@dataclass(frozen=True)
class Exponentials:
    """e = exp(z) and its sum over `axes`, where z = x − shift, and the shift is one number for each sum.

    The shift keeps exp from overflowing; what is made of e / Σe does not change with it, and so has no slope by it.
    """

    x: Node
    z: Node
    e: Node
    total: Node
    axes: tuple[int, ...]
    shift: Node | None


def exponentials(total: Node) -> Exponentials | None:
    """What a sum adds up, if it adds up exponentials."""
    if total.op != "sum" or total.inputs[0].op != "exp":
        return None
    e = total.inputs[0]
    z = e.inputs[0]
    if z.op == "sub" and steady(z.inputs[1], total.arg):
        return Exponentials(z.inputs[0], z, e, total, total.arg, z.inputs[1])
    return Exponentials(z, z, e, total, total.arg, None)


def steady(node: Node, axes: tuple[int, ...]) -> bool:
    """Whether it is the same all along these axes."""
    return node.op == "const" or all(behind(node).shape[axis] == 1 for axis in axes)


def behind(node: Node) -> Node:
    """What is broadcast, or the node itself."""
    return node.inputs[0] if node.op == "broadcast" else node


def softmax(node: Node) -> Exponentials | None:
    """e / Σe"""
    found = exponentials(behind(node.inputs[1])) if node.op == "div" else None
    return found if found and node.inputs[0] is found.e else None


def log_softmax(node: Node) -> Exponentials | None:
    """z − log Σe"""
    if node.op != "sub" or behind(node.inputs[1]).op != "log":
        return None
    found = exponentials(behind(node.inputs[1]).inputs[0])
    return found if found and node.inputs[0] is found.z else None


def logsumexp(node: Node) -> Exponentials | None:
    """shift + log Σe"""
    if node.op == "add":
        for shift, log in (node.inputs, node.inputs[::-1]):
            found = exponentials(log.inputs[0]) if log.op == "log" else None
            if found and found.shift is not None and behind(found.shift) is shift:
                return found
    return None
