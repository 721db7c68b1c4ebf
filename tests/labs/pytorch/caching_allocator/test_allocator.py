"""The allocator against one that knows intervals alone, and against what must always hold.

What the real one does is known from a snapshot of a GPU; until there is one, its source is the reference."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from gaps import Gaps
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.models.allocator.blocks import ALLOCATED, FREE, MIB, UNMAPPED, rounded, segment_size
from labs.pytorch.caching_allocator.allocator import LAG, Allocator

sizes = st.one_of(st.integers(1, 3000), st.integers(1, 2 * MIB), st.integers(MIB, 70 * MIB))
orders = st.lists(
    st.one_of(
        st.tuples(st.just("malloc"), sizes, st.integers(0, 1), st.booleans()),
        st.tuples(st.just("free"), st.integers(0)),
    ),
    max_size=90,
)
settings_of = st.fixed_dictionaries(
    {
        "limit": st.integers(16, 300).map(lambda n: 2 * n * MIB),
        "expandable": st.booleans(),
        "max_split": st.sampled_from([None, None, 24 * MIB, 48 * MIB]),
        "threshold": st.sampled_from([0.0, 0.0, 0.3, 0.7]),
    }
)


def follow(allocator: Allocator, gaps: Gaps | None, order: list[tuple[Any, ...]]) -> Any:
    living: list[int] = []
    for owner, (what, *rest) in enumerate(order):
        served = None
        if what == "malloc":
            size, stream, shared = rest
            did = allocator.malloc(size, owner, stream)
            served = bool(did.block)
            if served:
                living.append(owner)
                if shared:
                    allocator.record_stream(owner, 1 - stream)
            if gaps:
                assert gaps.malloc(size, owner, stream) == served
                if served and shared:
                    gaps.shared.add(owner)
        elif living:
            gone = living.pop(rest[0] % len(living))
            allocator.free(gone)
            if gaps:
                gaps.free(gone)
        yield


SIZES = [700, 2000, 30_000, 400_000, *(n * MIB for n in (2, 3, 7, 9, 11, 13, 24, 25, 31, 50, 52, 75))]


def drawn(seed: int) -> tuple[dict[str, Any], list[tuple[Any, ...]]]:
    """Few sizes, so that blocks are used again, and phases in which much is freed."""
    rng = random.Random(seed)
    made = {
        "limit": rng.choice([200, 300, 400, 600]) * MIB,
        "expandable": seed % 3 == 0,
        "max_split": rng.choice([None, 24 * MIB, 48 * MIB]),
        "threshold": rng.choice([0.0, 0.2, 0.5]),
    }
    order: list[tuple[Any, ...]] = []
    for n in range(220):
        if rng.random() < (0.3 if n // 30 % 2 else 0.65):
            stream = int(rng.random() < 0.2)
            order.append(("malloc", rng.choice(SIZES), stream, rng.random() < 0.1))
        else:
            order.append(("free", rng.randrange(1000)))
    return made, order


@pytest.mark.parametrize("seed", range(60))
def test_the_same_places_where_blocks_are_used_again(seed: int) -> None:
    same_places(*drawn(seed))


@settings(max_examples=60, deadline=None)
@given(settings_of, orders)
def test_gaps_between_intervals_give_the_same_places(made: dict[str, Any], order: list[tuple[Any, ...]]) -> None:
    same_places(made, order)


def same_places(made: dict[str, Any], order: list[tuple[Any, ...]]) -> None:
    allocator, gaps = Allocator(**made), Gaps(**made)
    for _ in follow(allocator, gaps, order):
        taken = {(b.owner, b.start, b.end) for s in allocator.segments for b in s.blocks if b.owner >= 0}
        assert taken == {(owner, *where) for owner, where in gaps.used.items()}
        free = [(b.start, b.end) for s in allocator.segments for b in s.blocks if b.state == FREE]
        assert sorted(free) == sorted(run for place in gaps.places for run in gaps.runs(place, mapped=True))
        assert allocator.reserved == gaps.reserved()


@settings(max_examples=50, deadline=None)
@given(settings_of, orders)
def test_what_always_holds(made: dict[str, Any], order: list[tuple[Any, ...]]) -> None:
    allocator = Allocator(**made)
    for _ in follow(allocator, None, order):
        assert allocator.allocated <= allocator.reserved <= allocator.limit
        spans = sorted((s.blocks[0].start, s.blocks[-1].end) for s in allocator.segments)
        assert all(before[1] <= after[0] for before, after in pairwise(spans))
        for segment in allocator.segments:
            assert segment.start == segment.blocks[0].start
            for before, after in pairwise(segment.blocks):
                assert before.end == after.start
                assert before.state != after.state or before.state not in (FREE, UNMAPPED)
            assert all(block.size > 0 and block.size % 512 == 0 for block in segment.blocks)
            assert all(block.size >= block.asked for block in segment.blocks if block.state == ALLOCATED)


@pytest.mark.parametrize(
    ("asked", "size", "segment"),
    [
        (1, 512, 2),
        (513, 1024, 2),
        (MIB, MIB, 2),
        (MIB + 1, MIB + 512, 20),
        (10 * MIB - 512, 10 * MIB - 512, 20),
        (10 * MIB, 10 * MIB, 10),
        (63 * MIB, 63 * MIB, 64),
    ],
)
def test_sizes_are_rounded_as_the_header_of_torch_says(asked: int, size: int, segment: int) -> None:
    """kMinBlockSize, kSmallSize, kSmallBuffer, kMinLargeAlloc, kRoundLarge in c10/core/AllocatorConfig.h."""
    assert (rounded(asked), segment_size(size)) == (size, segment * MIB)


def test_a_rest_of_a_large_block_is_split_off_above_one_mib() -> None:
    allocator = Allocator(100 * MIB)
    assert not allocator.malloc(11 * MIB, 0).split  # of 12 MiB
    assert allocator.malloc(18 * MIB, 1).block.size == 18 * MIB  # type: ignore[union-attr]
    assert allocator.malloc(9 * MIB, 2).split
    assert not allocator.malloc(10 * MIB, 3).split  # 11 MiB of 20 are left, and 1 MiB is not more than 1 MiB
    assert allocator.reserved == 50 * MIB


def test_a_block_waits_for_the_other_stream_alone() -> None:
    allocator = Allocator(100 * MIB)
    allocator.malloc(15 * MIB, 0, stream=1)
    allocator.record_stream(0, 0)
    assert allocator.free(0).waits
    assert allocator.malloc(15 * MIB, 1, stream=1).got, "the first block is not free yet"
    assert allocator.malloc(15 * MIB, 2, stream=0).got, "and never for another stream"
    for n in range(LAG):
        allocator.malloc(1, 10 + n)
    assert not allocator.malloc(15 * MIB, 3, stream=1).got


def test_out_of_memory_waits_for_events_and_gives_back_what_is_whole() -> None:
    allocator = Allocator(40 * MIB)
    allocator.malloc(30 * MIB, 0, stream=1)
    allocator.record_stream(0, 0)
    allocator.free(0)
    did = allocator.malloc(40 * MIB, 1)
    assert did.block and did.returned == 30 * MIB
    assert not allocator.malloc(1, 2).block


def test_free_of_what_nobody_has() -> None:
    with pytest.raises(KeyError):
        Allocator(MIB).free(0)
