"""The allocator against another that knows nothing but which byte is whose, and against closed forms."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.bits.heap_allocator import Params, Pattern, State, plan, run
from labs.bits.heap_allocator.allocator import Allocator, Policy
from labs.contract import LabError

POLICIES = get_args(Policy)
any_params = st.builds(
    Params,
    pattern=st.sampled_from([each for each in get_args(Pattern) if each != "written"]),
    seed=st.integers(0, 999),
    requests=st.integers(5, 120),
    heap=st.integers(256, 8192),
    policy=st.sampled_from(POLICIES),
    alignment=st.sampled_from([1, 8, 16, 32]),
    header=st.integers(0, 32),
    smallest=st.integers(1, 256),
    never_merge=st.booleans(),
)


class Bytes:
    """A heap as a list of bytes: whose each is, and where somebody cut."""

    def __init__(self, params: Params) -> None:
        self.params, self.owner = params, [""] * params.heap
        self.cuts, self.rover = {0, params.heap}, 0

    def holes(self) -> Iterator[tuple[int, int]]:
        """Where free runs begin and end: at another owner's byte, or at a cut where cuts stay."""
        start = None
        for at in range(self.params.heap + 1):
            free = at < self.params.heap and not self.owner[at]
            if start is not None and (not free or (self.params.never_merge and at in self.cuts)):
                yield start, at
                start = None
            if free and start is None:
                start = at

    def malloc(self, asked: int, owner: str) -> int | None:
        need = asked + self.params.header
        while need % self.params.alignment:
            need += 1
        found = [(start, end) for start, end in self.holes() if end - start >= need]
        if not found:
            return None
        size = {"best": lambda h: (h[1] - h[0], h[0]), "worst": lambda h: (h[0] - h[1], h[0])}
        rank = {**size, "first": lambda h: h[0], "next": lambda h: (h[1] <= self.rover, h[0])}
        start, end = min(found, key=rank[self.params.policy])
        if end - start - need < self.params.smallest:
            need = end - start
        self.owner[start : start + need] = [owner] * need
        self.cuts |= {start, start + need}
        self.rover = start + need
        return start

    def free(self, owner: str) -> None:
        self.owner = ["" if each == owner else each for each in self.owner]


@settings(max_examples=40)
@given(any_params)
def test_an_allocator_of_single_bytes_gives_the_same_places(params: Params) -> None:
    other, refused = Bytes(params), set[str]()
    for request, state in zip(plan(params), list(run(params))[1:], strict=True):
        if request.size:
            place = other.malloc(request.size, request.owner)
            assert state.chosen == (-1 if place is None else place)
            assert (state.stage == "failed") == (place is None)
            refused |= {request.owner} if place is None else set()
        elif request.owner not in refused:
            other.free(request.owner)
        ends = [int(start + size) for start, size in zip(state.starts, state.sizes, strict=True)]
        owners = [owner for owner, size in zip(state.owners, state.sizes, strict=True) for _ in range(size)]
        assert owners == other.owner
        assert [int(start) for start in state.starts] == [0, *ends[:-1]] and ends[-1] == params.heap
        holes = list(other.holes())
        assert (state.free_blocks, state.failed) == (len(holes), len(refused))
        assert state.largest_free == max((end - start for start, end in holes), default=0)


@settings(max_examples=40)
@given(any_params)
def test_what_is_counted_adds_up(params: Params) -> None:
    for state in run(params):
        used = [owner != "" for owner in state.owners]
        assert state.free_bytes + int(state.sizes[used].sum()) == state.heap
        assert 0 <= state.external <= 1 and 0 <= state.internal <= 1
        assert all(state.asked[used] > 0) and not any(state.asked[[not each for each in used]])
        assert all(state.sizes[used] >= state.asked[used] + params.header)
        assert int(state.used_over_time[-1]) == state.heap - state.free_bytes
        assert len(state.used_over_time) == state.requests + 1 <= state.steps + 1
        if not params.never_merge:
            assert not any(not one and not other for one, other in itertools.pairwise(used))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("heap", [512, 2048, 8192])
def test_every_second_block_freed_leaves_half_and_no_place_for_two(policy: Policy, heap: int) -> None:
    """n equal blocks fill the heap, n/2 of them are freed: 1 - 2/n of the free bytes lie apart."""
    *_, before, end = run(Params(pattern="every other", heap=heap, policy=policy))
    blocks = len(before.owners)
    assert (before.free_bytes, before.free_blocks) == (heap // 2, blocks // 2)
    assert before.external == pytest.approx(1 - 2 / blocks)
    assert end.stage == "failed" and "no piece of them is large enough" in end.text


def test_the_policies_differ_where_the_books_say() -> None:
    written = "a100 b16 c60 d16 e300 f16 -a -c -e g56"  # three holes, of 112, 80 and 320 bytes
    places = {}
    for policy in POLICIES:
        *_, end = run(Params(pattern="written", written=written, policy=policy, heap=1024))
        places[policy] = end.chosen
    assert places == {"first": 0, "best": 144, "worst": 608, "next": 608}


def test_without_merging_an_empty_heap_refuses_what_fits() -> None:
    written = "a500 b500 c500 d400 -a -b -c -d e1000"
    *_, apart = run(Params(pattern="written", written=written, never_merge=True))
    *_, merged = run(Params(pattern="written", written=written))
    assert apart.stage == "failed" and apart.free_bytes == apart.heap and apart.external > 0.7
    assert merged.stage == "malloc"


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("a", "'a' is neither"),
        ("a0", "neither"),
        ("-a4", "neither"),
        ("-a", "ask for it first"),
        ("a4 a5", "already"),
    ],
)
def test_what_is_wrong_with_a_list_is_said(written: str, words: str) -> None:
    with pytest.raises(LabError, match=words):
        list(run(Params(pattern="written", written=written)))


def test_an_allocator_asked_to_free_what_nobody_has() -> None:
    with pytest.raises(KeyError):
        Allocator(100, "first").free("a")


def test_the_sentence_says_how_it_was_found() -> None:
    texts = [state.text for state in run(Params(pattern="written", written="a40 b40 -a c90", policy="first"))]
    assert texts[1] == "malloc(40) for a takes 48 bytes at 0, with 1 free block looked at."
    assert re.search(r"^free\(a\) leaves 48 free bytes at 0\.$", texts[3])
    assert texts[4] == "malloc(90) for c takes 112 bytes at 96, with 2 free blocks looked at."
    assert isinstance(next(run(Params())), State)
