"""What the article on one line says, asked of its lab and its recordings."""

from __future__ import annotations

import dis
import sys
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from article import Article, recorded
from labs.descent.one_line import EXAMPLES, Cut, Params, run

says = Article("descent/01-one-line.mdx").says


def cut(**params: Any) -> Cut:
    (event,) = run(Params(**params))
    return event


def test_what_a_call_takes() -> None:
    says(
        "The arithmetic alone, the same 56 operations on numbers in machine code, takes … ns",
        "That is … of the call",
    )
    (timed,) = recorded("descent/line_clock")
    took = timed["took"][:, 1]
    assert timed["flops"] == 56 and took[-1] < 0.05 * timed["call"][1]
    says("Python itself, whose slowness everyone knows, is a small part", "finding their kernels takes more")
    assert took[0] < took[1] and took[0] < 0.05 * timed["call"][1]
    says("The largest part is what remains")
    assert timed["layers"][3] == "the rest of PyTorch" and took[3] == max(took)
    says("Even the arithmetic alone is far below the roofline", "these layers take nearly all of the time")
    assert timed["arithmetic_reached"] < 0.2


def test_from_the_source_to_the_call() -> None:
    says("It reads 19 characters, makes a tree of nine nodes", "Of CPython 3.11's instructions nine matter here")
    found = cut()
    assert (found.target, found.index) == ("y", [1, 2])
    assert len(found.line) == 19 and len(found.tree) == 9
    kept = recorded("descent/one_line")[0]
    assert kept["python"].startswith("3.11.") and len(kept["code"]) == 9
    says("`dis` lists four more, which start the code, prepare the call, or return")
    assert kept["listed"] == 9 + 4
    if sys.version_info[:2] == (3, 11):
        assert len(found.code) == 9
        listed = [each.opname for each in dis.get_instructions(compile(found.line, "line", "exec"))]
        shown = Counter(each.name for each in found.code)
        assert set(Counter(listed) - shown) == {"RESUME", "PRECALL", "LOAD_CONST", "RETURN_VALUE"}
    says("Only three of the nine do any work: `@`, `+` and the call of `relu`")
    assert sum(each["name"] in ("BINARY_OP", "CALL") for each in kept["code"]) == 3 == len(found.calls)
    says("`@` takes two rounds", "four operators are dispatched, and seven kernels run")
    operators = [each for call in found.calls for each in call.operators]
    assert [each.operator for each in found.calls[0].operators] == ["aten::matmul", "aten::mm"]
    says("`matmul` has one, and each of the others has one for gradients and one that computes")
    ran = [sum(stop.state == "ran" for stop in each.stops) for each in operators]
    assert ran == [1, 2, 2, 2]
    assert len(operators) == 4 and sum(stop.state == "ran" for each in operators for stop in each.stops) == 7


def test_where_the_number_is() -> None:
    says("its three numbers are 16 bytes apart", "A transpose exchanges them and moves no byte")
    found = cut()
    w = found.stored[1]
    assert np.diff(w.path).tolist() == [4, 4] and 4 * w.strides[0] == 16
    assert found.views[0].strides == found.stored[0].strides[::-1]
    turned = cut(line=EXAMPLES["turned"])
    assert [each.bytes for each in turned.stored[:3]] == [each.bytes for each in found.stored[:3]]


def test_two_ways_through_the_line() -> None:
    says("Forward, the number is a sum of three products and `b[2]`", "each of the seven inputs gets a slope")
    found = cut()
    assert [each.sign for each in found.steps] == ["×", "×", "+", "×", "+", "+", "max"]
    assert sum(len(each.path) for each in found.gradients) == 7
    says("The slope of `x[1, 0]` is `w[0, 2]`, and that of `w[0, 2]` is `x[1, 0]`")
    x, w, _ = found.gradients
    assert x.numbers[3] == found.stored[1].numbers[2] and w.numbers[2] == found.stored[0].numbers[3]
    says("together with the result of `relu`: 104 bytes")
    assert found.kept == sum(each.bytes for each in found.tape) == 104
    says("the chosen element is 0. All its slopes are 0, too")
    off = cut(line=EXAMPLES["cut off"])
    assert off.value == "0" and not any(each.path for each in off.gradients)
    says("Ours puts all three into one kernel", "in our kernel only the product goes through memory, as `out`")
    assert found.kernels == 1 and found.loops[0].text.startswith("out[0…] = x[0…] @ w[0…]")
    says("The sum is compared with zero at once, so 64 bytes are not moved")
    assert found.saved == 64 == 2 * 32


def test_instructions() -> None:
    says("Four neighbours of a row fit into 128 bits", "`y[1, 2]` is lane 2 of its tile")
    first, _ = cut().nests
    assert first.tile * 32 == 128 and first.loops[-1].rounds == "lane 2"
    assert cut().lanes.lane == 2 and len(cut().lanes.numbers) == 4
    says("the kernel takes seven steps for one element: three products, three sums, one comparison with zero")
    found = cut()
    signs = [each.sign for each in found.steps]
    assert [signs.count(each) for each in ("×", "+", "max")] == [3, 3, 1]
    says("`f3 0f 10 47 0c`", "`x[1, 0]` lies 12 bytes into its storage")
    first = found.machines[0].rows[0]
    assert (first.bytes, first.key) == ("f3 0f 10 47 0c", "x3")
    says(
        "The function has 13 instructions and 56 bytes on x86-64", "17 instructions of four bytes", "25 in 53 bytes"
    )
    assert [(len(each.rows), each.size) for each in found.machines] == [(13, 56), (17, 68), (17, 68), (25, 53)]
    says("Its instructions are the shortest, and it needs the most: 25 in 53 bytes")
    assert min(each.size / len(each.rows) for each in found.machines) == 53 / 25


def test_roundings() -> None:
    says(
        "The result prints as 2.1. Its bits say 2.0999999046…, the nearest that a float32 comes to 2.1",
        "Four of the seven operations had to round",
    )
    found = cut()
    assert found.value == "2.1" and found.bits.stored.startswith("2.0999999046") and found.bits.roundings == 4
    assert np.float32(2.1) == np.float32(found.bits.stored.rstrip("…"))
    says("Each rounding stays within half an ulp")
    assert max(abs(each.error) for each in found.steps) <= 0.5
    says("Even without these roundings the result would not be 2.1")
    assert found.bits.unrounded.startswith("2.09999997")
    says("It is stored as 1.2999999523, but the float32 nearest to the unrounded sum is the next one up")
    left = cut(element=5)
    assert left.index == [1, 1] and left.bits.stored.startswith("1.2999999523")
    numbers = [Fraction(each.rstrip("…")) for each in (left.bits.stored, left.bits.above, left.bits.unrounded)]
    assert abs(numbers[1] - numbers[2]) < abs(numbers[0] - numbers[2])
    says("Two operations rounded, both downwards")
    assert [each.error < 0 for each in left.steps if each.error] == [True, True]


def test_the_exercises() -> None:
    says("answer={12}", "answer={44}", "72 bytes: 6 numbers of `x` and 12 of `w`")
    assert [4 * place for place in (cut(element=3).stored[1].path[0], cut(element=3).stored[1].path[-1])] == [
        12,
        44,
    ]
    assert sum(each.bytes for each in cut(line=EXAMPLES["no relu"]).tape) == 72
    says("How many of its five operations have to round?", "None: 0.25 · 1.5, 1 · (−0.5) and 2 · 2")
    turned = cut(line=EXAMPLES["turned"])
    assert len(turned.steps) == 5 and turned.bits.roundings == 0
    products = [(each.left, each.right) for each in turned.steps if each.sign == "×"]
    assert products == [("0.25", "1.5"), ("1", "−0.5"), ("2", "2")]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_taken(name: str) -> None:
    assert cut(line=EXAMPLES[name]).machines
