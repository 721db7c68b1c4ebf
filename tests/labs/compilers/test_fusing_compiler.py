"""The pictures of the compiler fit together, each by itself and one after the other."""

from __future__ import annotations

from itertools import pairwise

import pytest
from labs.compilers.fusing_compiler import Params, Picture, run
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.contract import LabError

EVERY = [(name, back) for name in PROGRAMS for back in (False, True)]


def pictures(name: str, **rest: object) -> list[Picture]:
    return list(run(Params(program=PROGRAMS[name], **rest)))  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "back"), EVERY)
def test_rows_are_a_graph(name: str, back: bool) -> None:
    for picture in pictures(name, backward=back):
        now = [row for row in picture.rows if row.change != "gone"]
        above: set[int] = set()
        for row in now:
            assert above.issuperset(row.uses), "what is used stands above"
            assert row.number not in above
            above.add(row.number)
        assert len({row.name for row in now}) == len(now)
        assert any(row.output for row in now)


@pytest.mark.parametrize(("name", "back"), EVERY)
def test_what_is_new_was_not_there_and_what_is_gone_was(name: str, back: bool) -> None:
    for before, after in pairwise(pictures(name, backward=back)):
        old = {row.number: row for row in before.rows if row.change != "gone"}
        for row in after.rows:
            assert (row.number in old) == (row.change != "new"), row
            if row.change != "new":
                assert row.name == old[row.number].name
        kept = {row.number for row in after.rows}
        assert kept.issuperset(old), "a row does not vanish without a word"


@pytest.mark.parametrize(("name", "back"), EVERY)
def test_a_line_keeps_its_colour_to_the_loops(name: str, back: bool) -> None:
    source = PROGRAMS[name].splitlines()
    for picture in pictures(name, backward=back):
        rows = {row.number: row for row in picture.rows}
        assert all(0 < row.line <= len(source) for row in picture.rows)
        for kernel in picture.kernels:
            lines = [line for line in kernel.code if line.row >= 0]
            assert lines
            for line in (*lines, *(each for each in picture.written if each.row >= 0)):
                assert line.line == rows[line.row].line


@pytest.mark.parametrize(("name", "back"), EVERY)
def test_kernels_follow_each_other(name: str, back: bool) -> None:
    """A band of rows is one kernel, and reads from those above it alone."""
    for picture in pictures(name, backward=back):
        if picture.stage not in ("fusion", "loops"):
            continue
        bands = [row.kernel for row in picture.rows if row.kernel >= 0 and row.change != "gone"]
        assert bands == sorted(bands)
        home = {row.number: row.kernel for row in picture.rows}
        for row in picture.rows:
            assert all(home[each] <= row.kernel for each in row.uses if home[each] >= 0)


@pytest.mark.parametrize(("name", "back"), EVERY)
def test_numbers_go_on_from_picture_to_picture(name: str, back: bool) -> None:
    made = pictures(name, backward=back)
    for before, after in pairwise(made):
        if after.stage == "rewrite" or (before.stage, after.stage) == ("fusion", "fusion"):
            assert after.before == before.work
        if after.joint and not after.joint.joined:
            assert after.work == after.before
    last = next(each for each in made if each.stage == "loops")
    assert last.work.bytes == pytest.approx(sum(kernel.work.bytes for kernel in last.kernels))
    if not back:
        assert last.work.bytes <= last.before.bytes * 1.01, "fusion by cost moves no more"


def test_greed_takes_sixteen_exponentials() -> None:
    def exponentials(policy: str) -> int:
        last = pictures("squares", fusion=policy)[-1]
        return sum(line.text.count("exp(") for kernel in last.kernels for line in kernel.code)

    assert [exponentials(policy) for policy in ("greedy", "cost", "none")] == [16, 1, 1]


def test_a_product_is_not_computed_again_for_each_block() -> None:
    joints = [each.joint for each in pictures("two-matmuls") if each.joint]
    (refused,) = (each for each in joints if not each.joined)
    assert refused.why == "product"
    assert len(pictures("two-matmuls")[-1].kernels) == 2


def test_softmax_is_one_kernel_that_reads_and_writes_once() -> None:
    last = pictures("softmax")[-1]
    assert last.stage == "CUDA"
    matrix = 1024 * 4096 * 4
    assert len(last.kernels) == 1
    assert last.work.bytes == pytest.approx(3 * matrix, rel=0.01), "read, and loaded and written"


def test_without_fusion_each_operation_is_a_kernel() -> None:
    last = pictures("softmax", fusion="none")[-1]
    assert len(last.kernels) == 5
    assert not any(each.joint for each in pictures("softmax", fusion="none"))


def test_what_is_switched_off_does_not_happen() -> None:
    assert "rewrite" in {each.stage for each in pictures("untidy")}
    off = dict.fromkeys(
        ("dead_code", "common", "constants", "identities", "casts", "transposes", "broadcasts", "patterns"), False
    )
    assert "rewrite" not in {each.stage for each in pictures("untidy", **off)}
    assert "tiles" in {each.stage for each in pictures("transposed")}
    assert "tiles" not in {each.stage for each in pictures("transposed", tile=0)}
    assert "rows first" not in {each.stage for each in pictures("columns", rows_first=False)}
    assert "vectors" not in {each.stage for each in pictures("columns", width=0)}


def test_a_small_cache_needs_tiles() -> None:
    made = {each.stage: each for each in pictures("transposed", cache=32)}
    assert made["tiles"].work.bytes < made["loops"].work.bytes / 2


def test_bad_programs_are_refused_in_words() -> None:
    with pytest.raises(LabError, match=r"^Line 2, column 12: y has no value yet; give it one above"):
        list(run(Params(program="def f(x: f32[4]):\n    return y")))


def test_counted_bytes_are_what_was_predicted() -> None:
    source = "def f(x: f32[96, 200]):\n    return softmax(x * 2, -1)\n"
    last = list(run(Params(program=source, count=True, cache=32)))[-1]
    assert last.stage == "counted"
    assert last.before.bytes == pytest.approx(last.work.bytes, rel=0.1)
    assert last.work.bytes == sum(kernel.work.bytes for kernel in last.kernels)
    large = pictures("softmax", count=True)[-1]
    assert large.work == large.before
    assert "smaller shapes" in large.text


@pytest.mark.parametrize("policy", ["cost", "greedy"])
def test_what_grows_without_end_is_stopped(policy: str) -> None:
    """Squares of squares have as many factors as there are atoms, and a loop may be unrolled to anything."""
    squares = "def f(a: f32[64]):\n    for _ in range(40):\n        a *= a\n    return a\n"
    assert len(list(run(Params(program=squares, fusion=policy, fast_math=True)))) < 100  # type: ignore[arg-type]
    long = "def f(a: f32[64]):\n    for _ in range(100):\n        a = a * a + a\n    return a\n"
    with pytest.raises(LabError, match="200 operations"):
        list(run(Params(program=long)))
