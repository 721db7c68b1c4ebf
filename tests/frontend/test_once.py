"""Who comes back to settings sees at once what they gave; what went wrong, or was left early, is made anew."""

from typing import Any

from in_node import told


def runs(*values: int, ends: str = "ok", leave: int | None = None) -> list[dict[str, Any]]:
    more = {} if leave is None else {"leave": leave}
    return [{"params": {"bits": value}, "ends": ends, **more} for value in values]


def made(asked: list[dict[str, Any]]) -> tuple[list[list[str]], list[int]]:
    found = told("run_once.mjs", asked)
    return found["came"], [params["bits"] for params in found["made"]]


def test_a_run_that_ended_well_is_made_once() -> None:
    came, again = made(runs(3, 4, 3))
    assert came == [["started", "s/lab 1", "end"], ["started", "s/lab 2", "end"], ["started", "s/lab 1", "end"]]
    assert again == [3, 4]


def test_a_run_that_failed_or_was_stopped_is_made_anew() -> None:
    for ends in ("failed", "cancelled", "timed_out"):
        assert made([*runs(3, ends=ends), *runs(3)])[1] == [3, 3]


def test_a_run_that_a_reader_left_is_made_anew() -> None:
    assert made([*runs(3, leave=2), *runs(3, 3)])[1] == [3, 3]


def test_one_can_be_left_that_is_known() -> None:
    assert made([*runs(3), *runs(3, leave=1), *runs(3)]) == (
        [["started", "s/lab 1", "end"], ["started"], ["started", "s/lab 1", "end"]],
        [3],
    )


def test_of_many_those_are_forgotten_that_were_not_asked_for_longest() -> None:
    assert made(runs(1, 2, 3, 4, 5, 6, 7, 8, 1, 9, 1, 2))[1] == [*range(1, 10), 2]
