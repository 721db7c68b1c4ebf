"""Heap allocator: requests come and go, a policy finds each a place, and the holes between them decide what fits.

One strip of bytes serves a pattern of malloc and free. Every picture is the whole strip after one request: blocks
with their headers and padding, the free blocks that the search looked at, and two kinds of waste. Bytes inside of
blocks that nobody asked for are internal fragmentation; free bytes that lie in pieces too small are external.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from labs.bits.heap_allocator.allocator import Allocator, Block, Policy, Search
from labs.contract import Event, Int32, Interval, Label, LabError, Sentence, Text, say

Pattern = Literal["mixed", "short and long lives", "every other", "growing", "written"]
SCRIPT = "a200 b80 c200 d80 -a -c e100 f250"

POSTER = 50


@dataclass(frozen=True)
class Params:
    pattern: Annotated[
        Pattern,
        Label("Requests", help="written: those typed below; the others are made from the seed.", main=True),
    ] = "mixed"
    written: Annotated[str, Text(200), Label("Written", help="a40 asks for 40 bytes as a; -a frees them.")] = SCRIPT
    seed: Annotated[int, Interval(ge=0, le=999), Label("Seed")] = 4
    requests: Annotated[int, Interval(ge=5, le=250), Label("How many", unit="requests")] = 80
    heap: Annotated[int, Interval(ge=256, le=8192), Label("Heap", unit="bytes")] = 2048
    policy: Annotated[
        Policy,
        Label(
            "Policy",
            help="First hole that fits (next: from where the last search ended), the tightest, the largest.",
            main=True,
        ),
    ] = "first"
    alignment: Annotated[Literal[1, 8, 16, 32], Label("Alignment", unit="bytes")] = 16
    header: Annotated[
        int, Interval(ge=0, le=32), Label("Header", unit="bytes", help="In front of each block, for its size.")
    ] = 8
    smallest: Annotated[
        int,
        Interval(ge=1, le=256),
        Label("Split off at least", unit="bytes", help="A smaller remainder stays with its block."),
    ] = 16
    never_merge: Annotated[
        bool, Label("Never merge neighbours", help="Free blocks stay as they were cut.", group="Mistakes")
    ] = False


@dataclass(frozen=True)
class Request:
    owner: str
    size: int
    """0 where it frees."""


@dataclass(frozen=True, kw_only=True)
class State(Event):
    """The heap after one request."""

    kind: Literal["state"] = "state"
    stage: Literal["malloc", "free", "failed", "start"]
    heap: int
    starts: Int32
    """[blocks] where each begins, bytes"""
    sizes: Int32
    """[blocks] with header and padding, bytes"""
    asked: Int32
    """[blocks] what its owner asked for; 0 where it is free"""
    owners: list[str]
    """[blocks] empty where it is free"""
    header: int
    chosen: int
    """The start of the block that was taken or freed; -1 if there is none."""
    looked_at: Int32
    """[free blocks] starts of those that the search looked at, in order"""
    free_bytes: int
    largest_free: int
    free_blocks: int
    external: float
    """The share of the free bytes that does not lie in the largest free block."""
    internal: float
    """The share of the used bytes that nobody asked for."""
    failed: int
    """Requests so far that found no place."""
    requests: int
    """Requests so far."""
    looks: float
    """Free blocks looked at for each malloc so far, on average."""
    used_over_time: Int32
    """[requests so far + 1] bytes taken after each"""
    asked_over_time: Int32
    """[requests so far + 1] bytes that their owners asked for"""
    largest_over_time: Int32
    """[requests so far + 1] the largest free block"""
    steps: int
    """Requests in the whole run."""


def run(params: Params) -> Iterator[State]:
    requests = plan(params)
    heap = Allocator(
        params.heap, params.policy, params.alignment, params.header, params.smallest, not params.never_merge
    )
    history = [snapshot(heap)]
    refused, looks, mallocs = set[str](), 0, 0

    def state(
        text: Sentence, stage: Literal["malloc", "free", "failed", "start"], chosen: int, looked: list[int]
    ) -> State:
        used, asked, largest = map(list, zip(*history, strict=True))
        free = [block.size for block in heap.blocks if not block.owner]
        return State(
            text=text,
            stage=stage,
            heap=heap.size,
            starts=np.array([block.start for block in heap.blocks], np.int32),
            sizes=np.array([block.size for block in heap.blocks], np.int32),
            asked=np.array([block.asked for block in heap.blocks], np.int32),
            owners=[block.owner for block in heap.blocks],
            header=heap.header,
            chosen=chosen,
            looked_at=np.array(looked, np.int32),
            free_bytes=sum(free),
            largest_free=max(free, default=0),
            free_blocks=len(free),
            external=1 - max(free) / sum(free) if free else 0.0,
            internal=1 - asked[-1] / used[-1] if used[-1] else 0.0,
            failed=len(refused),
            requests=len(history) - 1,
            looks=looks / mallocs if mallocs else 0.0,
            used_over_time=np.array(used, np.int32),
            asked_over_time=np.array(asked, np.int32),
            largest_over_time=np.array(largest, np.int32),
            steps=len(requests),
        )

    yield state(say("A heap of {:,} bytes, all in one free block.", heap.size), "start", -1, [])
    for request in requests:
        if request.size:
            search = heap.malloc(request.size, request.owner)
            mallocs, looks = mallocs + 1, looks + len(search.looked_at)
            if search.block is None:
                refused.add(request.owner)
            history.append(snapshot(heap))
            stage: Literal["malloc", "failed"] = "malloc" if search.block else "failed"
            chosen = search.block.start if search.block else -1
            yield state(tell_malloc(heap, request, search), stage, chosen, search.looked_at)
        elif request.owner in refused:
            history.append(snapshot(heap))
            yield state(
                say("free({}): it never got a place, so there is nothing to free.", request.owner), "free", -1, []
            )
        else:
            count = len(heap.blocks)
            block = heap.free(request.owner)
            history.append(snapshot(heap))
            yield state(tell_free(request, block, count - len(heap.blocks)), "free", block.start, [])


def snapshot(heap: Allocator) -> tuple[int, int, int]:
    used = sum(block.size for block in heap.blocks if block.owner)
    largest = max((block.size for block in heap.blocks if not block.owner), default=0)
    return used, sum(block.asked for block in heap.blocks), largest


def tell_malloc(heap: Allocator, request: Request, search: Search) -> Sentence:
    looked = say("{} free {} looked at", len(search.looked_at), "block" if len(search.looked_at) == 1 else "blocks")
    call = say("malloc({}) for {}", request.size, request.owner)
    if search.block:
        return say("{} takes {} bytes at {}, with {}.", call, search.block.size, search.block.start, looked)
    free = sum(block.size for block in heap.blocks if not block.owner)
    need = heap.need(request.size)
    if free >= need:
        return say(
            "{} fails: it needs {} bytes, {} are free, and no piece of them is large enough.", call, need, free
        )
    return say("{} fails: it needs {} bytes, and {} are free.", call, need, free)


def tell_free(request: Request, block: Block, merged: int) -> Sentence:
    joined = ("", ", merged with one free neighbour", ", merged with both neighbours")[merged]
    return say("free({}) leaves {} free bytes at {}{}.", request.owner, block.size, block.start, joined)


# -- what is asked for --------------------------------------------------------------------------------------


def plan(params: Params) -> list[Request]:
    if params.pattern == "written":
        return read(params.written)
    rng = random.Random(params.seed)
    names = (f"{letter}{number or ''}" for number in range(99) for letter in "abcdefghijklmnopqrstuvwxyz")
    if params.pattern == "every other":
        return every_other(params, names)
    living: list[tuple[str, float]] = []  # with when they go
    made: list[Request] = []
    while len(made) < params.requests:
        now = len(made)
        due = [name for name, end in living if end <= now]
        if due:
            living = [each for each in living if each[0] != due[0]]
            made.append(Request(due[0], 0))
            continue
        name = next(names)
        size, life = draw(params.pattern, rng, now / params.requests)
        living.append((name, now + life))
        made.append(Request(name, size))
    return made


def draw(pattern: Pattern, rng: random.Random, progress: float) -> tuple[int, float]:
    """Size and lifetime of the next request."""
    if pattern == "growing":
        return int(16 + 180 * progress + rng.uniform(0, 16)), rng.expovariate(1 / 14)
    if pattern == "short and long lives":
        long = rng.random() < 0.25
        return (rng.randint(8, 40), 1000.0) if long else (rng.randint(40, 260), rng.uniform(2, 8))
    return round(8 * 2 ** rng.uniform(0, 5)), rng.expovariate(1 / 30)


def every_other(params: Params, names: Iterator[str]) -> list[Request]:
    """Fill the heap with small blocks, free every second one, and ask for two at once."""
    room = max(2 * params.alignment, params.heap // 64, params.header + 1)
    need = -(-room // params.alignment) * params.alignment
    owners = [next(names) for _ in range(params.heap // need)]
    small = [Request(owner, need - params.header) for owner in owners]
    gone = [Request(owner, 0) for owner in owners[::2]]
    return [*small, *gone, Request(next(names), 2 * need - params.header)]


def read(written: str) -> list[Request]:
    """Raises ``LabError`` on what is neither a request nor a name that can be freed."""
    made: list[Request] = []
    living: set[str] = set()
    for word in written.split():
        found = re.fullmatch(r"-([a-z])|([a-z])([1-9]\d{0,4})", word)
        if not found:
            raise LabError(f"{word!r} is neither a request such as a40 nor a free such as -a.")
        owner, size = found[1] or found[2], int(found[3] or 0)
        if size and owner in living:
            raise LabError(f"{owner} has its bytes already: free them first with -{owner}, or take another letter.")
        if not size and owner not in living:
            raise LabError(f"{word} frees what {owner} does not have: ask for it first, as in {owner}40.")
        living ^= {owner}
        made.append(Request(owner, size))
    return made
