"""Where the tensors are: bytes in a row, and the shape, strides and offset that make a matrix of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labs.descent.one_line.given import Floats
from labs.models.one_line.line import Line, Node, walk
from labs.models.tensor.tensor import Tensor, tensor

LINE = 64
"""Bytes of a cache line; PyTorch lets every storage begin with one."""


@dataclass(frozen=True)
class Stored:
    """A tensor, and the storage that it reads."""

    name: str
    shape: list[int]
    strides: list[int]
    """In elements."""
    numbers: list[str]
    """Of the storage, in the order of memory."""
    bytes: list[str]
    """Of each number, the lowest address first, in hexadecimal."""
    path: list[int]
    """Places in the storage that the chosen element is made of, or is."""


@dataclass(frozen=True)
class View:
    """A matrix that is read otherwise, without a byte being moved."""

    written: str
    shape: list[int]
    strides: list[int]


def stored(name: str, of: Tensor, path: list[int]) -> Stored:
    flat: Floats = np.asarray(of.storage.numbers, np.float32).reshape(-1)
    texts = [short(each) for each in flat]
    raw = [" ".join(f"{byte:02X}" for byte in each.tobytes()) for each in flat.astype("<f4")]
    return Stored(name, list(of.shape), list(of.layout.strides), texts, raw, path)


def short(number: np.float32) -> str:
    """The fewest digits that read back as this float32."""
    return np.format_float_positional(number, trim="-").replace("-", "−")


def views(line: Line, inputs: dict[str, Floats]) -> list[View]:
    """Those of the line; ``x.T`` if it has none."""
    found: dict[str, View] = {}
    for node in walk(line.root):
        if node.op == "t" and node.inputs[0].op == "input":
            found.setdefault(node.inputs[0].name, turned(node.inputs[0], inputs))
    if not found:
        found["x"] = turned(Node("input", (), inputs["x"].shape, 0, 0, name="x"), inputs)
    return list(found.values())


def turned(node: Node, inputs: dict[str, Floats]) -> View:
    view = tensor(inputs[node.name]).mT
    return View(f"{node.name}.T", list(view.shape), list(view.layout.strides))
