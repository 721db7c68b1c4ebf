"""Which layers of a chain go together, and what is kept of them between forward and backward."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from labs.contract import LabError

Keeps = Literal["all", "input", "products", "files"]


@dataclass(frozen=True)
class Piece:
    """Some layers in a row, and what is kept of them between forward and backward."""

    start: int
    """How many layers stand before it"""
    stop: int
    keeps: Keeps


def chosen(text: str, layers: int, keeps: Mapping[str, Keeps], such: str) -> list[Piece]:
    """What the reader writes: the layers of each piece, behind a letter for what is kept of it, or behind none.

    Layers that are left over keep everything. Raises ``LabError`` for any other word, with ``such`` as an example.
    """
    found: list[Piece] = []
    at = 0
    for word in text.replace(",", " ").split():
        length = re.fullmatch(rf"([{''.join(keeps)}]?)0*([1-9]\d?)", word, re.ASCII)
        if length is None:
            raise LabError(f"{word[:12]!r} is no segment: write lengths with spaces between, such as {such}.")
        stop = min(at + int(length[2]), layers)
        if at < stop:
            found.append(Piece(at, stop, keeps[length[1]]))
        at = stop
    if at < layers:
        found.append(Piece(at, layers, "all"))
    return found
