"""May a producer be pulled into the tiles of the last nest, and is it worth it? Producers are asked from below.

It must be legal: indices that can be decided, and every read sees the write that it saw before. Then four things
are weighed, those that PolyBlocks is said to weigh; here each of them must hold.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from labs.compilers.slicing_fusion import execute, parallel
from labs.compilers.slicing_fusion.known import Known
from labs.compilers.slicing_fusion.slices import Plan, Way, boxes, counts, plan, volume
from labs.compilers.slicing_fusion.spaces import Array, World


@dataclass(frozen=True)
class Limits:
    tolerance: float = 0.3
    """Of work that is done again, as a part of all work."""
    lanes: int = 8
    """Numbers in a vector."""
    fast: int = 64
    """Numbers that fit into fast memory."""


@dataclass(frozen=True)
class Criterion:
    name: str
    before: str
    after: str
    holds: bool


@dataclass
class Verdict:
    nest: int
    decided: bool
    """Whether all indices between producer and readers are decidable."""
    why: str
    """Where one is not, and why; else empty."""
    faults: list[execute.Fault]
    criteria: list[Criterion]
    fused: bool
    """Whether it should be."""
    extra: float
    """Work that is added by pulling it in, as a part of what all nests of the tiles then take apart."""
    whole: int
    buffer: int
    stays: bool
    """Its own nest has to stay, since somebody else reads its array."""
    stored: bool
    """It runs in the tiles alone, and its array is written all the same."""

    @property
    def legal(self) -> bool:
        return self.decided and not self.faults


@dataclass
class Decision:
    """What is pulled in, forced or not, and how that runs."""

    verdicts: list[Verdict] = field(default_factory=list)
    fused: set[int] = field(default_factory=set)
    whole: set[int] = field(default_factory=set)
    """Those of them whose slice cannot be known."""
    stays: set[int] = field(default_factory=set)
    stored: set[int] = field(default_factory=set)

    def buffers(self, world: World, way: Way) -> set[str]:
        """Arrays that tiles have for themselves: each its own, or all the same if what was computed is kept."""
        return set() if way.merge else {world.spaces[n].nest.array for n in self.fused - self.stored}

    def alone(self, world: World) -> set[int]:
        return set(range(len(world.spaces) - 1)) - self.fused | self.stays


class Judge:
    def __init__(self, known: Known, way: Way, limits: Limits, check: bool = True) -> None:
        """Without ``check`` only what holds all criteria is run to see whether it is legal."""
        self.known, self.way, self.limits, self.check = known, way, limits, check
        self.world, self.last = known.world, known.last

    def decide(self, force: bool = False) -> Decision:
        decision = Decision()
        for number in reversed(range(self.last)):
            array = self.world.spaces[number].nest.array
            readers = {n for n in decision.fused | {self.last} if self.known.reads(n, array)}
            if not readers:
                continue
            verdict = self._judge(number, readers, decision)
            decision.verdicts.append(verdict)
            if verdict.fused or force or self.way.merge:
                decision.fused.add(number)
                decision.whole |= set() if verdict.decided else {number}
                decision.stays |= {number} if verdict.stays else set()
                decision.stored |= {number} if verdict.stored else set()
        return decision

    def plan(self, decision: Decision) -> Plan:
        return plan(self.world, self.way, decision.fused, decision.whole)

    def run(self, decision: Decision, found: Plan) -> execute.Run:
        buffers, alone = decision.buffers(self.world, self.way), decision.alone(self.world)
        return execute.fused(self.world, found, self.known.expected, buffers, alone, self.way.keep)

    def cost(self, decision: Decision, found: Plan) -> int:
        """Operations of the last nest, of all that is pulled into it, and of nests that stay nevertheless."""
        slices = ((number, len(each.pairs)) for number, each in found.slices.items())
        stays = ((number, len(self.world.spaces[number].at)) for number in decision.stays)
        return sum(self.world.spaces[number].operations * runs for number, runs in (*slices, *stays))

    def _judge(self, number: int, readers: set[int], so_far: Decision) -> Verdict:
        world, space = self.world, self.world.spaces[number]
        array = world.arrays[space.nest.array]
        why = self.known.undecidable(number, readers)
        tried = replace(
            so_far,
            fused=so_far.fused | {number},
            whole=so_far.whole | ({number} if why else set()),
            stays=set(so_far.stays),
            stored=set(so_far.stored),
        )
        before, after = self.plan(so_far), self.plan(tried)
        pairs = after.slices[number].pairs
        runs = np.bincount(pairs % len(space.at), minlength=len(space.at))
        others = any(self.known.reads(n, array.name) for n in range(self.last) if n not in tried.fused)
        kept = array.name in world.program.kept
        stays = not self.way.merge and (others or (kept and not (runs == 1).all()))
        stored = (kept or self.way.store) and not stays
        tried.stays |= {number} if stays else set()
        tried.stored |= {number} if stored else set()
        apart = self.known.apart(tried.fused | {self.last})
        own = self.known.apart({number})
        extra = (self.cost(tried, after) - self.cost(so_far, before) - own) / apart
        box = max(map(volume, boxes(after.slices[number].needed, array.shape, after.tiles)))
        criteria = [
            self._parallelism(number, tried, after),
            self._vectors(number, after),
            Criterion(
                "little done again",
                f"{len(space.at):,} runs of {array.name}",
                f"{len(pairs) + stays * len(space.at):,}, {signed(extra)} of {apart:,}",
                extra <= self.limits.tolerance,
            ),
            self._buffer(array, box, stays, stored),
        ]
        if why:
            criteria = [replace(each, after="not known", holds=False) for each in criteria]
        good = all(each.holds for each in criteria)
        faults = self.run(tried, after).faults if self.check or good else []
        return Verdict(
            number, not why, why, faults, criteria, good and not faults, extra, array.size, box, stays, stored
        )

    def _parallelism(self, number: int, tried: Decision, after: Plan) -> Criterion:
        world, grid = self.world, after.grid
        alone = parallel.of_tiles(world, after, set(), {self.last})
        private = set() if self.way.keep else tried.buffers(world, self.way)
        together = parallel.of_tiles(world, after, private)
        at_once = min(self.known.at_once[n] for n in (number, self.last))
        units = math.prod([1 if carries else length for length, carries in zip(grid, together, strict=True)])
        lost = any(now and not was for was, now in zip(alone, together, strict=True))
        after_said = f"{units:,} of {after.tiles:,} tiles at once"
        return Criterion(
            "parallel as before", f"{at_once:,} at once", after_said, not lost and (units > 1 or at_once == 1)
        )

    def _vectors(self, number: int, after: Plan) -> Criterion:
        lanes = self.limits.lanes
        able = [n for n in (number, self.last) if self.known.vectors[n]]
        if not able:
            return Criterion("vectors as before", "none", "none", True)
        length = min(len(np.unique(self.world.spaces[n].at[:, -1])) for n in able)
        shortest = min(self._innermost(n, after) for n in able)
        short = f", of {lanes} in a vector" if shortest < lanes else ""
        return Criterion(
            "vectors as before", f"innermost {length} long", f"innermost {shortest} long{short}", not short
        )

    def _innermost(self, number: int, after: Plan) -> int:
        """The most values that the innermost loop takes in a tile."""
        space, pairs = self.world.spaces[number], after.slices[number].pairs
        tiles, instances = np.divmod(pairs, len(space.at))
        wide = int(space.at[:, -1].max()) + 1
        return int(counts(np.unique(tiles * wide + space.at[instances, -1]), wide, after.tiles).max())

    def _buffer(self, array: Array, box: int, stays: bool, stored: bool) -> Criterion:
        gone = not stays and not stored and not self.way.merge
        said = "one number" if box == 1 else f"{box:,} numbers"
        if array.name in self.world.program.kept or stays:
            said = f"{array.size:,}, {array.name} is wanted elsewhere"
        elif stored:
            said = f"{array.size:,}, {array.name} is still stored"
        elif self.way.merge:
            said = f"{array.size:,}, as before"
        return Criterion(
            "no array between",
            f"{array.size:,} numbers",
            said,
            gone and box < array.size and box <= self.limits.fast,
        )


def signed(part: float) -> str:
    percent = round(100 * part)
    return f"{'+' if percent > 0 else '−' if percent < 0 else '±'}{abs(percent)} %"
