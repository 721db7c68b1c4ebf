"""Vector growth: an array that grows by push_back, its three pointers, and what moving costs.

A vector is three addresses: where its items begin, where they end, and where its block ends. When the block is
full, a larger one is taken from the heap, the items are copied, and the old block is freed. The rule for the new
capacity decides how many items a push writes on average, how much room stays unused, and whether freed blocks can
be used again. The heap is a plain one: it gives the lowest free place that is large enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

import numpy as np

from labs.bits.vector_growth.growth import Heap, grown
from labs.contract import Event, Float32, Int32, Interval, Label, Sentence, say

POSTER = 31


@dataclass(frozen=True)
class Params:
    pushes: Annotated[int, Interval(ge=1, le=64), Label("Items pushed")] = 20
    growth: Annotated[
        Literal["double", "half_more", "a_few_more", "python_list"],
        Label("A full block grows", help="libstdc++ doubles, MSVC adds half, CPython an eighth and a few."),
    ] = "double"
    more: Annotated[
        int, Interval(ge=1, le=16), Label("A few more", help="How many that choice adds.", unit="items")
    ] = 4
    reserve: Annotated[int, Interval(ge=0, le=64), Label("Reserved at first", unit="items")] = 0
    keep_pointer: Annotated[
        bool,
        Label("Keep a pointer to item 0", group="Mistakes", help="Takes &v[0] after the first push and keeps it."),
    ] = False


@dataclass(frozen=True)
class Block:
    """A stretch of the heap, in items."""

    begin: int
    size: int
    items: int
    """How many of its places hold an item."""
    state: Literal["live", "left", "free"]
    """The vector's own, the one it is leaving, or given back."""


@dataclass(frozen=True, kw_only=True)
class Push(Event):
    """A push, or a part of one that has to grow. Addresses count items from the bottom of the heap."""

    kind: Literal["push"] = "push"
    stage: Literal["push", "allocate", "copy", "free"]
    item: int
    """The item that is being pushed, counted from 0; before the first one −1."""
    blocks: list[Block]
    """In the order of their addresses."""
    begin: int | None
    """The three pointers; None before there is a block."""
    end: int | None
    limit: int | None
    """The end of the capacity."""
    pointer: int | None
    """The pointer to item 0 that was kept."""
    dangling: bool
    """Whether it points to a block that was given back."""
    heap: int
    """Places of the heap up to the highest address that is in use at any time of the run."""
    size: int
    capacity: int
    copies: int
    """Items copied so far, because blocks were left."""
    moves: int
    """How often the vector has got another block, the first one not counted."""
    reused: int
    """How many of its blocks lie where it had freed others before."""
    cost: Int32
    """[size] items written by each push so far: itself, and the copies."""
    means: Float32
    """[size] items written a push, on average over the pushes up to each."""
    mean: float
    """The last of them, 0 before the first push."""


@dataclass
class Vector:
    """What a push changes."""

    heap: Heap = field(default_factory=Heap)
    begin: int | None = None
    size: int = 0
    capacity: int = 0
    pointer: int | None = None
    copies: int = 0
    moves: int = 0
    reused: int = 0
    cost: list[int] = field(default_factory=list)

    def picture(
        self, stage: Literal["push", "allocate", "copy", "free"], text: Sentence, left: Block | None = None
    ) -> Push:
        begin = self.begin
        blocks = [Block(at, size, 0, "free") for at, size in self.heap.gaps()]
        if begin is not None:
            blocks.append(Block(begin, self.capacity, 0 if stage == "allocate" else self.size, "live"))
        blocks += [left] if left else []
        return Push(
            text=text,
            stage=stage,
            item=len(self.cost) - (stage == "push"),
            blocks=sorted(blocks, key=lambda block: block.begin),
            begin=begin,
            end=None if begin is None else begin + (0 if stage == "allocate" else self.size),
            limit=None if begin is None else begin + self.capacity,
            pointer=self.pointer,
            dangling=self.pointer is not None and self.pointer not in self.heap.live,
            heap=self.heap.top,
            size=self.size,
            capacity=self.capacity,
            copies=self.copies,
            moves=self.moves,
            reused=self.reused,
            cost=np.array(self.cost, np.int32),
            means=(np.cumsum(self.cost) / np.arange(1, len(self.cost) + 1)).astype(np.float32),
            mean=sum(self.cost) / len(self.cost) if self.cost else 0.0,
        )


def run(params: Params) -> Iterator[Push]:
    pictures = list(steps(params))
    for picture in pictures:
        yield replace(picture, heap=pictures[-1].heap)  # one scale for all of them


def steps(params: Params) -> Iterator[Push]:
    vector = Vector()
    if params.reserve:
        vector.capacity = params.reserve
        vector.begin = vector.heap.allocate(params.reserve)
        yield vector.picture(
            "push", say("Room for {} is reserved, and nothing has been pushed.", items(params.reserve))
        )
    for item in range(params.pushes):
        copied = vector.size if vector.size == vector.capacity else 0
        if vector.size == vector.capacity:
            yield from grow(vector, params)
        vector.size += 1
        vector.cost.append(1 + copied)
        if params.keep_pointer and vector.pointer is None:
            vector.pointer = vector.begin
        yield vector.picture("push", tell_push(vector, item))


def grow(vector: Vector, params: Params) -> Iterator[Push]:
    """Take a larger block, copy the items, give the old block back."""
    old, size, full = vector.begin, vector.size, vector.capacity
    before = vector.heap.top
    vector.capacity = grown(params.growth, full, size + 1, params.more)
    vector.begin = vector.heap.allocate(vector.capacity)
    left = None if old is None else Block(old, full, size, "left")
    again = vector.begin < before and old is not None
    vector.reused += again
    where = "in memory that was freed before" if again else "beyond all memory used so far"
    why = "The block is full" if old is not None else "There is no block yet"
    yield vector.picture(
        "allocate",
        say("{}: one for {} is allocated, at address {}, {}.", why, items(vector.capacity), vector.begin, where),
        left,
    )
    if old is None:
        return
    vector.moves += 1
    vector.copies += size
    yield vector.picture("copy", say("{} copied, {} so far.", items(size, "is", "are"), vector.copies), left)
    vector.heap.free(old)
    lost = "; the pointer that was kept still points there" if vector.pointer == old else ""
    free = sum(length for at, length in vector.heap.gaps() if at <= old < at + length)
    yield vector.picture("free", say("The old block is freed: the gap there has room for {}{}.", items(free), lost))


def tell_push(vector: Vector, item: int) -> Sentence:
    room = vector.capacity - vector.size
    text = say("Item {} is written, which leaves {} of {} places free", item, room, vector.capacity)
    mean = say("{:.2f} items written per push", sum(vector.cost) / len(vector.cost))
    if vector.pointer is not None and vector.pointer not in vector.heap.live:
        return say("{}; the average is {}, and the kept pointer leads to memory that has been freed.", text, mean)
    return say("{}; the average is {}.", text, mean)


def items(count: int, one: str = "", more: str = "") -> Sentence:
    noun, verb = ("item", one) if count == 1 else ("items", more)
    return say("{} {} {}", count, noun, verb) if verb else say("{} {}", count, noun)
