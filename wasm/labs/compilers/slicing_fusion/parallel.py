"""Which loops carry a dependence: two of their iterations touch the same element, and one of them writes it."""

from __future__ import annotations

import numpy as np

from labs.compilers.slicing_fusion.indices import Index
from labs.compilers.slicing_fusion.slices import Plan
from labs.compilers.slicing_fusion.spaces import Bools, Ints, Space, World


def carried(places: Ints, elements: Ints, writes: Bools) -> list[bool]:
    """By loop. ``places``: [touches, loops] where in the loops each touch happens, ``writes`` whether it writes.

    Loop d carries a dependence if touches of one element agree in all loops outside of d and differ in d.
    """
    found = []
    group = elements
    for depth in range(places.shape[1]):
        _, group = np.unique(group, return_inverse=True)
        at, count = places[:, depth], int(group.max(initial=-1)) + 1
        low, high, written = np.full(count, np.iinfo(np.intp).max), np.full(count, -1), np.zeros(count, bool)
        np.minimum.at(low, group, at)
        np.maximum.at(high, group, at)
        np.logical_or.at(written, group, writes)
        found.append(bool((written & (low < high)).any()))
        group = group * (int(at.max(initial=0)) + 1) + at
    return found


def touches(world: World, space: Space) -> tuple[Ints, Bools]:
    """[reads + 1, instances] the elements of all arrays, numbered through, and whether each is written."""
    begins, begin = {}, 0
    for name, array in world.arrays.items():
        begins[name], begin = begin, begin + array.size
    elements = [begins[array] + each for array, each in space.reads] + [begins[space.nest.array] + space.writes]
    return np.array(elements), np.arange(len(elements)) == len(elements) - 1


def of_nest(world: World, space: Space) -> list[bool]:
    elements, writes = touches(world, space)
    places = np.tile(space.at, (len(elements), 1))
    return carried(places, elements.ravel(), np.repeat(writes, len(space.at)))


def of_tiles(world: World, plan: Plan, private: set[str], only: set[int] | None = None) -> list[bool]:
    """By loop over tiles. What is private to a tile is touched by no other."""
    places, elements, writes = [], [], []
    for number, each in plan.slices.items():
        if only is not None and number not in only:
            continue
        space = world.spaces[number]
        tiles, instances = np.divmod(each.pairs, len(space.at))
        found, written = touches(world, space)
        names = [array for array, _ in space.reads] + [space.nest.array]
        for name, row, is_write in zip(names, found, written, strict=True):
            if name not in private:
                elements.append(row[instances])
                places.append(tiles)
                writes.append(np.full(len(tiles), is_write))
    at = np.column_stack(np.unravel_index(np.concatenate(places), plan.grid))
    return carried(at, np.concatenate(elements), np.concatenate(writes))


def strides(indices: list[list[Index]], variable: str) -> bool:
    """Whether a step of the variable is one element, or none, in each of these accesses."""
    for access in indices:
        for dim, index in enumerate(access):
            if index.kind != "affine":
                return False
            step = index.factors.get(variable, 0)
            if step not in ((0, 1) if dim == len(access) - 1 else (0,)):
                return False
    return True
