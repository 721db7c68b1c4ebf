"""What the article on PolyBlocks says of slices, of criteria, of other people's numbers, and in its exercises."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import Any

import pytest
from article import Article, recorded
from labs.compilers.slicing_fusion import EXAMPLES, Params, Picture, run

ARTICLE = Article("compilers/03-polyblocks-lowering-through-mlir.mdx")
says = ARTICLE.says


def last(example: str = "neighbours", **params: Any) -> Picture:
    return list(run(Params(EXAMPLES.get(example, example), **params)))[-1]


def refusals(example: str = "neighbours", **params: Any) -> set[str]:
    found = run(Params(EXAMPLES[example], **params))
    judged = [each for each in found if each.stage == "judge"]
    return {criterion.name for each in judged for criterion in each.criteria if not criterion.holds}


def test_the_beginning() -> None:
    says("Because … of … numbers are then wrong", "It computes eight numbers of B, and for them nine of A")
    merged = recorded("compilers/slicing_fusion", "merged")[-1]
    assert (merged["wrong"], merged["compared"]) == (23, 24)
    fifth = recorded("compilers/slicing_fusion")[4]
    now = {array["name"]: array["now"].tolist() for array in fifth["arrays"]}
    assert fifth["tile"] == 1 and fifth["tiles"] == 3
    assert now["B"].count(1) == 8 and (now["A"].count(1), now["A"].index(2)) == (8, 8)


def test_indices() -> None:
    says(
        "`i*i` is no straight line, and `idx[i]` could be anything",
        "it is called quasi-affine",
        "Delete the word `symbol`, and it can",
        "$4q \\le i < 4q + 4$",
    )
    verdicts = {"squares": "not affine", "looked_up": "not affine", "upsampling": "quasi-affine"}
    for example, verdict in verdicts.items():
        assert verdict in {access.verdict for access in last(example).accesses}
    assert "semi-affine" in {access.verdict for access in last("symbol").accesses}
    symbol = recorded("compilers/slicing_fusion", "symbol")
    assert symbol[1]["stage"] == "indices" and not symbol[-1]["rows"][0]["done"]
    without = last(EXAMPLES["symbol"].replace("symbol n", "n"), tile=2)
    assert symbol[-1]["grid"] == without.grid == [2, 1]
    assert {access.verdict for access in without.accesses} == {"affine"} and without.rows[0].done
    says("may be added, and then appears in the slice")
    added = "symbol n = 4\nfor i in 0..20: A[i] = X[i]\nfor i in 0..16: B[i] = A[i+n]"
    assert any("A[i0 + n … i0 + n + 7]" in each.text for each in run(Params(added)))


def test_the_slice() -> None:
    says("A[i_0 \\,\\ldots\\, i_0 + 8]", "so $X[i_0 \\ldots i_0 + 9]$")
    third = recorded("compilers/slicing_fusion")[2]
    assert third["stage"] == "judge" and "A[i0 … i0 + 8]" in third["text"]
    for i0 in range(0, 24, 8):
        wanted = {i for b in range(i0, i0 + 8) for i in (b, b + 1)}
        assert wanted == {*range(i0, i0 + 9)}
        assert {i for a in wanted for i in (a, a + 1)} == {*range(i0, i0 + 10)}


def test_the_price() -> None:
    says(
        "every number of A except the first and the last is computed twice",
        "needs $t + 2r$ numbers of its producer",
        "that one has to supply $t + 4r$",
        "For eight numbers of C there are ten of B and twelve of A",
    )
    single = recorded("compilers/slicing_fusion", "one_by_one")[-1]
    assert (single["work"], single["apart"], single["buffers"]) == (72, 49, 2)
    times = next(array for array in single["arrays"] if array["name"] == "A")["times"].tolist()
    assert times == [1, *[2] * 23, 1]
    default = recorded("compilers/slicing_fusion")[-1]
    assert (default["work"], default["buffers"]) == (51, 9)
    sixth = recorded("compilers/slicing_fusion", "three")[5]
    made = {array["name"]: sum(each in (1, 2) for each in array["now"].tolist()) for array in sixth["arrays"]}
    assert (made["A"], made["B"], made["C"]) == (12, 10, 8)
    three = last("three_stencils")
    assert three.shapes[0, 0] == three.shapes.max()


def test_shapes_of_the_blur() -> None:
    says("so the size of a tile in the other direction costs nothing")
    blur = last("blur")
    table = blur.shapes
    assert (table == table[:, :1]).all() and len({*table[:, 0].tolist()}) == len(blur.firsts)


def test_kept_or_made_again() -> None:
    says("as many as without fusion. But now each tile has to wait for the one before")
    again, kept = (recorded("compilers/slicing_fusion", name)[-1] for name in ("three", "three_kept"))
    assert kept["work"] == kept["apart"] < again["work"]
    judged = [each for each in recorded("compilers/slicing_fusion", "three_kept") if each["stage"] == "judge"]
    assert judged[0]["criteria"][0]["after"] == "1 of 4 tiles at once"


def test_four_questions() -> None:
    says(
        "Our figure is strict, and turns each into a condition that has to hold",
        "MLIR allows 30 % by default, and so do we",
    )
    criteria = [each.name for each in last().criteria]
    assert criteria == ["parallel as before", "vectors as before", "little done again", "no array between"]
    assert Params().tolerance == 30
    assert refusals(keep=True) == {criteria[0]}
    assert criteria[0] in refusals(tile=24)
    says("A tile of four is too short for a vector of eight")
    assert refusals(tile=4) == {criteria[1]} == refusals("upsampling")
    assert refusals("upsampling", across=16) == set()
    assert criteria[2] in refusals("running_sum")
    assert refusals("wanted_later") == {criteria[3]}
    says("A is as large as before: fusion has saved only the reading of it", "a tile keeps eight numbers of A")
    stored = recorded("compilers/slicing_fusion", "stored")[-1]
    assert (stored["between"], stored["wrong"], stored["work"]) == (24, 0, stored["apart"])
    without = last("pointwise")
    assert (without.between, without.buffers) == (0, 8)
    merged = last("pointwise", merge=True)
    assert merged.between == 24 and merged.wrong == 0, "as the essay writes it: right, and every A[i] is stored"


def test_what_mlir_would_add() -> None:
    says("47 % more work, to the last digit")
    assert round(100 * (72 / 49 - 1)) == 47
    # its count: loads, stores and additions, four in each iteration; see the pass, getComputeCost
    assert (24 * 2 * 4 + 24 * 4) / (25 * 4 + 24 * 4) == 72 / 49


def test_wrong() -> None:
    says(
        "of … numbers are wrong, both at the border of a tile",
        "With one tile there is no border and no error",
        "For `A[i]` alone, without a neighbour, merging is right",
    )
    wrong = recorded("compilers/slicing_fusion", "in_place")
    assert (wrong[-1]["wrong"], wrong[-1]["stage"], len(wrong)) == (2, "result", 7)
    places = next(array for array in wrong[-1]["arrays"] if array["name"] == "X")["wrong"].nonzero()[0].tolist()
    assert places == [9, 17], "the first of their tiles, which begin at 1"
    assert last("in_place", tile=23, force=True).wrong == 0
    says("`B[0]` needs `A[1]` as the next iteration will write it, and reads what was there before")
    assert (
        "B at i = 0 must read A[1] as A at i = 1 writes it, and would read it as it was"
        in last(merge=True, tile=1).text
    )


def test_attention() -> None:
    says("Take whole rows, and nothing is done twice. All four conditions hold")
    rows, cut = (recorded("compilers/slicing_fusion", name)[-1] for name in ("softmax_rows", "softmax_cut"))
    assert rows["work"] == rows["apart"] < cut["work"] and rows["buffers"] == 2
    assert all(row["fused"] for row in rows["rows"]) and refusals("softmax", tile=1, across=16) == set()


def test_factors_multiply() -> None:
    says("$17 \\cdot 2.87 \\cdot 1.42 = 69$", "would make Inductor 1.54 times as fast as eager")
    assert round(17 * 2.87 * 1.42) == 69 and round(2.15 / 1.4, 2) == 1.54
    times = (11.7, 29.9, 7.8, 1.9)
    says("They must not be added.")
    factors = [before / after for before, after in pairwise(times)]
    assert [round(each, 2) for each in factors] == [0.39, 3.83, 4.11]
    assert round(math.prod(factors), 2) == round(11.7 / 1.9, 2) == 6.16


def test_exercises() -> None:
    says("24 for B, and three of A for each of 12 tiles: 60, instead of 49")
    tiles = last(tile=2, force=True)
    assert (tiles.work, tiles.apart, tiles.tiles, tiles.again) == (60, 49, 12, 11)
    options = re.findall(r'<Option set="program=@(\w+) tile=(\d+) across=8 force=true keep=(\w+)"', ARTICLE.text)
    again = [
        last(name, tile=int(tile), across=8, force=True, keep=keep == "true").again for name, tile, keep in options
    ]
    assert again == [150, 168, 0]
    assert again[1] == 6 * 2 * 14, "two rows of 14 at each of six borders"
    text = "for i in 0..{0}: A[i] = X[i]\nfor i in 0..{1}: B[i] = " + " + ".join(f"A[i+{k}]" for k in range(5))
    filtered = last(text.format(68, 64), tile=16, force=True)
    assert filtered.buffers == 20


@pytest.mark.parametrize("right", [True, False])
def test_the_choice(right: bool) -> None:
    found = re.findall(r"<Option( right)? says=\"[^\"]*\">`([^`]*)`</Option>", ARTICLE.text)
    assert len(found) == 6
    for mark, index in found:
        if bool(mark) == right:
            program = f"n = 16\nfor i in 0..200: A[i] = X[i]\nfor y in 1..9, x in 1..7: B[y, x] = A[{index}]"
            verdict = next(each.verdict for each in last(program).accesses if each.text == f"A[{index}]")
            assert (verdict == "affine") == right, index
