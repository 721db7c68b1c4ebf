"""Who is alive where: a name is, from each place where it is set to each place where that value is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.bits.register_allocation.flat import Block


@dataclass(frozen=True)
class Visit:
    """One block looked at; the sets are what is known so far."""

    block: int
    sweep: int
    before: list[frozenset[str]]
    """Of each block, what is alive at its start."""
    after: list[frozenset[str]]
    changed: bool


def needed(block: Block, after: frozenset[str]) -> frozenset[str]:
    alive = set(after)
    for line in reversed(block.lines):
        alive.discard(line.result)
        alive |= set(line.uses)
    return frozenset(alive)


def liveness(blocks: list[Block], one_sweep: bool = False, first_way: bool = False) -> Iterator[Visit]:
    """From the last block to the first, again and again until nothing changes.

    Two mistakes to try: to stop after one sweep, and to look along the first way of a branch alone.
    """
    before, after = [frozenset[str]()] * len(blocks), [frozenset[str]()] * len(blocks)
    sweep, changed = 0, True
    while changed:
        changed, sweep = False, sweep + 1
        for number in reversed(range(len(blocks))):
            ways = blocks[number].successors[: 1 if first_way else None]
            after[number] = frozenset[str]().union(*(before[way] for way in ways))
            found = needed(blocks[number], after[number])
            news = found != before[number]
            before[number] = found
            changed = changed or news
            yield Visit(number, sweep, list(before), list(after), news)
        if one_sweep:
            return


def through(block: Block, after: frozenset[str]) -> list[set[str]]:
    """What is alive behind each line."""
    found, alive = [], set(after)
    for line in reversed(block.lines):
        found.append(set(alive))
        alive.discard(line.result)
        alive |= set(line.uses)
    return found[::-1]
