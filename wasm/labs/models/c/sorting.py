"""qsort and bsearch, which ask a function of the program about two items."""

from __future__ import annotations

from functools import cmp_to_key
from typing import TYPE_CHECKING

from labs.models.c.code import Instruction
from labs.models.c.known import ANY, takes
from labs.models.c.memory import Memory, Pointer, moved
from labs.models.c.types import INT, UNSIGNED_LONG, VOID
from labs.models.c.types import Pointer as PointerTo

if TYPE_CHECKING:
    from labs.models.c.machine import Machine

ORDER = takes(INT, ANY, ANY)
SORTING = {
    "qsort": takes(VOID, ANY, UNSIGNED_LONG, UNSIGNED_LONG, PointerTo(ORDER)),
    "bsearch": takes(ANY, ANY, ANY, UNSIGNED_LONG, UNSIGNED_LONG, PointerTo(ORDER)),
}


def sort(machine: Machine, call: Instruction, base: int, count: int, size: int, order: int) -> None:
    if not count * size:
        return
    routine = machine.pointed(order, ORDER)

    def compare(one: int, other: int) -> int:
        pair = moved(base, one * size), moved(base, other * size)
        return int(machine.answer(routine, list(pair), call)) if machine.exit is None else 0

    rearrange(machine.memory, base, size, sorted(range(count), key=cmp_to_key(compare)))


def rearrange(memory: Memory, base: int, size: int, order: list[int]) -> None:
    """Items in another order, with what is known of them, and of where their pointers come from."""
    block = memory.block_at(base)
    if memory.checked:
        block, _ = memory.check(base, size * len(order), "write")
    if not block:
        return
    first = int(base) - block.start
    data, known, origins = bytes(block.data), bytes(block.known), dict(block.origins)
    memory.write(base, data[first : first + size * len(order)])
    for place, item in enumerate(order):
        to, source = first + place * size, first + item * size
        block.data[to : to + size], block.known[to : to + size] = (
            data[source : source + size],
            known[source : source + size],
        )
        block.origins |= {to + at - source: of for at, of in origins.items() if source <= at < source + size}


def search(machine: Machine, call: Instruction, key: int, base: int, count: int, size: int, order: int) -> Pointer:
    routine = machine.pointed(order, ORDER)
    low, high = 0, count
    while low < high and machine.exit is None:
        middle = (low + high) // 2
        item = moved(base, middle * size)
        found = int(machine.answer(routine, [key, item], call))
        if not found:
            return item
        low, high = (low, middle) if found < 0 else (middle + 1, high)
    return Pointer(0, None)
