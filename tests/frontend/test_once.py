"""Who comes back to settings sees at once what they gave; what went wrong, or was left early, is made anew. And
while a reader looks at one step of a slider, the next is made, unless somebody asks for something else."""

from typing import Any

import pytest
from in_node import told

BITS = {"bits": {"type": "integer", "minimum": 1, "maximum": 20, "default": 12}}
PAUSE_MS = 150


def run(
    value: int, *, ends: str = "ok", leave: int | None = None, figure: int = 0, then: int = 0, lasts: int = 0
) -> Any:
    asked = {"figure": figure, "params": {"bits": value}, "ends": ends, "lasts": lasts, "then": then}
    return asked if leave is None else asked | {"leave": leave}


def runs(*values: int, **how: Any) -> list[Any]:
    return [run(value, **how) for value in values]


def whole(value: int) -> list[str]:
    return ["started", f"s/lab [{value}]", "end"]


def asked(runs: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = told("run_once.mjs", {"properties": BITS, "runs": runs})
    return {"came": found["came"]} | {key: [one["bits"] for one in found[key]] for key in ("made", "stopped")}


def foreseen(properties: Any, first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any] | None:
    """What is made after these two, which nobody has asked for."""
    pair = [run(0, then=then) | {"params": params} for params, then in ((first, 0), (second, PAUSE_MS))]
    _, _, *more = told("run_once.mjs", {"properties": properties, "runs": pair})["made"]
    return more[0] if more else None


def test_a_run_that_ended_well_is_made_once() -> None:
    found = asked(runs(3, 4, 3))
    assert found["came"] == [whole(3), whole(4), whole(3)]
    assert found["made"] == [3, 4]


def test_a_run_that_failed_or_was_stopped_is_made_anew() -> None:
    for ends in ("failed", "cancelled", "timed_out"):
        assert asked([*runs(3, ends=ends), *runs(3)])["made"] == [3, 3]


def test_a_run_that_a_reader_left_is_made_anew() -> None:
    assert asked([*runs(3, leave=2), *runs(3, 3)])["made"] == [3, 3]


def test_one_can_be_left_that_is_known() -> None:
    found = asked([*runs(3), *runs(3, leave=1), *runs(3)])
    assert found["came"] == [whole(3), ["started"], whole(3)]
    assert found["made"] == [3]


def test_of_many_those_are_forgotten_that_were_not_asked_for_longest() -> None:
    assert asked(runs(1, 2, 3, 4, 5, 6, 7, 8, 1, 9, 1, 2))["made"] == [*range(1, 10), 2]


def test_the_next_step_is_made_while_the_reader_looks() -> None:
    found = asked([run(3), run(4, then=PAUSE_MS), run(5)])
    assert found["made"] == [3, 4, 5]
    assert found["came"] == [whole(3), whole(4), whole(5)]


def test_a_reader_who_is_faster_gets_the_rest_as_it_comes() -> None:
    found = asked([run(3), run(4, then=50, lasts=200), run(5, lasts=200)])
    assert (found["made"], found["stopped"]) == ([3, 4, 5], [])
    assert found["came"][-1] == whole(5)


def test_who_asks_for_something_else_does_not_wait_for_it() -> None:
    found = asked([run(3), run(4, then=50, lasts=5000), run(9)])
    assert (found["made"], found["stopped"]) == ([3, 4, 5, 9], [5])


def test_one_that_had_to_make_way_is_made_anew() -> None:
    found = asked([run(3), run(4, then=50, lasts=5000), run(9, figure=1), run(5)])
    assert (found["made"], found["stopped"]) == ([3, 4, 5, 9, 5], [5])
    assert found["came"][-1] == whole(5)


def test_one_that_was_whole_before_another_figure_asked_is_still_good() -> None:
    found = asked([run(3), run(4, then=PAUSE_MS), run(9, figure=1), run(5)])
    assert found["made"] == [3, 4, 5, 9]
    assert found["came"][-1] == whole(5)


def test_who_leaves_one_that_was_foreseen_ends_it() -> None:
    found = asked([run(3), run(4, then=50, lasts=5000), run(5, leave=1, then=50), run(5)])
    assert (found["made"], found["stopped"]) == ([3, 4, 5, 5], [5])


def test_nothing_is_made_for_a_slider_that_is_being_pulled() -> None:
    assert asked(runs(*range(1, 9)))["made"] == [*range(1, 9)]


FRACTION = {"x": {"type": "number", "minimum": 0, "maximum": 0.4, "default": 0}, "seed": BITS["bits"]}
LIST = {"x": {"type": "string", "enum": ["a", "b", "c"], "default": "a"}}
PROGRAM = {
    "x": {"type": "string", "maxLength": 9, "examples": {"one": "1;", "two": "2;", "six": "6;"}, "default": "1;"}
}
SWITCH = {"x": {"type": "boolean", "default": False}}


@pytest.mark.parametrize(
    ("properties", "first", "second", "third"),
    [
        (FRACTION, {"x": 0.1}, {"x": 0.2}, {"x": 0.3}),
        (FRACTION, {"x": 0.2}, {"x": 0.3}, {"x": 0.4}),
        (FRACTION, {"x": 0.3}, {"x": 0.4}, None),
        (FRACTION, {"x": 0.2}, {"x": 0.1}, {"x": 0}),
        (FRACTION, {"x": 0.1}, {"x": 0}, None),
        (FRACTION, {"x": 0.1, "seed": 3}, {"x": 0.2, "seed": 3}, {"x": 0.3, "seed": 3}),
        (FRACTION, {"x": 0.1, "seed": 3}, {"x": 0.2, "seed": 4}, None),
        (FRACTION, {"x": 0.1, "seed": 3}, {"x": 0.1, "seed": 4}, None),
        (LIST, {"x": "a"}, {"x": "b"}, {"x": "c"}),
        (LIST, {"x": "c"}, {"x": "b"}, {"x": "a"}),
        (LIST, {"x": "b"}, {"x": "c"}, None),
        (PROGRAM, {"x": "1;"}, {"x": "2;"}, {"x": "6;"}),
        (PROGRAM, {"x": "1;"}, {"x": "typed"}, None),
        (SWITCH, {"x": False}, {"x": True}, None),
    ],
)
def test_what_lies_one_step_further_is_foreseen(properties: Any, first: Any, second: Any, third: Any) -> None:
    assert foreseen(properties, first, second) == third
