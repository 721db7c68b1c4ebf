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


def near(value: int, **how: Any) -> Any:
    return run(value, **how) | {"near": "bits"}


def runs(*values: int, **how: Any) -> list[Any]:
    return [run(value, **how) for value in values]


def whole(value: int) -> list[str]:
    return ["started", f"s/lab [{value}]", "end"]


def asked(runs: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = told("run_once.mjs", {"properties": BITS, "runs": runs})
    return {"came": found["came"]} | {key: [one["bits"] for one in found[key]] for key in ("made", "stopped")}


def foreseen(properties: Any, first: dict[str, Any], second: dict[str, Any]) -> list[dict[str, Any]]:
    """What is made after these two, which nobody has asked for."""
    pair = [run(0, then=then) | {"params": params} for params, then in ((first, 0), (second, PAUSE_MS))]
    _, _, *more = told("run_once.mjs", {"properties": properties, "runs": pair})["made"]
    return more


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


def moved(*values: Any, seed: int | None = None) -> list[dict[str, Any]]:
    return [{"x": value} | ({} if seed is None else {"seed": seed}) for value in values]


@pytest.mark.parametrize(
    ("properties", "first", "second", "others"),
    [
        (FRACTION, moved(0.1), moved(0.2), moved(0.3, 0.201, 0.199)),
        (FRACTION, moved(0.2), moved(0.201), moved(0.202)),  # and what the reader comes from is known
        (FRACTION, moved(0.3), moved(0.4), moved(0.399)),
        (FRACTION, moved(0.2), moved(0.1), moved(0, 0.099, 0.101)),
        (FRACTION, moved(0.1), moved(0), moved(0.001)),
        (FRACTION, moved(0.1, seed=3), moved(0.2, seed=3), moved(0.3, 0.201, 0.199, seed=3)),
        (FRACTION, moved(0.1, seed=3), moved(0.2, seed=4), []),
        (FRACTION, moved(0.1, seed=3), moved(0.1, seed=4), []),
        (LIST, moved("a"), moved("b"), moved("c")),
        (LIST, moved("b"), moved("c"), moved("a")),
        (LIST, moved("c"), moved("b"), moved("a")),
        (PROGRAM, moved("1;"), moved("2;"), moved("6;")),
        (PROGRAM, moved("1;"), moved("typed"), []),
        (SWITCH, moved(False), moved(True), []),
    ],
)
def test_what_lies_beside_is_foreseen_the_likeliest_first(
    properties: Any, first: Any, second: Any, others: Any
) -> None:
    assert foreseen(properties, *first, *second) == others


def test_the_neighbours_of_what_somebody_has_a_hand_on_are_made() -> None:
    found = asked([near(12, then=PAUSE_MS), run(11), run(12)])
    assert found["made"] == [13, 11, 12]
    assert found["came"] == [whole(11), whole(12)]


def test_whose_hand_comes_again_gets_nothing_twice() -> None:
    assert asked([near(12, then=PAUSE_MS), near(12, then=PAUSE_MS), run(11)])["made"] == [13, 11]


def test_a_hand_that_comes_again_stops_nothing_that_is_being_made() -> None:
    found = asked([near(12, then=50, lasts=200), near(12, then=PAUSE_MS * 4, lasts=200), run(11)])
    assert (found["made"], found["stopped"]) == ([13, 11], [])


def test_what_was_made_for_a_hand_makes_way_for_what_somebody_asks() -> None:
    found = asked([near(12, then=50, lasts=5000), run(3)])
    assert (found["made"], found["stopped"]) == ([13, 3], [13])
    assert found["came"] == [whole(3)]


def test_a_hand_at_the_seed_makes_nothing() -> None:
    item = run(0, then=PAUSE_MS) | {"near": "seed", "params": {"x": 0.1, "seed": 3}}
    assert told("run_once.mjs", {"properties": FRACTION, "runs": [item]})["made"] == []
