"""How vectors grow, against libstdc++, CPython's own lists, closed forms, and a heap kept place by place."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labs.bits.vector_growth import Params, Push, run

RULES = ("double", "half_more", "a_few_more", "python_list")
POINTER = 8


def last(**params: Any) -> Push:
    *_, push = run(Params(**params))
    return push


def capacities(**params: Any) -> list[int]:
    """The capacity after each push."""
    return [each.capacity for each in run(Params(**params)) if each.stage == "push" and each.size]


def test_the_vector_of_libstdcxx_doubles(tmp_path: Path) -> None:
    source = """#include <cstdio>
#include <vector>
int main() {
  std::vector<int> v;
  for (int i = 0; i < 64; i++) { v.push_back(i); std::printf("%zu ", v.capacity()); }
}
"""
    (tmp_path / "v.cpp").write_text(source)
    subprocess.run(["gcc", "-o", tmp_path / "v", tmp_path / "v.cpp", "-lstdc++"], check=True, timeout=60)
    theirs = subprocess.run([tmp_path / "v"], capture_output=True, text=True, check=True).stdout
    assert capacities(pushes=64) == [int(word) for word in theirs.split()]


def test_the_list_of_python_takes_an_eighth_and_a_few() -> None:
    empty, theirs, grown = sys.getsizeof([]), [], []
    for i in range(64):
        grown.append(i)
        theirs.append((sys.getsizeof(grown) - empty) // POINTER)
    assert capacities(pushes=64, growth="python_list") == theirs


@pytest.mark.parametrize("pushes", [1, 2, 3, 4, 5, 8, 9, 16, 17, 33, 64])
def test_closed_forms(pushes: int) -> None:
    doubled = last(pushes=pushes)
    assert doubled.copies == 2 ** math.ceil(math.log2(pushes)) - 1
    assert doubled.mean < 3
    few = last(pushes=pushes, growth="a_few_more", more=4)
    blocks = math.ceil(pushes / 4)
    assert few.copies == sum(4 * i for i in range(blocks)) == 2 * blocks * (blocks - 1)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("reserve", [0, 5, 64])
def test_every_picture_agrees_with_itself(rule: Any, reserve: int) -> None:
    pushed = 0
    for each in run(Params(pushes=64, growth=rule, reserve=reserve)):
        places = np.zeros(each.heap, int)
        for block in each.blocks:
            assert 0 <= block.items <= block.size
            places[block.begin : block.begin + block.size] += 1
        assert places.max() == 1 and each.heap == len(places)  # blocks do not overlap
        assert each.begin is not None and each.end is not None and each.limit is not None
        assert each.begin <= each.end <= each.limit == each.begin + each.capacity
        assert each.size <= each.capacity or each.stage in ("allocate", "copy", "free")
        assert len(each.cost) == each.size and int(each.cost.sum()) >= each.size
        if each.stage == "push":
            assert each.end - each.begin == each.size >= pushed
            assert each.cost.sum() == each.size + each.copies
            if each.size:
                assert each.means[-1] == pytest.approx(each.mean)
        pushed = each.size
    assert pushed == 64


def test_doubling_never_fits_into_what_it_left_and_half_more_does() -> None:
    assert last(pushes=64).reused == 0
    half = [each for each in run(Params(pushes=64, growth="half_more")) if each.stage == "allocate"]
    first = next(each for each in half if each.reused)
    assert first.begin == 0
    assert last(pushes=64, growth="half_more").reused > 1


def test_blocks_that_were_left_add_up_to_less_than_the_next_when_doubled() -> None:
    """Why: 1 + 2 + 4 + … + 2ᵏ⁻¹ is 2ᵏ − 1, and the block in use, 2ᵏ, cannot be given back before the copy."""
    for k in range(1, 20):
        assert sum(2**i for i in range(k)) < 2 ** (k + 1)


def test_room_that_is_reserved_costs_no_copies() -> None:
    assert last(pushes=64, reserve=64).copies == 0
    assert last(pushes=64, reserve=63).copies == 63


def test_a_kept_pointer_is_left_behind() -> None:
    events = list(run(Params(pushes=9, keep_pointer=True)))
    assert [each.dangling for each in events][-1]
    assert events[-1].pointer == 0 and events[-1].begin != 0
    assert not last(pushes=9, reserve=9, keep_pointer=True).dangling
    assert last(pushes=9).pointer is None
