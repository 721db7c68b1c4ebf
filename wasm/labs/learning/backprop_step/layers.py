"""A place for every node of a graph, after Sugiyama: layers, an order in each with few crossings, then positions.

An edge that passes a layer is given a place there like a node, so that it leads around what stands in it.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

SWEEPS = 8
PASSING = 0.6  # the room of an edge that passes, where a node has 1

Edges = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Layout:
    layers: list[int]
    """Of each node; edges lead to higher ones."""
    slots: list[float]
    """Of each node, across: nodes of one layer are at least 1 apart."""
    bends: list[list[float]]
    """Of each edge: its slots in the layers between its ends."""


def place(count: int, edges: Edges, inputs: set[int]) -> Layout:
    layers = _layers(count, edges, inputs)
    paths, rows = _rows(count, edges, layers)
    links = [link for path in paths for link in pairwise(path)]
    rows = _untangled(rows, links)
    slots = _slots(rows, links, count)
    return Layout(layers, slots[:count], [[slots[each] for each in path[1:-1]] for path in paths])


def _layers(count: int, edges: Edges, inputs: set[int]) -> list[int]:
    """Each behind all that it needs; what needs no more than inputs comes as late as it may."""
    needs, serves = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    for source, target in edges:
        needs[target].add(source)
        serves[source].add(target)
    layers = [0] * count
    for node in range(count):
        layers[node] = max((layers[each] + 1 for each in needs[node]), default=0)
    for node in reversed(range(count)):
        if serves[node] and needs[node] <= inputs:
            layers[node] = min(layers[each] for each in serves[node]) - 1
    return layers


def _rows(count: int, edges: Edges, layers: list[int]) -> tuple[list[list[int]], list[list[int]]]:
    """Each edge as a path with a stop in every layer, and each layer in the order in which a walk meets it from the
    results, argument by argument: of a tree that has no crossings."""
    paths, stops = [], count
    into = defaultdict[int, list[int]](list)
    for number, (source, target) in enumerate(edges):
        between = layers[target] - layers[source] - 1
        paths.append([source, *range(stops, stops + between), target])
        into[target].append(number)
        stops += between
    rows: list[list[int]] = [[] for _ in range(max(layers) + 1)]
    seen = set[int]()

    def visit(node: int) -> None:
        if node in seen:
            return
        seen.add(node)
        rows[layers[node]].append(node)
        for number in into[node]:
            source = paths[number][0]
            for layer, stop in enumerate(paths[number][1:-1], layers[source] + 1):
                rows[layer].append(stop)
            visit(source)

    for node in reversed(range(count)):
        visit(node)
    return paths, rows


def _untangled(rows: list[list[int]], links: Edges) -> list[list[int]]:
    """Each in the middle of its neighbours in the layer before, and back again; the best order on the way stays."""
    best, least = rows, _crossings(rows, links)
    before, after = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for one, other in links:
        before[other].append(one)
        after[one].append(other)
    for sweep in range(SWEEPS):
        if not least:
            break
        rows = [list(row) for row in rows]
        forth = sweep % 2 == 0
        beside, way = (before, rows) if forth else (after, rows[::-1])
        for fixed, row in pairwise(way):
            at = {node: place for place, node in enumerate(fixed)}
            own = {node: place for place, node in enumerate(row)}
            row.sort(key=lambda node: _mean([at[each] for each in beside[node] if each in at], own[node]))
        if (now := _crossings(rows, links)) < least:
            best, least = rows, now
    return best


def _mean(found: Sequence[float], otherwise: float) -> float:
    return sum(found) / len(found) if found else otherwise


def _crossings(rows: list[list[int]], links: Edges) -> int:
    at = {node: place for row in rows for place, node in enumerate(row)}
    layer = {node: number for number, row in enumerate(rows) for node in row}
    between = defaultdict[int, list[tuple[int, int]]](list)
    for one, other in links:
        between[layer[one]].append((at[one], at[other]))
    found = 0
    for pairs in between.values():
        ends: list[int] = []
        for _, end in sorted(pairs):
            found += len(ends) - bisect_right(ends, end)
            insort(ends, end)
    return found


def _slots(rows: list[list[int]], links: Edges, count: int) -> list[float]:
    """Each as near as may be to the mean of its neighbours, the order of its layer kept."""
    beside = defaultdict[int, list[int]](list)
    for one, other in links:
        beside[one].append(other)
        beside[other].append(one)
    room = [1.0 if node < count else PASSING for node in range(sum(map(len, rows)))]
    slots = [0.0] * len(room)

    def settle(row: list[int], wanted: list[float]) -> None:
        offsets = [0.0]
        for one, other in pairwise(row):
            offsets.append(offsets[-1] + (room[one] + room[other]) / 2)
        rising = _rising([want - offset for want, offset in zip(wanted, offsets, strict=True)])
        for node, place, offset in zip(row, rising, offsets, strict=True):
            slots[node] = place + offset

    for row in rows:
        settle(row, [-(len(row) - 1) / 2] * len(row))
    for sweep in range(2 * SWEEPS):
        for row in rows if sweep % 2 else rows[::-1]:
            settle(row, [_mean([slots[each] for each in beside[node]], slots[node]) for node in row])
    first = min(slots)
    return [round(slot - first, 3) for slot in slots]


def _rising(wanted: list[float]) -> list[float]:
    """The nearest numbers, in squares, that do not fall: neighbours that would are given their mean."""
    pools: list[list[float]] = []
    for want in wanted:
        pools.append([want, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (one, size), (other, more) = pools[-2:]
            pools[-2:] = [[(one * size + other * more) / (size + more), size + more]]
    return [mean for mean, size in pools for _ in range(int(size))]
