"""Runs a program as it is written, and fused, and compares the numbers and where each of them came from.

Every read is also asked for the write that it sees. An order is right for all inputs exactly if each read sees the
same write as before, and what is left at the end was written by the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from labs.compilers.slicing_fusion.slices import Plan, counts
from labs.compilers.slicing_fusion.spaces import Array, Bools, Ints, Numbers, Space, World, evaluate

NOBODY = -1


@dataclass
class Store:
    """An array while it is run on: its numbers, and the instance that wrote each of them."""

    numbers: Numbers
    writer: Ints

    @staticmethod
    def of(array: Array) -> Store:
        return Store(array.start.copy(), np.full(array.size, NOBODY, np.intp))


@dataclass(frozen=True)
class Fault:
    """A read that sees another write than in the program as it is written."""

    nest: int
    instance: int
    array: str
    element: int
    expected: int
    """The instance that should have written it; -1 for none."""
    found: int


@dataclass
class Run:
    stores: dict[str, Store]
    seen: dict[tuple[int, int], Ints] = field(default_factory=dict)
    """By nest and read: [instances] the writer that each saw."""
    faults: list[Fault] = field(default_factory=list)
    work: int = 0
    """Operations."""


def straight(world: World) -> Run:
    """Nest after nest."""
    run = Run({name: Store.of(array) for name, array in world.arrays.items()})
    for number, space in enumerate(world.spaces):
        _perform(world, run, number, np.arange(len(space.at)), run.stores, None)
    return run


def fused(world: World, plan: Plan, expected: Run, buffers: set[str], alone: set[int], keep: bool) -> Run:
    """Nests in ``alone`` first, then tile after tile. Each tile has new buffers, unless all ``keep`` one."""
    run = Run({name: Store.of(array) for name, array in world.arrays.items()})
    for number in sorted(alone):
        _perform(world, run, number, np.arange(len(world.spaces[number].at)), run.stores, expected)
    order = sorted(plan.slices)
    borders = {}
    for number in order:
        runs = counts(plan.slices[number].pairs, len(world.spaces[number].at), plan.tiles)
        borders[number] = np.concatenate([[0], np.cumsum(runs)])
    stores = run.stores | {name: Store.of(world.arrays[name]) for name in buffers}
    for tile in range(plan.tiles):
        if not keep:
            stores |= {name: Store.of(world.arrays[name]) for name in buffers}
        for number in order:
            begin, end = borders[number][tile : tile + 2]
            instances = plan.slices[number].pairs[begin:end] % len(world.spaces[number].at)
            if len(instances):
                _perform(world, run, number, instances, stores, expected)
    return run


def _perform(
    world: World, run: Run, number: int, instances: Ints, stores: dict[str, Store], expected: Run | None
) -> None:
    """Some instances of a nest, in their order; one by one where they read what they write."""
    space = world.spaces[number]
    run.work += space.operations * len(instances)
    if any(array == space.nest.array for array, _ in space.reads):
        for instance in instances:
            _at_once(world, run, number, np.array([instance]), stores, expected)
    else:
        _at_once(world, run, number, instances, stores, expected)


def _at_once(
    world: World, run: Run, number: int, instances: Ints, stores: dict[str, Store], expected: Run | None
) -> None:
    space = world.spaces[number]
    _look(run, number, space, instances, stores, expected)
    names = {name: space.at[instances, i] for i, name in enumerate(space.nest.variables)}
    names |= {name: np.full(len(instances), value) for name, value in world.program.numbers.items()}
    places = {id(each): elements for each, (_, elements) in zip(space.nest.reads, space.reads, strict=True)}
    with np.errstate(all="ignore"):
        value = evaluate(
            space.nest.value,
            names,
            len(instances),
            lambda each: stores[each.name].numbers[places[id(each)][instances]],
        )
        into, target = stores[space.nest.array], space.writes[instances]
        if space.nest.how == "=":
            into.numbers[target] = value
        else:  # one after the other, as loops do
            (np.add if space.nest.how == "+=" else np.maximum).at(into.numbers, target, value)
    into.writer[target] = number * 10_000 + instances


def _look(
    run: Run, number: int, space: Space, instances: Ints, stores: dict[str, Store], expected: Run | None
) -> None:
    """Whose write each read sees."""
    for place, (array, elements) in enumerate(space.reads):
        found = stores[array].writer[elements[instances]]
        if expected is None:
            seen = run.seen.setdefault((number, place), np.full(len(space.at), NOBODY, np.intp))
            seen[instances] = found
            continue
        wanted = expected.seen[number, place][instances]
        for at in np.flatnonzero(found != wanted)[:1]:
            element = int(elements[instances[at]])
            run.faults.append(Fault(number, int(instances[at]), array, element, int(wanted[at]), int(found[at])))


def differ(left: Numbers, right: Numbers) -> Bools:
    """Bit for bit, but one NaN is as good as another."""
    return np.asarray((left != right) & ~(np.isnan(left) & np.isnan(right)))
