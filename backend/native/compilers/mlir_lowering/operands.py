"""What an operation on tensors is given and writes, from its line in the text of a module."""

from __future__ import annotations

import re

from native.compilers.mlir_lowering.bounds import AffineMap

SHAPE = re.compile(r"(?:(?:tensor|memref)<((?:\d+x)*)\w+[^>]*(?:<[^>]*>[^>]*)*>|\bf32\b|\bi64\b)")


def split(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def part(line: str, word: str) -> tuple[str, str]:
    """The names and the types that stand behind a word such as ``ins(``."""
    inside = line.partition(word)[2]
    depth = 0
    for at, letter in enumerate(inside):
        depth += (letter in "(<") - (letter in ")>")
        if depth < 0:
            inside = inside[:at]
            break
    names, _, types = inside.partition(" : ")
    return names, types


def names_in(line: str, word: str) -> list[str]:
    return re.findall(r"%(\w+)", part(line, word)[0]) if word in line else []


def shapes_of(line: str) -> list[list[int]]:
    """Of all that a line names, inputs first; of a plain number it is empty."""
    types = [part(line, word)[1] for word in ("ins(", "outs(") if word in line]
    return [
        [int(size) for size in found[1].split("x") if size] if found[1] else []
        for found in SHAPE.finditer(", ".join(types))
    ]


def extent_of(dim: str, used: list[AffineMap], shapes: list[list[int]]) -> int | None:
    """How far an index goes, by the first tensor that it counts along."""
    for each, shape in zip(used, shapes, strict=True):
        for result, size in zip(each.results, shape, strict=False):
            if result == dim:
                return size
    return None
