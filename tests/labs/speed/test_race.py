"""Counts of interleavings against a list of them all, stepped by another machine, and against closed forms."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, permutations
from math import comb, factorial
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.contract import LabError, pack
from labs.speed.race import Params, Picture, run
from labs.speed.race.explore import Explorer
from labs.speed.race.programs import Guard, machine

GUARDS = get_args(Guard)
STUCK = 0


def add(guard: str, shared: dict[str, Any], me: int, threads: int, times: int) -> Iterator[None]:
    """``hits += 1`` as a generator that stops before each instruction, written without the lab's machine."""

    pair = [me, (me + 1) % threads]
    locks = {"lock": [0], "semaphore": [0], GUARDS[5]: pair, GUARDS[6]: sorted(pair)}.get(guard, [])
    for _ in range(times):
        for lock in locks:
            yield
            while len(shared["held"][lock]) >= shared["permits"]:
                shared["blocked"] = True
                yield
            shared["held"][lock].append(me)
        if guard == "atomic":
            yield
            shared["hits"] += 1
            continue
        while True:
            yield
            old = shared["hits"]
            yield
            new = old + 1
            yield
            if guard != "compare_and_swap" or shared["hits"] == old:
                shared["hits"] = new
                break
        for lock in [] if shared["kept"] else reversed(locks):
            yield
            shared["held"][lock].remove(me)
    shared["ended"].add(me)
    yield


def played(
    guard: str, turns: tuple[int, ...], threads: int, times: int, permits: int, kept: bool = False
) -> tuple[int | None, bool]:
    """The counter after these turns, None if a turn could not be taken; and whether all have ended."""
    ended = set[int]()
    shared = {"hits": 0, "held": [[] for _ in range(threads)], "permits": permits, "ended": ended, "kept": kept}
    works = [add(guard, shared, me, threads, times) for me in range(threads)]
    for work in works:
        next(work)
    for turn in turns:
        shared["blocked"] = False
        if turn in ended:
            return None, False
        next(works[turn])
        if shared["blocked"]:
            return None, False
    return shared["hits"], len(ended) == threads


def listed(guard: str, threads: int, times: int, permits: int, kept: bool = False) -> Counter[int]:
    """How often each end comes, one interleaving after the other; STUCK where no thread has a turn left."""
    ends = Counter[int]()
    open_ = [()]
    while open_:
        turns = open_.pop()
        hits, over = played(guard, turns, threads, times, permits, kept)
        assert hits is not None
        further = [(*turns, t) for t in range(threads)]
        further = [each for each in further if played(guard, each, threads, times, permits, kept)[0] is not None]
        if not further:
            ends[hits if over else STUCK] += 1
        open_ += further
    return ends


@pytest.mark.parametrize("guard", GUARDS)
@pytest.mark.parametrize(("threads", "times", "permits"), [(2, 1, 1), (2, 1, 2)])
def test_counts_are_those_of_a_list_of_all(guard: Any, threads: int, times: int, permits: int) -> None:
    allowed = permits if guard == "semaphore" else 1
    ways = Explorer(machine(guard, threads, times, permits, False, False), threads * times)
    found = ways.ways(ways.machine.start())
    assert {end: count for end, count in enumerate(found) if count} == listed(guard, threads, times, allowed)


@pytest.mark.parametrize(("guard", "threads", "times"), [("nothing", 2, 2), ("two_locks_crosswise", 3, 1)])
def test_and_of_a_longer_list(guard: Any, threads: int, times: int) -> None:
    ways = Explorer(machine(guard, threads, times, 1, False, False), threads * times)
    found = ways.ways(ways.machine.start())
    assert {end: count for end, count in enumerate(found) if count} == listed(guard, threads, times, 1)


def test_a_thread_that_keeps_a_permit_takes_another() -> None:
    """A semaphore counts; it does not ask who took a permit."""
    ways = Explorer(machine("semaphore", 2, 2, 2, False, True), 4)
    found = ways.ways(ways.machine.start())
    assert {end: count for end, count in enumerate(found) if count} == listed("semaphore", 2, 2, 2, kept=True)
    end = list(run(Params("semaphore", times=2, permits=2, kept=True, turns="A" * 8 + "B")))[-1]
    assert end.locks[0].held == ["A", "A"]
    assert str(end.text).endswith("and no thread can go on: B waits for a permit, which A holds.")


@given(st.integers(2, 3), st.integers(1, 3))
@settings(deadline=None)
def test_without_locks_they_are_a_multinomial(threads: int, times: int) -> None:
    for guard, length in (("nothing", 3), ("atomic", 1)):
        each = length * times
        ways = Explorer(machine(guard, threads, times, 1, False, False), threads * times)  # type: ignore[arg-type]
        total = factorial(threads * each) // factorial(each) ** threads
        assert sum(ways.ways(ways.machine.start())) == total
    assert threads == 3 or total == comb(2 * times, times)


def test_two_threads_that_add_one() -> None:
    """By hand: right are only the two orders in which one thread stores before the other loads."""
    turns = {*permutations("AAABBB")}
    right = [order for order in turns if "".join(order) in ("AAABBB", "BBBAAA")]
    first = next(run(Params()))
    assert (first.total, first.wrong) == (len(turns), len(turns) - len(right)) == (20, 18)


@pytest.mark.parametrize("times", [2, 3])
def test_the_least_that_can_be_left_is_two(times: int) -> None:
    """However often each adds one: known since Ben-Ari's exercise."""
    first = next(run(Params(times=times)))
    assert np.flatnonzero(first.every)[0] == 2


@given(
    st.sampled_from(GUARDS),
    st.integers(2, 3),
    st.integers(1, 2),
    st.text("ABC", max_size=40),
    st.integers(1, 2),
    st.booleans(),
    st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_a_walk_goes_where_the_counts_say(
    guard: Any, threads: Any, times: int, turns: str, permits: int, late: bool, kept: bool
) -> None:
    log = list(run(Params(guard, threads, times, turns, permits, late, kept)))
    for picture in log:
        ready = [thread for thread in picture.threads if thread.state == "ready"]
        assert picture.ends.sum() == pytest.approx(max(1.0, sum(each.right + each.wrong for each in ready)))
        assert (picture.stage == "choose") == bool(ready)
        assert len(picture.turns) == len(picture.taken) == len(picture.path) - 1
        for lock in picture.locks:
            assert len(lock.held) <= lock.admits
        if picture.stage == "stuck":
            assert all(thread.state != "ready" for thread in picture.threads)
            assert any(thread.state == "waits" for thread in picture.threads)
        if picture.share.size:
            a, b = picture.path[-1]
            assert 0 <= picture.share[a, b] <= 1
        assert pack(picture)
    guarded = (guard in ("lock", "semaphore") and not late and not kept and (guard == "lock" or permits == 1)) or (
        guard in ("atomic", "compare_and_swap", "two_locks_in_order")
    )
    assert not guarded or log[0].wrong == 0


@pytest.mark.parametrize("guard", ["nothing", "two_locks_crosswise"])
def test_the_shortest_is_wrong_and_no_other_changes_less(guard: Any) -> None:
    first = next(run(Params(guard)))
    assert last(guard, first.shortest).stage in ("lost", "stuck")

    def changes(turns: str) -> tuple[int, int]:
        return sum(a != b for a, b in pairwise(turns)), len(turns)

    length = len(first.code[0])
    every = {"".join(order) for order in set(permutations("A" * min(length, 4) + "B" * min(length, 4)))}
    walked = {
        last(guard, turns).turns: last(guard, turns).stage for turns in sorted(every)[:: 1 if length == 3 else 9]
    }
    wrong = [turns for turns, stage in walked.items() if stage in ("lost", "stuck")]
    assert min(map(changes, wrong)) >= changes(first.shortest)


def last(guard: Any, turns: str) -> Picture:
    return list(run(Params(guard, turns=turns)))[-1]


def test_shares_lead_from_the_whole_to_each_end() -> None:
    first = next(run(Params()))
    assert first.share[0, 0] == pytest.approx(first.wrong / first.total)
    assert first.share[3, 3] == pytest.approx(first.wrong / first.total)
    assert first.share[3, 0] == first.share[0, 3] == 0 and first.share[1, 1] == 1
    crossed = next(run(Params("two_locks_crosswise")))
    assert crossed.share[1, 1] == 1 and np.isnan(crossed.share[2:6, 2:6]).all()


def test_a_hundred_thousand_interleavings_in_a_second() -> None:
    begun = time.perf_counter()
    ways = Explorer(machine("nothing", 3, 2, 1, False, False), 6)
    count = sum(ways.ways(ways.machine.start()))
    assert count == 17_153_136
    assert count / (time.perf_counter() - begun) > 1e6


@pytest.mark.parametrize(("turns", "odd"), [("ABX", "X"), ("A😀", "😀"), ("<b>", "<")])
def test_what_is_no_thread_is_named(turns: str, odd: str) -> None:
    with pytest.raises(LabError, match=f"“{odd}” is no thread: write A, B or C"):
        list(run(Params(turns=turns)))


def test_turns_may_be_parted_and_small() -> None:
    assert last("nothing", "a, b\nA").turns == "ABA"


def test_a_sentence_counts_one_as_one() -> None:
    told = [str(each.text) for each in run(Params("two_locks_crosswise", turns="A"))]
    assert told[-1] == "A takes lock 1: of 3 ways to go on, 1 is wrong."
    told = [str(each.text) for each in run(Params("lock", times=2, kept=True, turns="AAAA"))]
    assert told[-1] == "A writes 1, and no thread can go on: A waits for the lock, which it holds itself."
