"""How K is cut into slices, how many additions a number goes through, and what rounding can make of them."""

from __future__ import annotations

from typing import Literal

DEEP = 32
"""Slices begin at multiples of this: a slab, which the kernels multiply at a time."""
Reduction = Literal["in order", "two levels", "on arrival"]
WAYS = ("in order", "two levels", "on arrival", "batched")
"""Three ways for lanes to add up their sums in one launch, and PyTorch's product of batches with a sum after it"""
UNIT = 2.0**-24
"""How far a float may be from the nearest one, as a share of itself"""


def group_of(reduction: str, splits: int) -> int:
    """How many slices the last lane of a group adds up; 0 where lanes add to one place when they are ready."""
    if reduction == "on arrival":
        return 0
    return splits if reduction == "in order" else next(n for n in range(1, splits + 1) if n * n >= splits)


def additions(reduction: str, splits: int) -> int:
    """The most additions that a partial sum goes through."""
    if reduction != "two levels":
        return splits - 1
    group = group_of(reduction, splits)
    return group - 1 + -(-splits // group) - 1


def longest(k: int, splits: int) -> int:
    """Numbers of the longest slice."""
    return -(-k // DEEP // splits) * DEEP


def roundings(reduction: str, k: int, splits: int) -> int:
    """The most roundings that any product of two numbers goes through: in its slice, and then in the reduction."""
    return longest(k, splits) + additions(reduction, splits)


def bound(reduction: str, k: int, splits: int, bf16: bool) -> float:
    """The most that |C − AB| can be, in units of |A| |B| 2⁻²⁴ (Higham 2002, chapter 3); bfloat16 rounds C, too."""
    many = roundings(reduction, k, splits)
    sums = many / (1 - many * UNIT)
    return sums + 2.0**-8 / UNIT * (1 + sums * UNIT) if bf16 else sums


def counts(k: int, splits: int, workers: int) -> list[int]:
    """Which S are measured in every way: some around the number of workers, and the reader's."""
    some = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256}
    some -= {3, 5, 6, 12} if workers > 64 else {24, 48, 96, 192}
    some |= {splits} | ({workers, workers + 1} if workers < 256 else set())
    return sorted(each for each in some if each <= most(k))


def most(k: int) -> int:
    """The most slices: one slab each, and no more than a chart can show."""
    return min(256, k // DEEP)
