"""Which instances of which nest each tile of the last nest runs: the slices that fusion pulls in.

A slice is found backwards: the elements that a tile reads, the instances that write them, what those read, and so
on. A set of pairs (tile, instance) is one sorted array, so that all tiles are found at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from labs.compilers.slicing_fusion.spaces import Ints, Space, World

TILES = 256


@dataclass(frozen=True)
class Way:
    """How producers are pulled into the tiles of the last nest."""

    sizes: tuple[int, ...]
    """Of a tile, for the first loops of the last nest."""
    keep: bool = False
    """What the tile before has computed is kept, in place of computing it again."""
    merge: bool = False
    """Iterations of equal number run together, whatever they read: what fusion is not."""
    store: bool = False
    """What is pulled in still writes its whole array, which is then not saved."""


@dataclass
class Slice:
    """Of one nest."""

    pairs: Ints
    """tile · instances + instance of all that is run, sorted"""
    needed: Ints
    """tile · elements + element of all that is asked of its array, sorted"""


@dataclass
class Plan:
    grid: tuple[int, ...]
    """How many tiles in each tiled loop."""
    slices: dict[int, Slice] = field(default_factory=dict)
    """By nest, those that are pulled in and the last."""

    @property
    def tiles(self) -> int:
        return math.prod(self.grid)


def tile_of(space: Space, sizes: tuple[int, ...]) -> tuple[Ints, tuple[int, ...]]:
    """The tile of each instance, row after row of tiles, and how many there are in each loop."""
    numbers, grid = np.zeros(len(space.at), np.intp), []
    for dim, size in zip(range(space.at.shape[1]), sizes, strict=False):
        at = space.at[:, dim]
        places = (at - at.min()) // size
        grid.append(int(places.max()) + 1)
        numbers = numbers * grid[-1] + places
    return numbers, tuple(grid)


def plan(world: World, way: Way, fused: set[int], whole: set[int] | None = None) -> Plan:
    """``fused``: the nests to pull in. Of those in ``whole`` no slice is known: each tile runs all."""
    last = len(world.spaces) - 1
    space = world.spaces[last]
    tiles, grid = tile_of(space, way.sizes)
    found = Plan(grid)
    pairs = np.sort(tiles * len(space.at) + np.arange(len(space.at)))
    needed: dict[str, list[Ints]] = {}
    found.slices[last] = Slice(pairs, _asked(space, world, pairs, needed))
    for number in sorted(fused, reverse=True):
        space = world.spaces[number]
        size = world.arrays[space.nest.array].size
        wanted = np.unique(np.concatenate(needed.get(space.nest.array, [np.zeros(0, np.intp)])))
        if way.merge:
            pairs = _merged(space, world.spaces[last], way.sizes, grid)
        elif number in (whole or set()):
            pairs = np.arange(found.tiles * len(space.at))
            tiles = np.arange(found.tiles)[:, None]
            wanted = np.unique(tiles * size + space.writes)
        else:
            pairs, wanted = _closed(space, size, wanted)
        if way.keep or way.merge:
            _, first = np.unique(pairs % len(space.at), return_index=True)
            pairs = np.sort(pairs[first])
        found.slices[number] = Slice(pairs, wanted)
        _asked(space, world, pairs, needed)
    return found


def _asked(space: Space, world: World, pairs: Ints, needed: dict[str, list[Ints]]) -> Ints:
    """Add what these instances read of other arrays; what they write is returned."""
    tiles, instances = np.divmod(pairs, len(space.at))
    for array, elements in space.reads:
        if array != space.nest.array:
            needed.setdefault(array, []).append(tiles * world.arrays[array].size + elements[instances])
    return np.unique(tiles * world.arrays[space.nest.array].size + space.writes[instances])


def _closed(space: Space, size: int, wanted: Ints) -> tuple[Ints, Ints]:
    """The instances that write what is wanted; a nest that reads its own array wants more of it."""
    count = len(space.at)
    order = np.argsort(space.writes, kind="stable")
    begins = np.searchsorted(space.writes[order], np.arange(size + 1))
    own = [elements for array, elements in space.reads if array == space.nest.array]
    asked, known = wanted, np.zeros(0, np.intp)
    while len(asked):
        tiles, elements = np.divmod(asked, size)
        lengths = begins[elements + 1] - begins[elements]
        rows = np.repeat(np.arange(len(asked)), lengths)
        offsets = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        fresh = np.unique(tiles[rows] * count + order[begins[elements[rows]] + offsets])
        known = np.union1d(known, fresh)
        tiles, instances = np.divmod(fresh, count)
        more = [tiles * size + elements[instances] for elements in own]
        asked = np.setdiff1d(np.concatenate(more), wanted) if more else asked[:0]
        wanted = np.union1d(wanted, asked)
    return known, wanted


def _merged(space: Space, last: Space, sizes: tuple[int, ...], grid: tuple[int, ...]) -> Ints:
    """Each instance in the tile in which the last nest has the same numbers."""
    numbers = np.zeros(len(space.at), np.intp)
    for dim, (size, length) in enumerate(zip(sizes, grid, strict=False)):
        places = np.zeros(len(space.at), np.intp)
        if dim < space.at.shape[1]:
            places = np.clip((space.at[:, dim] - last.at[:, dim].min()) // size, 0, length - 1)
        numbers = numbers * length + places
    return np.sort(numbers * len(space.at) + np.arange(len(space.at)))


def counts(pairs: Ints, per: int, tiles: int) -> Ints:
    """How many of them each tile has."""
    return np.bincount(pairs // per, minlength=tiles)


def boxes(needed: Ints, shape: tuple[int, ...], tiles: int) -> list[tuple[tuple[int, int], ...] | None]:
    """Of each tile, from where to where in each dimension its elements lie: the buffer that it takes."""
    size = math.prod(shape)
    tile, elements = np.divmod(needed, size)
    borders = np.searchsorted(tile, np.arange(tiles + 1))
    index = np.unravel_index(elements, shape)
    found: list[tuple[tuple[int, int], ...] | None] = []
    for begin, end in pairwise(borders.tolist()):
        found.append(
            tuple((int(part[begin:end].min()), int(part[begin:end].max()) + 1) for part in index)
            if end > begin
            else None
        )
    return found


def volume(box: tuple[tuple[int, int], ...] | None) -> int:
    return math.prod([high - low for low, high in box]) if box else 0
