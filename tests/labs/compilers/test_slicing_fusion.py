"""The figure's story: what is drawn, what is decided, and what goes wrong where a refusal is not heeded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from labs.compilers.slicing_fusion import EXAMPLES, Params, Picture, run
from labs.contract import LabError


def pictures(example: str = "neighbours", **params: Any) -> list[Picture]:
    return list(run(Params(EXAMPLES.get(example, example), **params)))


def decided(picture: Picture) -> dict[str, bool]:
    return {row.array: row.fused for row in picture.rows}


def failing(example: str, array: str, **params: Any) -> set[str]:
    (shown,) = [
        each
        for each in pictures(example, **params)
        if each.stage == "judge" and each.rows[each.judged].array == array
    ]
    return {each.name for each in shown.criteria if not each.holds}


def test_the_default_story() -> None:
    found = pictures()
    assert [each.stage for each in found] == ["program", "indices", "judge", "tile", "tile", "tile", "result"]
    tiles = [each for each in found if each.stage == "tile"]
    drawn = [{array.name: array.now.tolist() for array in each.arrays} for each in tiles]
    assert drawn[1]["B"] == [0] * 8 + [1] * 8 + [0] * 8
    assert drawn[1]["A"] == [0] * 8 + [2] + [1] * 8 + [0] * 8
    assert drawn[1]["X"] == [0] * 8 + [3] * 10 + [0] * 8
    last = found[-1]
    assert (last.apart, last.work, last.again) == (49, 51, 2)
    assert (last.wrong, last.compared, last.between, last.buffers) == (0, 24, 0, 9)
    assert {array.name: array.times.max() for array in last.arrays} == {"X": 0, "A": 2, "B": 1}


def test_each_picture_stands_alone() -> None:
    found = pictures("blur")
    assert all(each.rows == found[0].rows and each.accesses == found[0].accesses for each in found)
    assert [each.tile for each in found] == [-1, -1, -1, 0, 1, 2, 3, 4]
    assert found[-1].tile_of.reshape(15, 15)[1, 1] == 0 and found[-1].tile_of.reshape(15, 15)[14, 14] == 3
    assert found[-1].tile_of.reshape(15, 15)[0].tolist() == [-1] * 15


@pytest.mark.parametrize(
    ("example", "params", "fused"),
    [
        ("neighbours", {}, {"A": True}),
        ("pointwise", {}, {"A": True}),
        ("three_stencils", {}, {"B": True, "A": True}),
        ("three_stencils", {"tile": 4}, {"B": False}),
        ("blur", {}, {"R": True}),
        ("pooling", {}, {"A": False}),
        ("pooling", {"tile": 2, "across": 4}, {"A": True}),
        ("upsampling", {}, {"S": False}),
        ("upsampling", {"across": 16}, {"S": True}),
        ("matmul_and_bias", {}, {"C": True}),
        ("two_matmuls", {}, {"C": False}),
        ("two_matmuls", {"tile": 2}, {"C": True}),
        ("softmax", {}, {"S": False, "M": False}),
        ("softmax", {"tile": 1, "across": 16}, {"S": True, "M": True}),
        ("transposed", {}, {"A": True}),
        ("running_sum", {}, {"S": False}),
        ("in_place", {}, {"A": False}),
        ("wanted_later", {}, {"A": False}),
        ("squares", {}, {"A": False}),
        ("looked_up", {}, {"A": False}),
        ("symbol", {}, {"A": False}),
        ("remainder", {}, {"A": False}),
    ],
)
def test_decisions(example: str, params: dict[str, Any], fused: dict[str, bool]) -> None:
    last = pictures(example, **params)[-1]
    assert decided(last) == fused
    assert last.wrong == 0
    shown = {array.name: array.role for array in last.arrays}
    assert all(shown[name] == ("between" if good else "alone") for name, good in fused.items())


def test_each_criterion_alone_refuses() -> None:
    assert failing("neighbours", "A", keep=True) == {"parallel as before"}
    assert failing("neighbours", "A", tile=24) == {"parallel as before", "no array between"}
    assert failing("neighbours", "A", tile=4) == {"vectors as before"}
    assert failing("neighbours", "A", tile=4, lanes=4) == set()
    assert failing("neighbours", "A", tile=1, lanes=4, tolerance=40) == {"vectors as before", "little done again"}
    assert failing("neighbours", "A", tolerance=4) == {"little done again"}
    assert failing("neighbours", "A", fast=8) == {"no array between"}
    assert failing("wanted_later", "A") == {"no array between"}
    assert failing("softmax", "S") == {"little done again", "no array between"}


def test_a_vector_is_a_stretch_of_the_innermost_loop_in_a_tile() -> None:
    """Whatever the tile: one of each in it is as short as any other that is shorter than a vector."""
    assert failing("pointwise", "A", tile=1) == {"vectors as before"} == failing("pointwise", "A", tile=4)
    assert failing("pointwise", "A", tile=8) == set()
    (criterion,) = [each for each in pictures("pointwise", tile=1)[-1].criteria if each.name == "vectors as before"]
    assert (criterion.before, criterion.after) == ("innermost 24 long", "innermost 1 long, of 8 in a vector")


def test_a_percentage_is_of_operations_apart() -> None:
    """Twelve more of 56 and 52, then twenty-four more of these and 60; together 36 of 168."""
    found = pictures("three_stencils")
    again = [each.criteria[2].after for each in found if each.stage == "judge"]
    assert again == ["34, +11 % of 108", "42, +14 % of 168"]
    assert found[-1].text.endswith("at +21 % work.") and found[-1].work - found[-1].apart == 36
    assert found[-1].shapes[found[-1].firsts.tolist().index(8), 0] == pytest.approx(36 / 168)


def test_work_done_again_or_order_kept() -> None:
    """Computing again leaves tiles free of each other; keeping what was computed does not."""
    again, kept = (pictures("three_stencils", keep=keep, force=True)[-1] for keep in (False, True))
    assert again.again == 3 * 4 + 3 * 2 and kept.again == 0
    assert kept.work == kept.apart and again.work > again.apart
    assert again.wrong == kept.wrong == 0
    assert kept.buffers == again.buffers


@pytest.mark.parametrize("tile", [1, 2, 4, 8, 16])
def test_more_work_in_closed_form(tile: int) -> None:
    """24 of B in tiles of t: each tile asks for t + 1 of A; apart 25 of A are made, all of them additions."""
    last = pictures(tile=tile, force=True)[-1]
    tiles = -(-24 // tile)
    assert last.again == tiles - 1
    assert last.work == 24 + 24 + tiles
    row = last.firsts.tolist().index(tile)
    assert last.shapes[row, 0] == pytest.approx((24 + 24 + tiles) / 49 - 1)


@pytest.mark.parametrize("example", EXAMPLES)
@pytest.mark.parametrize("way", [{"force": True}, {"keep": True, "force": True}, {"tile": 3, "across": 5}])
def test_slices_give_the_same_numbers(example: str, way: dict[str, Any]) -> None:
    """But where an input is overwritten: that is refused, and wrong if it is done all the same."""
    last = pictures(example, **way)[-1]
    assert (last.wrong > 0) == (example == "in_place" and "force" in way)


def test_the_table_says_what_the_run_finds() -> None:
    beside = EXAMPLES["neighbours"].replace(
        "\nfor i in 0..24", "\nfor i in 0..24: U[i] = X[i] * X[i]\nfor i in 0..24"
    )
    for example in ("blur", "softmax", "upsampling", "in_place", beside):
        last = pictures(example)[-1]
        for row, one in enumerate(last.firsts.tolist()):
            for column, other in enumerate(last.seconds.tolist()):
                made = pictures(example, tile=one, across=other, force=True)[-1]
                assert last.shapes[row, column] == pytest.approx(made.work / made.apart - 1, abs=1e-6)
                assert last.accepted[row, column] == all(decided(made).values())


def test_merged_loops_read_what_is_not_there_yet() -> None:
    merged = pictures(merge=True)[-1]
    assert not merged.rows[0].legal and merged.rows[0].done
    assert merged.wrong == 2 and "B at i = 7 must read A[8]" in merged.text
    wrong = next(array for array in merged.arrays if array.name == "B").wrong
    assert np.flatnonzero(wrong).tolist() == [7, 15]
    one_by_one = pictures(merge=True, tile=1)[-1]
    assert one_by_one.wrong == 23, "all but the last, for which nothing is missing"
    pointwise = pictures("pointwise", merge=True)[-1]
    assert pointwise.rows[0].legal and pointwise.wrong == 0 and pointwise.between == 24


def test_an_array_that_is_wanted_stays() -> None:
    stored = pictures("wanted_later", force=True)[-1]
    assert (stored.wrong, stored.compared, stored.between, stored.work) == (0, 48, 24, stored.apart)
    twice = pictures(EXAMPLES["neighbours"] + "keep A", force=True)[-1]
    assert twice.wrong == 0 and twice.work == 25 + 27 + 24, "its own nest has to stay"


def test_what_cannot_be_decided_is_pulled_in_whole() -> None:
    last = pictures("looked_up", force=True)[-1]
    assert last.again == 16 and last.wrong == 0
    for example in ("looked_up", "symbol", "squares"):
        unknown = pictures(example)[-1]
        assert {(each.after, each.holds) for each in unknown.criteria} == {("not known", False)}
        assert np.isnan(unknown.shapes).all() and not unknown.accepted.any()
    known = pictures("symbol", force=False)[0].accesses
    assert [each.verdict for each in known if "n" in each.text] == ["semi-affine"]
    affine = pictures(EXAMPLES["symbol"].replace("symbol n = 4", "n = 4"), tile=2)
    assert {each.verdict for each in affine[0].accesses} == {"affine"}
    assert affine[-1].rows[0].done and affine[-1].wrong == 0
    added = pictures("symbol n = 4\nfor i in 0..20: A[i] = X[i]\nfor i in 0..16: B[i] = A[i+n]")
    assert "can be said before anything runs, with n in it" in added[1].text
    assert "which asks for A[i0 + n … i0 + n + 7]: legal" in added[2].text


@pytest.mark.parametrize(
    ("program", "params", "says"),
    [
        ("for i in 0..8: A[i] = X[i]\nfor i in 0..8: B[i] = X[i]", {}, "reads nothing that an earlier line makes"),
        ("for i in 0..300: A[i] = X[i]\nfor i in 0..300: B[i] = A[i]", {"tile": 1}, "make a tile larger"),
        ("for i in 0..8: A[i] = Z\nfor i in 0..8: B[i] = A[i]", {}, "Line 1, column 23: Z is no loop variable"),
    ],
)
def test_what_is_refused(program: str, params: dict[str, Any], says: str) -> None:
    with pytest.raises(LabError) as error:
        pictures(program, **params)
    assert says in str(error.value)


def test_the_table_knows_what_is_illegal() -> None:
    """Tiles that follow each other anyway, and overwrite what the producer reads: only legality refuses."""
    program = "for i in 1..24: A[i] = X[i-1] + Y[i]\nfor i in 1..24: X[i] = A[i] + X[i-1]"
    last = pictures(program)[-1]
    assert not last.rows[0].legal and all(each.holds for each in last.criteria)
    assert last.accepted[last.firsts.tolist().index(8), 0] == 0


@pytest.mark.parametrize("ends", ["i..4", "0..i"])
@pytest.mark.parametrize("tile", [1, 2, 8])
def test_a_triangle_may_have_empty_tiles(ends: str, tile: int) -> None:
    found = pictures(
        f"for i in 0..8: A[i] = X[i]\nfor i in 0..8, j in {ends}: B[i,j] = A[i]\n", tile=tile, across=1
    )
    assert found[-1].stage == "result"
    assert found[-1].wrong == 0


@pytest.mark.parametrize("example", ["pointwise", "three_stencils", "pooling", "blur"])
@pytest.mark.parametrize("tile", [4, 8])
def test_a_fused_loop_that_still_stores_saves_no_array(example: str, tile: int) -> None:
    without, stored = (pictures(example, tile=tile, force=True, store=store)[-1] for store in (False, True))
    assert (without.wrong, stored.wrong) == (0, 0) and stored.work == without.work
    made = [array for array in stored.arrays if array.role == "stored"]
    assert [array.name for array in made] == [array.name for array in without.arrays if array.role == "between"]
    assert without.between == 0 and stored.buffers == 0
    assert stored.between == sum(array.now.size for array in made)
    assert "no array between" in failing(example, made[-1].name, tile=tile, store=True)


def test_the_fused_loop_of_the_essay_writes_every_number() -> None:
    """As in Python: ``A[i] =`` stands in the loop, so it is done at each of its turns."""

    class Counted(dict[int, float]):
        stores = 0

        def __setitem__(self, key: int, value: float) -> None:
            self.stores += 1
            super().__setitem__(key, value)

    a, b = Counted(), dict[int, float]()
    for i in range(24):
        a[i] = i * 2
        b[i] = a[i] + 1
    *_, last = pictures("pointwise", store=True, force=True)
    assert last.between == a.stores == 24
    assert "all 24 numbers of A still go to memory" in str(last.text)
