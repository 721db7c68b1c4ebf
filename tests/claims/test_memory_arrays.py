"""What the article says of structs, arrays and vectors."""

from __future__ import annotations

import math
from typing import Any

import pytest
from labs.bits import integer_bits, struct_layout, vector_growth
from labs.bits.struct_layout import EXAMPLES
from labs.bits.vector_growth.growth import grown
from memory_article import says, struct, vector


def test_the_holes() -> None:
    says("Seven bytes are lost before the `double`, which must begin at a multiple of 8, and three at the end")
    shown = struct()
    assert [each.hole for each in shown.fields] == [0, 7, 0, 0] and shown.tail == 3
    assert (shown.payload, shown.size, shown.best_size) == (14, 24, 16)
    says("bytes, a third less, for moving one line")
    assert struct(fields="double x; char tag; int id; char flag;").size == 24
    assert struct(fields="double x; int id; char tag; char flag;").size == 16
    assert struct(fields="double x; int id; char flag; char tag;").size == 16
    says("of eight items 13 fields are misplaced", "a single struct is fine")
    assert struct(no_tail=True).misaligned == 13 and struct(no_tail=True, items=1).misaligned == 0
    assert struct(no_holes=True).size == 14 == struct(packing="pack_1").size


def test_the_lines() -> None:
    says("Eight structs of 24 bytes take", "two of them lie across a border", "Eight of 16 bytes take two lines")
    assert (struct().lines, len(struct().crossing)) == (3, 2)
    best = struct(fields=EXAMPLES["sorted"])
    assert (best.size, best.lines, best.crossing) == (16, 2, [])


def test_the_node() -> None:
    says(
        "these fields take 1 + 8 + 2 + 8 = 19 bytes", "together 32", "19 bytes are used and 5 added at the end: 24"
    )
    shown = struct(fields=EXAMPLES["node"])
    assert (shown.payload, shown.size, shown.best_size) == (19, 32, 24)


def copies(rule: Any, pushes: int, more: int = 4) -> int:
    capacity = copied = 0
    for size in range(pushes):
        if size == capacity:
            copied += size
            capacity = grown(rule, capacity, size + 1, more)
    return copied


def test_what_pushes_cost() -> None:
    says("So $n$ pushes write fewer than $3n$ items")
    for n in range(1, 65):
        assert n + vector(pushes=n).copies < 3 * n
    says("After 64 pushes it has copied 480 items where doubling copied 63")
    assert vector(pushes=64, growth="a_few_more", more=4).copies == 480
    assert vector(pushes=64).copies == 63
    says("190 for half more, 176 for Python's rule", "against 96 with sixteen more and 63 with doubling")
    assert vector(pushes=64, growth="half_more").copies == 190
    assert vector(pushes=64, growth="python_list").copies == 176
    assert vector(pushes=64, growth="a_few_more", more=16).copies == 96
    says("At 1,000 items sixteen more copies 31,248 items; doubling copies 1,023")
    assert (copies("a_few_more", 1000, 16), copies("double", 1000)) == (31248, 1023)


def test_freed_blocks() -> None:
    says("four of the new blocks begin in memory that was freed")
    assert vector(pushes=64, growth="half_more").reused == 4
    assert vector(pushes=64).reused == 0
    says("Every factor below the golden ratio, 1.618, can do so")
    golden = (1 + math.sqrt(5)) / 2
    assert golden == pytest.approx(1.618, abs=0.0005)
    for factor, fits in ((1.5, True), (1.6, True), (1.63, False), (2.0, False)):
        # all blocks left before the one in use, against the one that is needed next
        assert any(sum(factor**i for i in range(k)) >= factor ** (k + 1) for k in range(1, 60)) == fits


def test_the_kept_pointer() -> None:
    says("after the second push the block is another one", "then nothing is copied, and nothing moves")
    pushes = [each for each in vector_growth.run(vector_growth.Params(keep_pointer=True)) if each.stage == "push"]
    assert [each.dangling for each in pushes[:3]] == [False, True, True]
    kept = vector(keep_pointer=True, reserve=20)
    assert not kept.dangling and kept.copies == kept.moves == 0


def test_the_steps_that_the_text_leads_to() -> None:
    stages = [each.stage for each in integer_bits.run(integer_bits.Params())]
    assert [stages[n - 1] for n in (2, 3, 5, 6, 8, 24)] == ["weights", "invert", "check", "bytes", "add", "flags"]
    stages = [each.stage for each in struct_layout.run(struct_layout.Params())]
    assert [stages[n - 1] for n in (2, 5, 6)] == ["place", "end", "best"]
