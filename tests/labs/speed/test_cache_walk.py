"""The walk through memory and its misses, against loops written out and a cache of ordered dicts."""

from __future__ import annotations

import itertools
import json
import random
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from draws import drawn, edges
from extent import chosen, draws, upto
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.contract import pack
from labs.discover import find
from labs.models.matmul import ORDERS
from labs.speed.cache_walk import Params, Picture, run

LAB = find()["speed/cache_walk"]
RUNS = upto(8, 24)
SMALL = 20  # the loops written out are slow


def pictures(params: Params) -> list[Picture]:
    return list(run(params))


def loops(params: Params, order: str, edge: int) -> Iterator[dict[str, int]]:
    """The loops, one within the other, in Python."""
    n = params.n
    starts = range(0, n, edge)
    for x, y, z in itertools.product(starts, starts, starts):
        for u in range(x, min(x + edge, n)):
            for v in range(y, min(y + edge, n)):
                for w in range(z, min(z + edge, n)):
                    yield {order[0]: u, order[1]: v, order[2]: w}


def addresses(params: Params, at: dict[str, int]) -> list[int]:
    """Of A[i][k], B[k][j] and C[i][j], in bytes."""
    pitch = params.element * (params.n + params.padding)
    matrix = -(-params.n * pitch // params.line) * params.line
    i, j, k = at["i"], at["j"], at["k"]
    row, column = (j, k) if params.transposed else (k, j)
    return [
        i * pitch + k * params.element,
        matrix + row * pitch + column * params.element,
        2 * matrix + i * pitch + j * params.element,
    ]


class Plain:
    """A cache of ordered dicts."""

    def __init__(self, sets: int, ways: int) -> None:
        self.sets = [OrderedDict[int, None]() for _ in range(sets)]
        self.ways = ways

    def touch(self, line: int) -> bool:
        row = self.sets[line % len(self.sets)]
        hit = line in row
        row[line] = None
        row.move_to_end(line)
        if len(row) > self.ways:
            row.popitem(last=False)
        return hit


def walk(params: Params, order: str, edge: int) -> tuple[np.ndarray[Any, Any], list[list[int]]]:
    """How each touch found its line, [n³, 3], and the lines."""
    cache, whole = Plain(params.sets, params.ways), Plain(1, params.sets * params.ways)
    seen: set[int] = set()
    found, lines = [], []
    for at in loops(params, order, edge):
        row = [address // params.line for address in addresses(params, at)]
        for line in row:
            hit, fits = cache.touch(line), whole.touch(line)
            found.append(0 if hit else 1 if line not in seen else 3 if fits else 2)
            seen.add(line)
        lines.append(row)
    return np.array(found).reshape(-1, 3), lines


def small(values: dict[str, Any]) -> Params:
    return Params(**{**values, "n": min(values.get("n", SMALL), SMALL)})


RANDOM = random.Random(1)
SPACE = [small(drawn(LAB, RANDOM)) for _ in RUNS] + [Params()]
EDGES = [Params(**{**{"n": 9}, **values}) for values in edges(LAB) if values.get("n", 0) <= SMALL]


@pytest.mark.parametrize("params", [*SPACE, *EDGES])
def test_every_picture_is_what_the_loops_come_to(params: Params) -> None:
    edge = min(params.tile, params.n) if params.tiled else params.n
    found, lines = walk(params, params.order, edge)
    order = list(loops(params, params.order, edge))
    for shown in pictures(params):
        assert shown.total == len(found) and shown.edge == edge
        so_far = found[: shown.done]
        assert shown.counts.tolist() == [[int((each == how).sum()) for how in range(4)] for each in so_far.T]
        misses = int((so_far > 0).sum())
        assert shown.fetched == misses * params.line
        assert shown.misses == misses / max(1, shown.done)
        last = len(shown.touched)
        assert shown.found.tolist() == found[shown.done - last : shown.done].tolist()
        for place, at in zip(shown.touched, order[shown.done - last : shown.done], strict=True):
            i, j, k = at["i"], at["j"], at["k"]
            b = (j, k) if params.transposed else (k, j)
            assert [divmod(int(each), params.n) for each in place] == [(i, k), b, (i, j)]
        if shown.done:
            at = order[shown.done - 1]
            assert shown.at.tolist() == [at["i"], at["j"], at["k"]]
            inner = [each[params.order[2]] for each in order[shown.done - last : shown.done]]
            assert inner == [*range(inner[0], inner[0] + last)] and inner[0] % edge == 0
        touched = [line for row in lines[: shown.done] for line in row]
        if shown.stage in ("start", "orders") or shown.done % 97 == 0:  # it is slow
            cache = Plain(params.sets, params.ways)
            for line in touched:
                cache.touch(line)
            held = [set(row[row >= 0].tolist()) for row in shown.held]
            assert held == [set(row) for row in cache.sets]
            for row, ages, ours in zip(shown.held, shown.ages, cache.sets, strict=True):
                assert row[np.argsort(-ages)][: len(ours)].tolist() == [*ours]
            states = [(line in touched) + any(line in row for row in held) for line in range(shown.lines.size)]
            assert shown.lines.ravel().tolist() == states


@pytest.mark.parametrize("params", SPACE[: len(upto(4, 8))])
def test_all_six_orders_are_compared(params: Params) -> None:
    *others, final = pictures(params)
    assert all(each.compared is None for each in others) and final.compared
    assert [each.order for each in final.compared] == ["ijk", "ikj", "jik", "jki", "kij", "kji"]
    for each in final.compared:
        for ours, edge in ((each.misses, params.n), (each.tiled, min(params.tile, params.n))):
            found, _ = walk(params, each.order, edge)
            assert ours.tolist() == (found > 0).sum(axis=0).tolist()
    own = final.compared[ORDERS.index(params.order)]
    assert (own.tiled if params.tiled else own.misses).tolist() == final.counts[:, 1:].sum(axis=1).tolist()


# -- what can be said without a simulation ---------------------------------------------------------------------


def last(**params: Any) -> Picture:
    return pictures(Params(**params))[-1]


@given(st.sampled_from(ORDERS), st.booleans(), st.integers(4, 12), st.integers(0, 16), st.booleans())
@settings(max_examples=draws(10))
def test_a_cache_for_all_misses_each_line_once(
    order: Any, transposed: bool, n: int, padding: int, tiled: bool
) -> None:
    shown = last(order=order, transposed=transposed, n=n, padding=padding, tiled=tiled, line=128, sets=32, ways=8)
    pitch = 8 * (n + padding)
    lines = {(row * pitch + 8 * column) // 128 for row in range(n) for column in range(n)}
    assert shown.counts[:, 1].tolist() == [len(lines)] * 3
    assert shown.counts[:, 2].sum() == 0
    if 3 * (n + padding) * n * 8 < 32 * 128:  # even if all of it lies one behind the other
        assert shown.counts[:, 3].sum() == 0
    assert shown.counts.sum() == 3 * n**3


@pytest.mark.parametrize("n", [8, 16, 24, 32])
def test_a_column_through_a_cache_too_small_for_it_misses_every_time(n: int) -> None:
    """ijk goes down a column of B: n lines, and all of them are gone before the next column begins."""
    shown = last(n=n, order="ijk", sets=1, ways=min(8, n - 1))
    assert shown.counts[1].tolist()[0] == 0
    assert shown.counts[1, 1:].sum() == n**3
    along = last(n=n, order="ijk", transposed=True, sets=1, ways=8)
    assert along.counts[1, 1:].sum() <= n**3 / 8  # eight elements a line


@pytest.mark.parametrize("n", [5, 8, 16])
def test_a_single_line_for_three_matrices_never_hits(n: int) -> None:
    shown = last(n=n, element=8, line=16, padding=1, sets=1, ways=1)
    assert shown.counts[:, 0].tolist() == [0, 0, 0]  # A, B and C take turns in the one place


@given(
    st.sampled_from(ORDERS),
    st.sampled_from([8, 12, 16]),
    st.sampled_from([16, 32]),
    st.sampled_from([1, 2, 4, 8]),
    st.integers(1, 8),
    st.booleans(),
)
@settings(max_examples=draws(10))
def test_backwards_a_walk_is_that_of_a_transposed_b(
    order: Any, n: int, line: Any, sets: Any, ways: int, tiled: bool
) -> None:
    """With j and k exchanged, a transposed B is walked through as a plain one, and A and C change places. Read from
    its end, with the last byte as the first, it is the same walk, and LRU misses as often in either direction."""
    swapped: Any = order.translate(str.maketrans("jk", "kj"))
    cache: dict[str, Any] = {"n": n, "line": line, "sets": sets, "ways": ways, "tiled": tiled}
    forth, back = last(order=order, **cache), last(order=swapped, transposed=True, **cache)
    assert forth.counts.tolist() == back.counts[::-1].tolist()


@given(st.sampled_from(ORDERS), st.integers(4, 14), st.sampled_from([1, 2, 8]), st.integers(1, 7))
@settings(max_examples=draws(10))
def test_more_ways_never_miss_more(order: Any, n: int, sets: Any, ways: int) -> None:
    few, more = (last(order=order, n=n, sets=sets, ways=each) for each in (ways, ways + 1))
    assert (more.counts[:, 0] >= few.counts[:, 0]).all()


# -- what the page says ----------------------------------------------------------------------------------------


def test_rows_of_a_power_of_two_collide_and_padding_cures_it() -> None:
    """The cliff between n = 15 and 16 is that between 1,000 and 1,024."""
    before, cliff, cured = last(n=15), last(n=16), last(n=16, padding=8)
    assert cliff.misses > 3.5 * before.misses and cliff.misses > 3.5 * cured.misses
    assert cliff.counts[:, 3].sum() > 0.7 * cliff.counts[:, 1:].sum()
    assert cured.counts[:, 3].sum() < 0.1 * cliff.counts[:, 3].sum()


def test_by_default_ikj_wins() -> None:
    shown = last()
    assert shown.compared
    least = min(shown.compared, key=lambda each: int(each.misses.sum()))
    assert least.order == "ikj"
    assert "ikj misses least" in shown.text and "along rows of B and C" in shown.text
    assert all(each.tiled.sum() < each.misses.sum() for each in shown.compared)


def test_what_the_sentences_say() -> None:
    shown = pictures(Params())
    assert "room for 32 lines of 64 bytes" in shown[0].text and "span 96 lines." in shown[0].text
    assert shown[1].text == "The lines of A[0][0], B[0][0] and C[0][0] are fetched for the first time."
    assert (
        shown[2].text == "A[0][1] and C[0][0] are in the cache; the line of B[1][0] is fetched for the first time."
    )
    again = next(each for each in shown if 3 in each.found[-1:])
    assert again.text.endswith("is fetched again for lack of room in a set.")
    loop = next(each for each in shown if each.stage == "inner loop")
    assert loop.text.startswith("With i = 0 and j = 4, the loop over k missed ")
    leap = shown[-2]
    first, room, conflicts = leap.counts[:, 1:].sum(axis=0)
    assert f"{first} at the first touch of a line, {room} for lack of room, {conflicts} for" in leap.text


EVERY, BEGIN, SIDES = ("ever faster", "multiply-add", "inner loop"), (0, 37, 99), (4, 16, 31)
FORWARD = chosen(  # each way with each place to begin and each size
    itertools.product(EVERY, BEGIN, SIDES),
    [(EVERY[a], BEGIN[b], SIDES[(a + b) % 3]) for a in range(3) for b in range(3)],
)


@pytest.mark.parametrize(("every", "begin", "n"), FORWARD)
def test_the_pictures_go_forward_to_the_end(every: Any, begin: int, n: int) -> None:
    shown = pictures(Params(n=n, every=every, begin=begin, tiled=n == 31))
    assert len(shown) <= 300
    done = [each.done for each in shown[:-1]]
    assert done == sorted(set(done)) and done[0] <= n**3 * begin / 100
    assert shown[-1].done == n**3 and shown[-1].stage == "orders"
    if every == "ever faster":
        assert done[-1] == n**3
    for one, other in itertools.pairwise(shown[:-1]):
        assert other.stage != "multiply-add" or other.done == one.done + 1


def test_no_picture_is_too_large() -> None:
    largest = Params(n=48, element=8, line=16, padding=16, sets=32, ways=8, every="inner loop")
    assert max(len(json.dumps(pack(each))) for each in pictures(largest)) < 64 * 1024
