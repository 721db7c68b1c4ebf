"""What each way answers, against NumPy and against what is known of it; what it says where it does not answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from labs.contract import LabError
from native.compilers.trace_or_script import SAYS, Answers, Params, run
from native.compilers.trace_or_script.functions import PROGRAMS, read, write

ROWS = {way: row for row, way in enumerate(SAYS)}


def dimensions(x: Any) -> Any:
    for _ in range(x.ndim):
        x = np.sin(x) + 1
    return x


ORACLES: dict[str, Callable[[Any], Any]] = {
    "branch": lambda x: x if x.sum() > 0 else -2 * x,
    "dimensions": dimensions,
    "number": lambda x: x * int(x.max()),
    "halves": lambda x: x[: len(x) // 2] + x[len(x) // 2 : len(x) // 2 * 2],
    "rows": lambda x: x.sum(0),
}


def last(**params: Any) -> Answers:
    *_, found = run(Params(**params))
    return found


def wrong(found: Answers, way: str) -> int:
    return found.verdicts[ROWS[way]].count("wrong")


@pytest.mark.parametrize("example", [1, 2, 3, 4])
@pytest.mark.parametrize("program", ORACLES)
def test_python_says_what_numpy_says(program: Any, example: int) -> None:
    found = last(program=program, example=example)
    for text, answer in zip(found.inputs, found.answers[0], strict=True):
        expected = ORACLES[program](read(text).numpy())
        np.testing.assert_allclose(read(answer).numpy().reshape(np.shape(expected)), expected, rtol=1e-3)


@pytest.mark.parametrize("example", [1, 2, 3, 4])
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_holds_for_every_function_and_example(program: Any, example: int) -> None:
    found = last(program=program, example=example)
    assert set(found.verdicts[ROWS["eager"]]) == {"right"}
    assert set(found.verdicts[ROWS["compile"]]) == {"right"}, "guards: it is written down anew instead"
    assert wrong(found, "script") == 0, "it reads the source, or refuses it"
    for way in ("trace", "export"):
        assert found.verdicts[ROWS[way]][example - 1] in ("right", "refused") or program == "counter"
    for row, verdicts in enumerate(found.verdicts):
        for answer, verdict in zip(found.answers[row], verdicts, strict=True):
            same = answer == found.answers[0][found.answers[row].index(answer)]
            assert verdict != "wrong" or not same or program == "counter"
            assert len(answer) <= 160 and "/" not in answer


def test_a_branch_is_traced_as_it_was_taken() -> None:
    """Mistake 26: traced with a negative sum, (1, 2) becomes (−2, −4); scripted it stays."""
    found = last()
    column = found.inputs.index("1 2")
    assert [found.answers[ROWS[way]][column] for way in ("eager", "trace", "script", "compile")] == [
        "1 2",
        "-2 -4",
        "1 2",
        "1 2",
    ]
    assert found.verdicts[ROWS["export"]] == ["refused"] * 4
    assert "data-dependent" in found.code[ROWS["export"]]
    assert found.code[ROWS["compile"]].count("# graph") == 2
    assert any("Data-dependent branching" in note for note in found.notes[ROWS["compile"]])
    assert all(any("deprecated" in note for note in found.notes[ROWS[way]]) for way in ("trace", "script"))


def test_a_loop_is_traced_as_often_as_it_ran() -> None:
    found = last(program="dimensions", example=1)
    assert found.code[ROWS["trace"]].count("sin") == 2 and wrong(found, "trace") == 3
    assert wrong(last(program="dimensions", example=2), "export") == 2, "its guards do not ask for dimensions"


def test_what_a_function_remembers_is_not_a_tensor() -> None:
    found = last(program="counter")
    assert found.answers[0] == ["1 2", "2 4", "3 6", "12 16"]
    assert wrong(found, "trace") == wrong(found, "export") == 3
    assert len(found.notes[ROWS["compile"]]) >= 3, "it is written down anew at each call"


def test_every_picture_is_of_one_question() -> None:
    log = list(run(Params(program="halves", own="1 2 3")))
    assert [event.stage for event in log if event.asked < 0] == list(SAYS)
    assert log[-1].inputs[-1] == "1 2 3"
    for before, after in pairwise(log):
        known = [[bool(each) for each in row] for row in before.verdicts]
        now = [[bool(each) for each in row] for row in after.verdicts]
        new = np.logical_xor(known, now).sum()
        assert new == (1 if after.asked >= 0 else 5 if "refuses" in after.text else 0)


@pytest.mark.parametrize(
    ("text", "shape"),
    [("5", (1,)), ("1 2", (2,)), ("1 2; 3 4; 5 6", (3, 2)), ("1 2 | 3 4", (2, 1, 2)), ("-1.5", (1,))],
)
def test_inputs_are_read_and_written(text: str, shape: tuple[int, ...]) -> None:
    assert tuple(read(text).shape) == shape
    assert torch.equal(read(write(read(text))), read(text))


@pytest.mark.parametrize(
    ("own", "advice"),
    [
        ("x", "“x” is no number"),
        ("1,2", "“1,2” is no number; numbers look like -1.5, with spaces between them"),
        ("1e999 x", "“x” is no number"),
        ("1 2; 3", "row 2 has 1 number, and row 1 has 2; make them alike"),
        ("1;;2", "row 2 has 0 numbers"),
        ("1 2 | 3", "row 2 has 1 number"),
        ("1; 2 | 3", "matrix 2 has 1 row, and matrix 1 has 2"),
        ("1 " * 65, "at most 64 numbers"),
    ],
)
def test_what_cannot_be_read_is_refused_with_advice(own: str, advice: str) -> None:
    with pytest.raises(LabError, match=f"An input of yours: {re.escape(advice)}"):
        list(run(Params(own=own)))


def test_an_input_that_python_cannot_answer_is_refused_by_all() -> None:
    found = last(program="rows", own="nan")
    assert found.verdicts[0][-1] == "right"
    assert last(program="number", own="nan").verdicts[0][-1] == "refused"


def test_the_walk_through_the_function_is_counted() -> None:
    turns = last(program="dimensions")
    for text, ran in zip(turns.inputs, turns.ran, strict=True):
        n = read(text).dim()
        assert ran == [0, n + 1, n, 1]  # the head of a loop is asked once more than its body
    halves = {True: [0, 1, 1, 0], False: [0, 1, 0, 1]}
    branches = last(program="branch")
    assert branches.ran == [halves[bool(read(text).sum() > 0)] for text in branches.inputs]


def test_only_what_ran_once_has_fixed_a_walk() -> None:
    assert {event.stage for event in run(Params()) if event.fixed} == {"trace", "export"}
