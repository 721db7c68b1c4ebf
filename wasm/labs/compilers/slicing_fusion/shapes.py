"""Tiles of many shapes: how much work each does again, and whether every fusion into it would be accepted."""

from __future__ import annotations

from dataclasses import dataclass

from labs.compilers.slicing_fusion.judge import Judge, Limits
from labs.compilers.slicing_fusion.known import Known
from labs.compilers.slicing_fusion.slices import TILES, Way, tile_of

SIZES = (1, 2, 4, 8, 16, 32)


@dataclass(frozen=True)
class Shape:
    sizes: tuple[int, ...]
    extra: float
    """Work that is added by pulling in all that can be, as a part of what all nests take apart."""
    good: bool
    """Every producer holds all criteria."""


def sizes(known: Known, dim: int) -> list[int]:
    """Powers of two, and the whole loop; for a loop that is not there, one."""
    at = known.world.spaces[-1].at
    if dim >= at.shape[1]:
        return [1]
    length = int(at[:, dim].max() - at[:, dim].min()) + 1
    return [*(size for size in SIZES if size < length), length]


def shapes(known: Known, way: Way, limits: Limits) -> list[Shape | None]:
    """Row after row of the first size; None where there would be too many tiles, or a slice cannot be known."""
    found: list[Shape | None] = []
    for first in sizes(known, 0):
        for second in sizes(known, 1):
            one = Way((first, second), way.keep, way.merge)
            grid = tile_of(known.world.spaces[-1], one.sizes)[1]
            if grid[0] * (grid[1] if len(grid) > 1 else 1) > TILES:
                found.append(None)
                continue
            judge = Judge(known, one, limits, check=False)
            decision = judge.decide(force=True)
            if not all(each.decided for each in decision.verdicts):
                found.append(None)
                continue
            added = judge.cost(decision, judge.plan(decision)) - known.apart(decision.fused | {known.last})
            extra = added / known.apart(range(known.last + 1))
            found.append(Shape(one.sizes, extra, all(each.fused for each in decision.verdicts)))
    return found
