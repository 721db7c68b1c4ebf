"""The cache, against lists that are searched and shifted, and against what is known of LRU."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from labs.speed.cache_walk.cache import Cache, Touch, hits, judged, stirring


def drawn(seed: int, most: int) -> list[int]:
    return random.Random(seed).choices(range(most), k=200)


LINES = st.builds(drawn, st.integers(0, 9999), st.integers(1, 60))
SETS = st.sampled_from([1, 2, 4, 8])
WAYS = st.integers(1, 8)


def plainly(lines: list[int], sets: int, ways: int) -> list[bool]:
    """Each set is a list, last used first."""
    rows: list[list[int]] = [[] for _ in range(sets)]
    found = []
    for line in lines:
        row = rows[line % sets]
        found.append(line in row)
        row[:] = [line, *(other for other in row if other != line)][:ways]
    return found


@given(LINES, SETS, WAYS)
def test_it_hits_what_lists_hit(lines: list[int], sets: int, ways: int) -> None:
    assert hits(lines, sets, ways).tolist() == plainly(lines, sets, ways)


@given(LINES, SETS, WAYS)
def test_more_ways_never_miss_more(lines: list[int], sets: int, ways: int) -> None:
    """Mattson's inclusion: what the smaller one holds, the larger one holds, too."""
    small, large = hits(lines, sets, ways), hits(lines, sets, ways + 1)
    assert all(one <= other for one, other in zip(small, large, strict=True))


@given(LINES, SETS, WAYS)
def test_a_line_keeps_its_place_until_it_is_thrown_out(lines: list[int], sets: int, ways: int) -> None:
    cache = Cache(sets, ways)
    for line in lines:
        before = cache.held()
        hit = line in cache
        cache.touch(line)
        after, ages = cache.held(), cache.ages()
        changed = before != after
        assert changed.sum() == (not hit)
        assert line in cache and after[changed].tolist() == [line] * (not hit)
        assert ages[line % sets][after[line % sets] == line] == 0
        for number, row in enumerate(after):
            held = row[row >= 0]
            assert all(held % sets == number) and len(set(held)) == len(held)
            assert sorted(ages[number][row >= 0]) == [*range(len(held))]
        assert ((after < 0) == (ages < 0)).all()


@given(LINES, SETS, WAYS)
def test_every_miss_has_one_reason(lines: list[int], sets: int, ways: int) -> None:
    found = judged(lines, sets, ways).tolist()
    assert [each == Touch.HIT for each in found] == plainly(lines, sets, ways)
    anywhere = plainly(lines, 1, sets * ways)
    seen: set[int] = set()
    for line, each, fits in zip(lines, found, anywhere, strict=True):
        assert (each == Touch.COMPULSORY) == (line not in seen)
        assert each != Touch.CAPACITY or not fits
        assert each != Touch.CONFLICT or fits
        seen.add(line)
    assert Counter(found)[Touch.COMPULSORY] == len(set(lines))
    if sets == 1:
        assert Touch.CONFLICT not in found


@given(LINES, SETS, WAYS)
def test_only_what_stirs_a_cache_changes_it(lines: list[int], sets: int, ways: int) -> None:
    moments = stirring(np.array(lines), sets).tolist()
    cache = Cache(sets, ways)
    for moment, line in enumerate(lines):
        before = (cache.held().tolist(), cache.ages().tolist())
        hit = line in cache
        cache.touch(line)
        changed = before != (cache.held().tolist(), cache.ages().tolist())
        assert changed == (moment in moments)
        assert hit or changed


def test_lines_that_share_a_set_throw_each_other_out() -> None:
    lines, cache = [0, 4, 0, 8, 4], Cache(sets=4, ways=2)
    for line in lines:
        cache.touch(line)
    assert judged(lines, 4, 2).tolist() == [
        Touch.COMPULSORY,
        Touch.COMPULSORY,
        Touch.HIT,
        Touch.COMPULSORY,  # in the place of 4, which was used before 0
        Touch.CONFLICT,
    ]
    assert cache.held().tolist() == [[4, 8], [-1, -1], [-1, -1], [-1, -1]]
    assert cache.ages().tolist() == [[0, 1], [-1, -1], [-1, -1], [-1, -1]]
