"""The slice as a formula: from where to where a tile reads an array, in terms of where the tile begins.

Intervals go backwards through affine indices: a tile's loop variables lie between bounds, so do sums of their
multiples, and what is read are the bounds of the loops that write it. At the borders of an array less is there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from labs.compilers.slicing_fusion.indices import Index, Judge, summed
from labs.compilers.slicing_fusion.slices import Way
from labs.compilers.slicing_fusion.spaces import Space, World
from labs.contract import Sentence, say


@dataclass(frozen=True)
class Form:
    """A number plus multiples of symbols and of the places where a tile begins, such as 2·y0 + n + 15."""

    factors: tuple[tuple[str, int], ...]
    rest: int

    def times(self, by: int) -> Form:
        return Form(tuple((name, by * factor) for name, factor in self.factors if by), by * self.rest)

    def plus(self, other: Form) -> Form:
        factors = summed((dict(self.factors), 1), (dict(other.factors), 1))
        return Form(tuple(sorted(factors.items())), self.rest + other.rest)

    def at(self, begins: dict[str, int]) -> int:
        return self.rest + sum(factor * begins[name] for name, factor in self.factors)

    def __str__(self) -> str:
        said = ""
        for name, factor in self.factors:
            sign = ("−" if factor < 0 else "") if not said else (" − " if factor < 0 else " + ")
            said += sign + (f"{abs(factor)}·" if abs(factor) > 1 else "") + name
        if not said:
            return str(self.rest).replace("-", "−")
        return said + (f" {'−' if self.rest < 0 else '+'} {abs(self.rest)}" if self.rest else "")


Range = tuple[Form, Form]
"""From, to; both belong to it."""


def regions(world: World, way: Way, fused: set[int]) -> dict[str, list[Range]]:
    """Of each array that is read by a tile: a range for each dimension. Without those that have no such formula."""
    last = len(world.spaces) - 1
    found: dict[str, list[Range] | None] = {}
    for number in sorted(fused | {last}, reverse=True):
        nest = world.spaces[number].nest
        judge = Judge(world.program, nest)
        bounds: dict[str, Range] | None
        if number == last:
            bounds = _tile(world, way)
        elif any(each.name == nest.array for each in nest.reads):  # it goes back to where it began
            bounds = found[nest.array] = None
        else:
            bounds = _inverse(world, number, [judge.index(each) for each in nest.target.parts], found)
        for each in nest.reads:
            region = None
            if bounds is not None and each.name != nest.array:
                region = _image([judge.index(part) for part in each.parts], bounds)
            before = found.get(each.name, region)
            found[each.name] = _union(before, region)
    return {name: region for name, region in found.items() if region is not None}


def _tile(world: World, way: Way) -> dict[str, Range]:
    space = world.spaces[-1]
    bounds = _loops(world, space)
    for dim, (name, size) in enumerate(zip(space.nest.variables, way.sizes, strict=False)):
        if size <= int(np.ptp(space.at[:, dim])):
            bounds[name] = (Form(((f"{name}0", 1),), 0), Form(((f"{name}0", 1),), size - 1))
    return bounds


def _loops(world: World, space: Space) -> dict[str, Range]:
    """From where to where each loop runs, over all turns of those around it; without those that this and a symbol
    decide."""
    judge = Judge(world.program, space.nest)
    bounds = {}
    for dim, loop in enumerate(space.nest.loops):
        low, high = judge.index(loop.low), judge.index(loop.high)
        if not low.symbols and not high.symbols:
            bounds[loop.name] = (Form((), int(space.at[:, dim].min())), Form((), int(space.at[:, dim].max())))
        elif not low.factors and not high.factors:
            bounds[loop.name] = (added(low), added(high).plus(Form((), -1)))
    return bounds


def _inverse(
    world: World, number: int, target: list[Index], found: dict[str, list[Range] | None]
) -> dict[str, Range] | None:
    """Between which bounds the loops run that write a region; each index is a loop variable plus a number."""
    space = world.spaces[number]
    region = found.get(space.nest.array)
    if region is None:
        return None
    bounds = _loops(world, space)
    for index, (low, high) in zip(target, region, strict=True):
        if index.kind != "affine" or list(index.factors.values()) != [1]:
            return None
        (name,), back = index.factors, added(index).times(-1)
        bounds[name] = (low.plus(back), high.plus(back))
    return bounds


def _image(index: list[Index], bounds: dict[str, Range]) -> list[Range] | None:
    region = []
    for part in index:
        if part.kind != "affine" or not bounds.keys() >= part.factors.keys():
            return None
        low = high = added(part)
        for name, factor in part.factors.items():
            begin, end = bounds[name] if factor > 0 else bounds[name][::-1]
            low, high = low.plus(begin.times(factor)), high.plus(end.times(factor))
        region.append((low, high))
    return region


def added(index: Index) -> Form:
    """What of it depends on no loop."""
    return Form(tuple(sorted(index.symbols.items())), index.rest)


def _union(left: list[Range] | None, right: list[Range] | None) -> list[Range] | None:
    """Of two regions whose bounds differ by numbers alone."""
    if left is None or right is None:
        return None
    joined = []
    for (low, high), (lower, higher) in zip(left, right, strict=True):
        if low.factors != lower.factors or high.factors != higher.factors:
            return None
        joined.append((min(low, lower, key=lambda f: f.rest), max(high, higher, key=lambda f: f.rest)))
    return joined


def said(name: str, region: list[Range]) -> Sentence:
    """As it is written: A[i0 … i0 + 8]."""
    parts = [str(low) if low == high else f"{low} … {high}" for low, high in region]
    return say("{}[{}]", name, ", ".join(parts))
