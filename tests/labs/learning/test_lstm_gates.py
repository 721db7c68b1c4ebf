"""A trained cell, step by step, against torch.nn.LSTM with the same weights."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.contract import LabError
from labs.learning.lstm_gates import EXAMPLES, HELD, STAGES, Params, Picture, cells, follow, run, tasks
from labs.models.recurrent import Floats
from numpy.testing import assert_allclose

ROWS = {"input": 0, "forget": 1, "output": 3}  # the blocks of torch's weights


def last(**params: Any) -> Picture:
    *_, picture = run(Params(**params))
    return picture


def told(sequence: str) -> tasks.Told:
    """What the cell answers, without the pictures."""
    task, text = tasks.read(sequence)
    cell = cells.shipped()[task.name]
    walk = follow(cell, task.encode(text), {}, drop_h=False)
    return tasks.answer(task.name, text, np.array([cell.out @ step.hidden + cell.out_bias for step in walk]))


def through_torch(cell: cells.Cell, xs: Floats, held: dict[str, float], drop_h: bool) -> Floats:
    """Hidden states ``[steps, hidden]``. A gate that is held has no weights and a bias far to one side."""
    hidden = cell.weights.hidden
    x, h, bias = cell.weights.x.copy(), cell.weights.h * (not drop_h), cell.weights.bias.copy()
    for gate, at in held.items():
        rows = slice(ROWS[gate] * hidden, (ROWS[gate] + 1) * hidden)
        x[rows], h[rows], bias[rows] = 0, 0, 100 if at else -100
    lstm = torch.nn.LSTM(xs.shape[1], hidden, dtype=torch.float64)
    with torch.no_grad():
        for name, value in (("weight_ih_l0", x), ("weight_hh_l0", h), ("bias_ih_l0", bias)):
            getattr(lstm, name).copy_(torch.from_numpy(value))
        lstm.bias_hh_l0.zero_()
        found: Floats = lstm(torch.from_numpy(xs))[0].numpy()
    return found


def test_pytorch_computes_the_same_states() -> None:
    rng = np.random.default_rng(0)
    hows = list(itertools.product(["trained", "closed", "open"], repeat=3))
    for example in EXAMPLES.values():
        task, text = tasks.read(example)
        cell = cells.shipped()[task.name]
        for forget, let_in, output in [hows[0], *rng.permutation(hows)[:8]]:
            asked = {"forget": forget, "input": let_in, "output": output}
            held = {gate: HELD[how] for gate, how in asked.items() if how != "trained"}
            drop_h = bool(rng.integers(2))
            xs = task.encode(text)
            ours = np.array([step.hidden for step in follow(cell, xs, held, drop_h)])
            assert_allclose(ours, through_torch(cell, xs, held, drop_h), atol=1e-12)


def walk(rises: list[bool]) -> str:
    """A sequence in which nothing is closed that is not open, and never more than eight are open."""
    text, depth = "", 0
    for rise in rises:
        up = depth == 0 or (rise and depth < tasks.DEEPEST)
        text, depth = text + ("(" if up else ")"), depth + (1 if up else -1)
    return text


@settings(max_examples=40)
@given(st.lists(st.booleans(), min_size=1, max_size=tasks.LONGEST))
def test_the_first_cell_counts_parentheses(rises: list[bool]) -> None:
    answered = told(walk(rises))
    assert_allclose(answered.targets, tasks.depths(walk(rises)))
    assert np.abs(answered.answers - answered.targets).max() < 0.5, "rounded, every answer is right"


def test_the_second_cell_repeats_up_to_four_letters() -> None:
    wrong = [
        text
        for length in range(1, 5)
        for text in map("".join, itertools.product(tasks.LETTERS, repeat=length))
        if told(text + "." * length).off
    ]
    assert not wrong


def test_the_third_cell_beats_the_last_month_where_it_was_not_trained() -> None:
    picture = told(EXAMPLES["passengers"])
    months = tasks.months(EXAMPLES["passengers"])
    seen = ~np.isnan(picture.targets)
    later = seen & (np.arange(24) >= 12)  # months of 1959, the second of which it had a year to read before
    persistence = np.abs(months - picture.targets)[later].mean()
    assert np.abs(picture.answers - picture.targets)[later].mean() < persistence


def test_every_equation_is_a_picture_that_holds_what_it_says() -> None:
    pictures = list(run(Params(sequence="(()")))
    assert [(one.at, one.stage) for one in pictures] == [(at, s) for at in range(3) for s in (*STAGES, "answer")]
    for one in pictures:
        f, i, g, c, o, h = one.values
        assert_allclose(c, f * one.before + i * g, atol=1e-6)
        assert_allclose(h, o * np.tanh(c), atol=1e-6)
        assert np.abs(one.cell[one.at] - (127 + 127 * c / one.peak)).max() < 0.51
        assert np.abs(one.forget[one.at] - 254 * f).max() < 0.51


def test_the_busiest_unit_moves_most() -> None:
    pictures = [one for one in run(Params(sequence="(()())")) if one.stage == "cell"]
    moved = sum(np.abs(one.values[3] - one.before) for one in pictures[1:])
    assert {one.busiest for one in pictures} == {int(np.argmax(moved))}
    assert last(sequence="(").busiest == 0


def test_a_held_gate_stands_where_it_is_held() -> None:
    for gate, (how, value) in itertools.product(ROWS, HELD.items()):
        for one in run(Params(sequence="(())", **{gate: how})):
            assert (one.values[STAGES.index(gate)] == value).all()
    closed = last(sequence="((((", forget="closed")
    assert not (closed.values[0] * closed.before).any()
    assert (last(sequence="(())", output="closed").values[5] == 0).all()


def test_what_the_switches_cost() -> None:
    for wrong in ({"forget": "open"}, {"forget": "closed"}, {"input": "open"}, {"drop_h": True}):
        assert last(**wrong).off > 5 * last().off, wrong


@pytest.mark.parametrize(
    ("sequence", "advice"),
    [
        ("", "is empty"),
        ("())", "place 3 closes nothing"),
        ("(" * 9, "close some earlier"),
        ("()" * 13, "keep it to 24"),
        ("..a", "letters first"),
        ("a.b", "letters first"),
        ("112 nan", "'nan' at place 2"),
        ("112 40", "Month 2 has 40 thousand"),
        ("(a)", "'(a)' at place 1"),
    ],
)
def test_what_cannot_be_read_is_refused_with_advice(sequence: str, advice: str) -> None:
    with pytest.raises(LabError) as refused:
        next(run(Params(sequence=sequence)))
    assert advice in str(refused.value)


def test_a_dot_beyond_the_last_letter_asks_for_nothing() -> None:
    picture = last(sequence="ab....")
    assert picture.wanted == ["", "", "a", "b", "", ""]
    assert last(sequence="abc").off == 0
