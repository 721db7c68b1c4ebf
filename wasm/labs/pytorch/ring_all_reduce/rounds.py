"""Who sends what to whom in each step: round a ring, along a tree, or all to one process and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

WAYS = ("ring", "tree", "star")


@dataclass(frozen=True)
class Message:
    key: str
    """What goes on in it from step to step: the sum of a chunk, or the array of a process"""
    source: int
    target: int
    chunk: int
    """Of the array; −1 for all of them"""
    bytes: int
    adds: bool
    """Whether the target adds it to its own numbers, in place of which it is kept otherwise"""


def bounds(numbers: int, count: int) -> list[int]:
    """Where each chunk begins, and where the last one ends: gloo makes a chunk of two equal parts, the last of
    which may be short or missing."""
    size = 2 * -(-numbers // (2 * count))
    return [min(numbers, chunk * size) for chunk in range(count + 1)]


def rounds(way: str, count: int, cuts: list[int]) -> Iterator[list[Message]]:
    """Messages of one step after the other; ``cuts`` are the bounds of the chunks."""
    if way == "ring":
        return ring(count, [4 * (end - begin) for begin, end in pairwise(cuts)])
    return along(tree(count) if way == "tree" else star(count), 4 * cuts[-1])


def ring(count: int, sizes: list[int]) -> Iterator[list[Message]]:
    """As in gloo: process r sends to r − 1, first chunk r + 1, then what it has just received and added to."""
    for adds in (True, False):
        for step in range(count - 1):
            chunks = [(rank + adds + step) % count for rank in range(count)]
            yield [
                Message(f"chunk {chunk}", rank, (rank - 1) % count, chunk, sizes[chunk], adds)
                for rank, chunk in enumerate(chunks)
            ]


def tree(count: int) -> list[list[tuple[int, int]]]:
    """Pairs that send and receive at once: neighbours first, then pairs of pairs, towards process 0."""
    distances = [1 << level for level in range((count - 1).bit_length())]
    return [[(rank, rank - by) for rank in range(by, count, 2 * by)] for by in distances]


def star(count: int) -> list[list[tuple[int, int]]]:
    """One after the other, as process 0 receives one message at a time."""
    return [[(rank, 0)] for rank in range(1, count)]


def along(steps: list[list[tuple[int, int]]], whole: int) -> Iterator[list[Message]]:
    """There with sums, and back the same way with the result."""
    for pairs in steps:
        yield [Message(f"array {source}", source, target, -1, whole, True) for source, target in pairs]
    for pairs in reversed(steps):
        yield [Message(f"array {source}", target, source, -1, whole, False) for source, target in pairs]


def formulas(count: int, whole: int) -> NDArray[np.float32]:
    """Bytes in a row of each way, for arrays of ``whole`` bytes in chunks of one size."""
    levels = (count - 1).bit_length()
    return np.array([2 * (count - 1) / count, 2 * levels, 2 * (count - 1)], np.float32) * whole
