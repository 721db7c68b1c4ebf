"""What a split should take: lanes in waves, then the additions."""

from __future__ import annotations

from dataclasses import dataclass

from native.compilers.decompose_k.cut import DEEP, group_of, most


@dataclass(frozen=True)
class Model:
    """Four numbers of a machine, measured on short products, and how many workers it has."""

    call: float
    """Seconds of a launch that has next to nothing to do"""
    slab: float
    """Seconds of a worker for 32 steps of K"""
    meet: float
    """Seconds to leave a partial sum and to find out who is last"""
    add: float
    """Seconds to add one partial sum"""
    workers: int

    def took(self, reduction: str, k: int, splits: int) -> float:
        """Seconds: as many waves as it takes, each as long as the longest slice, and what is added after them."""
        waves = -(-splits // self.workers)
        product = self.call + waves * -(-k // DEEP // splits) * self.slab
        if splits == 1:
            return product
        if reduction != "two levels":
            return product + self.meet + splits * self.add
        group = group_of(reduction, splits)
        return product + 2 * self.meet + (group + -(-splits // group)) * self.add

    def best(self, reduction: str, k: int) -> int:
        """The S that should take the least."""
        return min(range(1, most(k) + 1), key=lambda splits: self.took(reduction, k, splits))
