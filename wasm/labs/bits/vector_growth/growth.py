"""How an array that grows chooses its next capacity, and a heap that gives the lowest free place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Rule = Literal["double", "half_more", "a_few_more", "python_list"]


def grown(rule: Rule, capacity: int, size: int, more: int) -> int:
    """The capacity in place of one that is too small for ``size`` items."""
    if rule == "double":
        return max(2 * capacity, size)
    if rule == "half_more":
        return max(capacity + capacity // 2, size)
    if rule == "a_few_more":
        return capacity + more
    return (size + (size >> 3) + 6) & ~3  # CPython's list_resize, since 3.9


@dataclass
class Heap:
    """Live blocks by address. Free places side by side are one, as in every allocator that joins neighbours."""

    live: dict[int, int] = field(default_factory=dict)
    top: int = 0
    """The highest address that was ever in use."""

    def allocate(self, size: int) -> int:
        at = 0
        for begin, length in sorted(self.live.items()):
            if begin - at >= size:
                break
            at = begin + length
        self.live[at] = size
        self.top = max(self.top, at + size)
        return at

    def free(self, begin: int) -> None:
        del self.live[begin]

    def gaps(self) -> list[tuple[int, int]]:
        """Begin and size of each stretch below ``top`` that is not in use."""
        found, at = [], 0
        for begin, length in sorted({**self.live, self.top: 0}.items()):
            if begin > at:
                found.append((at, begin - at))
            at = max(at, begin + length)
        return found
