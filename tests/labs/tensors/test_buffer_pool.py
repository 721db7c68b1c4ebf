"""Buffer pool: the trace against Python's own list of living objects, and the pools against a plain memory that
knows the owner of each byte and, on small cases, against the best of all packings."""

from __future__ import annotations

import gc
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.models.tensor.storage import Storage, allocations
from labs.tensors.buffer_pool import Params, Picture, batches, run
from labs.tensors.buffer_pool.pools import POLICIES, BestFit, Policy, live, plan, pool, serve
from labs.tensors.buffer_pool.trace import KINDS, LINE, Buffer, Network, trace

NETWORKS = [(2, 16, 1, [8, 8]), (3, 24, 2, [20, 7]), (8, 8, 4, [4]), (1, 128, 3, [5, 5, 1])]


@pytest.mark.parametrize(("depth", "width", "keep", "sizes"), NETWORKS)
def test_the_trace_is_what_pythons_collector_sees(depth: int, width: int, keep: int, sizes: list[int]) -> None:
    seen = list[int]()

    def look(new: Storage) -> None:
        if new.numbers.size > 1:
            found = [each for each in gc.get_objects() if isinstance(each, Storage) and each is not new]
            seen.append(sum(rounded(each) for each in found if each.numbers.size > 1))

    gc.collect()
    gc.freeze()  # what there was before is none of ours
    try:
        with allocations(look):
            buffers = trace(Network(depth, width, keep), sizes)
    finally:
        gc.unfreeze()
    own = 2 * (depth + 1)  # the parameters come first, and are not in the trace
    expected = [sum(each.size for each in buffers if each.born < n < (each.died or 0)) for n in range(len(buffers))]
    assert [bytes_ - seen[own] for bytes_ in seen[own:]] == expected
    assert max(expected) > 0


def rounded(storage: Storage) -> int:
    return -(-storage.numbers.nbytes // LINE) * LINE


def test_a_step_asks_for_the_gradients_of_all_parameters() -> None:
    buffers = trace(Network(4, 48, 1), [100])
    copies = [each.size for each in buffers if each.name == "gradient"]
    per_layer = [48 * 48 * 4, 48 * 4]
    assert sorted(copies) == sorted(4 * per_layer + [48 * KINDS * 4, LINE])
    assert {each.died for each in buffers if each.name == "gradient"} == {len(buffers)}


def test_activations_that_are_computed_again_are_not_kept() -> None:
    """Of eight equal layers on a large batch: all nine activations, or four and those of a part."""
    all_kept, some = (max(live(trace(Network(8, 32, keep), [256]))) for keep in (1, 3))
    activation = 256 * 32 * 4
    assert all_kept > 9 * activation
    assert all_kept - some > 2 * activation


def buffers_of(most: int, sizes: int = 40) -> st.SearchStrategy[list[Buffer]]:
    def made(drawn: list[tuple[int, int]]) -> list[Buffer]:
        return [Buffer(size * LINE, n, min(n + life, len(drawn))) for n, (size, life) in enumerate(drawn)]

    return st.lists(st.tuples(st.integers(1, sizes), st.integers(1, 8)), min_size=1, max_size=most).map(made)


@settings(max_examples=60, deadline=None)
@given(buffers_of(30), st.sampled_from(POLICIES), st.booleans())
def test_no_byte_has_two_owners(buffers: list[Buffer], policy: Policy, splits: bool) -> None:
    served = serve(pool(policy, buffers, splits), buffers)
    owner = np.full(served.reserved[-1] // LINE, -1)
    for n, place in enumerate(served.places):
        for gone, each in enumerate(buffers[:n]):
            if each.died == n:
                mine = owner[slice(*lines(served.places[gone].start, served.places[gone].held))]
                assert (mine == gone).all()
                mine[:] = -1
        mine = owner[slice(*lines(place.start, place.held))]
        assert len(mine) * LINE == place.held >= buffers[n].size
        assert (mine == -1).all()
        mine[:] = n
        fresh = served.reserved[n] - (served.reserved[n - 1] if n else 0)
        assert place.hit == (fresh == 0)
    assert served.reserved[-1] >= max(live(buffers))


def lines(start: int, held: int) -> tuple[int, int]:
    return start // LINE, (start + held) // LINE


@settings(max_examples=40, deadline=None)
@given(buffers_of(6, sizes=5))
def test_the_arena_lies_between_the_best_packing_and_twice_it(buffers: list[Buffer]) -> None:
    best = packed(buffers)
    found = max(start + each.size for start, each in zip(plan(buffers), buffers, strict=True))
    assert max(live(buffers)) <= best <= found <= 2 * best


def packed(buffers: list[Buffer]) -> int:
    """The least memory that holds them: in some order, each lies directly on those below it."""
    return min(heap(order) for order in permutations(buffers))


def heap(order: tuple[Buffer, ...]) -> int:
    tops = list[int]()
    for n, each in enumerate(order):
        below = [top for top, other in zip(tops, order[:n], strict=True) if each.meets(other)]
        tops.append(max(below, default=0) + each.size)
    return max(tops)


@pytest.mark.parametrize(
    ("size", "place"), [(LINE, (0, LINE)), (3 * LINE, (LINE, 3 * LINE)), (4 * LINE, (4 * LINE, 4 * LINE))]
)
def test_best_fit_takes_the_tightest(size: int, place: tuple[int, int]) -> None:
    """Of free blocks of one, three and five lines, between which others are in use."""
    made, wanted = BestFit(), [1, 3, 5]
    taken = [made.take(n, lines * LINE) for n, lines in enumerate(wanted)]
    for n, each in enumerate(taken):
        made.give(n, each)
    found = made.take(9, size)
    assert (found.start, found.held, found.hit) == (*place, True)


def test_free_neighbours_of_one_block_are_joined_again() -> None:
    made = BestFit()
    whole = made.take(0, 4 * LINE)
    made.give(0, whole)
    parts = [made.take(n, LINE) for n in range(1, 5)]
    assert made.free == {}
    for n in (0, 2, 1, 3):
        made.give(n + 1, parts[n])
    assert made.free == {0: 4 * LINE}


@pytest.mark.parametrize("policy", POLICIES)
def test_each_picture_shows_what_was_served(policy: Policy) -> None:
    params = Params(policy=policy, depth=2, width=20, batch=9, steps=2, last=50)
    pictures = list(run(params))
    buffers = trace(Network(2, 20, 1), batches(params))
    assert len(pictures) == len(buffers)
    for n, one in enumerate(pictures):
        assert one.moment == n
        assert [*one.asked] == [each.size for each in buffers[: n + 1]]
        living = sum(size for size, died in zip(one.asked, one.died, strict=True) if died < 0)
        assert living == one.alive <= one.bound <= one.reserved[-1]
        assert one.over_time[-1] == one.reserved[POLICIES.index(policy)]
        assert (one.start + one.held <= one.top).all()
    assert pictures[-1].bound == max(one.alive for one in pictures)


EDGES = [
    Params(depth=8, width=8, batch=4, keep=4, steps=3, last=10),
    Params(depth=1, width=8, batch=4, steps=1, last=10, policy="best fit", splits=False),
    Params(depth=8, width=128, batch=4, keep=3, steps=3, policy="arena"),
]


@pytest.mark.parametrize("params", EDGES, ids=str)
def test_the_edges_of_the_ranges(params: Params) -> None:
    *_, last = run(params)
    assert isinstance(last, Picture)
    assert last.moments <= 500
    assert np.diff(last.over_time).min() >= 0
