"""The tape that autograd keeps: what each operation saves, and what flows back when the chosen element is asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from labs.descent.one_line.given import Floats
from labs.descent.one_line.memory import short
from labs.models.one_line.line import Line, Node, Shape, walk
from labs.models.tensor.choices import relu
from labs.models.tensor.tensor import Tensor, tensor


@dataclass(frozen=True)
class Taped:
    """An operation on the tape."""

    name: str
    """As PyTorch calls its node."""
    begin: int
    end: int
    saved: list[str]
    """What it keeps for the way back, as the parts of the line."""
    bytes: int
    """That these take together, all of them in memory already; two that share a storage count once."""
    flows: str
    """The largest number of the gradient that arrives at its result"""


@dataclass(frozen=True)
class Gradient:
    """How the chosen element answers to each number of an input."""

    name: str
    numbers: list[str]
    """[elements] of the gradient, row after row"""
    path: list[int]
    """Those that are not zero."""


NAMES = {
    **{"matmul": "MmBackward0", "add": "AddBackward0", "sub": "SubBackward0", "mul": "MulBackward0"},
    **{"neg": "NegBackward0", "relu": "ReluBackward0", "t": "PermuteBackward0", "rsub": "RsubBackward1"},
}


class Tape:
    """The line, computed by the tensor library of `tensors/autograd_tape` with the tape running."""

    def __init__(self, line: Line, inputs: dict[str, Floats]) -> None:
        self.line = line
        self.leaves = {name: tensor(each, requires_grad=True) for name, each in inputs.items()}
        self.results: dict[Node, Tensor] = {}
        self.result = self.compute(line.root)

    def compute(self, node: Node) -> Tensor:
        parts = [self.compute(each) for each in node.inputs]
        self.results[node] = found = self.apply(node, parts)
        return found

    def apply(self, node: Node, parts: Sequence[Tensor]) -> Tensor:
        match node.op:
            case "input":
                return self.leaves[node.name]
            case "const":
                return tensor(np.float32(node.number))
            case "matmul":
                return parts[0] @ parts[1]
            case "add":
                return parts[0] + parts[1]
            case "sub":
                return parts[0] - parts[1]
            case "mul":
                return parts[0] * parts[1]
            case "neg":
                return -parts[0]
            case "relu":
                return relu(parts[0])
        return parts[0].mT

    def back(self, index: Shape) -> tuple[list[Taped], list[Gradient]]:
        """Backward from one element: its own gradient is 1, that of all others 0."""
        seed = np.zeros(self.line.root.shape, np.float32)
        seed[index] = 1
        arrived: dict[Node, Floats] = {}

        def watch(node: Node) -> Callable[[Tensor], None]:
            def keep(grad: Tensor) -> None:
                arrived[node] = grad.array.copy()

            return keep

        for node, result in self.results.items():
            if result.origin is not None and node.op not in ("input", "const"):
                result.register_hook(watch(node))
        self.result.backward(tensor(seed))
        taped = []
        for node in walk(self.line.root):
            if node.op in NAMES:
                grad = arrived.get(node, np.zeros(node.shape, np.float32))
                kept = saved(node)
                named = {(storage(each), self.line.source[each.begin : each.end]): None for each in kept}
                backwards = node.op == "sub" and node.inputs[0].op == "const"
                name = NAMES["rsub" if backwards else node.op]
                texts = [text for _, text in named]
                taped.append(Taped(name, node.begin, node.end, texts, size(kept), largest(grad)))
        return taped, [gradient(name, leaf) for name, leaf in self.leaves.items()]


def saved(node: Node) -> list[Node]:
    """What PyTorch's node keeps: of a product the other factor, of relu its result, for its sign."""
    if node.op in ("matmul", "mul"):
        constant = [each for each in node.inputs if each.op == "const"]
        return constant or list(node.inputs)
    return [node] if node.op == "relu" else []


@lru_cache(maxsize=16)
def kept(line: Line) -> int:
    """Bytes that the whole tape keeps: what two operations save is there once."""
    return size(each for node in walk(line.root) for each in saved(node))


def size(nodes: Iterable[Node]) -> int:
    """Bytes of the storages of these."""
    return sum({storage(each): 4 * math.prod(each.shape) for each in nodes if each.shape}.values())


def storage(node: Node) -> Node | str:
    """What stands for the storage that a tensor reads: an input's name, or the node that made it."""
    while node.op == "t":
        (node,) = node.inputs
    return node.name or node


def largest(grad: Floats) -> str:
    """The gradient is of one element, so the rest is zero unless a product has spread it."""
    flat = grad.reshape(-1)
    return short(flat[int(np.argmax(np.abs(flat)))])


def gradient(name: str, leaf: Tensor) -> Gradient:
    flat = np.zeros(leaf.shape, np.float32).reshape(-1) if leaf.grad is None else leaf.grad.array.reshape(-1)
    return Gradient(name, [short(each) for each in flat], [n for n, each in enumerate(flat) if each])
