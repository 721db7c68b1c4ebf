"""A preview from the browser gives way to the server's log, and never disturbs it."""

from typing import Any

from in_node import told

STARTED, END = {"kind": "started"}, {"kind": "end", "status": "ok", "reason": ""}
FAILED = {"kind": "end", "status": "failed", "reason": "no Python here"}
A, B, C = ({"kind": kind, "text": "."} for kind in "abc")


def come(quick: list[Any], thorough: list[Any], leave: int = 0, hasty: bool = False) -> dict[str, Any]:
    asked = {"quick": quick, "thorough": thorough, "leave": leave, "hasty": hasty}
    found: dict[str, Any] = told("run_ahead.mjs", asked)
    assert {*found["stopped"]} == {"quick", "thorough"} or leave
    return found


def at(ms: int, *events: Any) -> list[Any]:
    return [(ms if n == 0 else 0, event) for n, event in enumerate(events)]


LOG = [f"thorough {kind}" for kind in ("started", "a", "b", "c", "end")]


def test_the_preview_is_shown_and_then_the_log_whole() -> None:
    found = come(at(0, STARTED, A, B, END), at(300, STARTED, A, B, C, END))
    assert found["came"] == ["quick started", "quick a", "quick b", *LOG]
    assert found["asked"]["quick"] == found["asked"]["quick"] | {"lab": "s/front", "params": {"source": "x"}}
    assert found["asked"]["thorough"] == found["asked"]["thorough"] | {
        "lab": "s/lab",
        "params": {"source": "x", "level": 2},
    }


def test_a_log_that_is_faster_needs_no_preview() -> None:
    assert come(at(300, STARTED, A, B, END), at(0, STARTED, A, B, C, END))["came"] == LOG


def test_the_log_takes_over_when_it_has_passed_the_preview() -> None:
    found = come(at(0, STARTED, A, B, END), [*at(100, STARTED, A, B), *at(200, C, END)])
    assert found["came"] == ["quick started", "quick a", "quick b", *LOG]


def test_where_the_server_has_nothing_the_preview_is_shown_to_its_end() -> None:
    preview = [*at(0, STARTED, A), *at(250, B), *at(50, C, END)]
    came = ["quick started", "quick a", "quick b", "quick c", "thorough end"]
    assert come(preview, at(100, FAILED))["came"] == came
    assert come(at(0, STARTED, A, B, C, END), at(200, FAILED))["came"] == came
    assert come([*at(0, STARTED, A), *at(250, "broken")], at(100, FAILED))["came"] == [*came[:2], "thorough end"]


def test_a_preview_that_fails_or_breaks_changes_nothing() -> None:
    log = at(150, STARTED, A, B, C, END)
    assert come(at(0, STARTED, FAILED), log)["came"] == ["quick started", *LOG]
    assert come(at(0, STARTED, "broken"), log)["came"] == ["quick started", *LOG]


def test_a_log_that_ends_early_is_the_last_word() -> None:
    found = come(at(0, STARTED, A, B, END), at(150, STARTED, A, FAILED))
    assert found["came"] == ["quick started", "quick a", "quick b", *LOG[:2], "thorough end"]


def test_who_waits_in_the_queue_hears_of_it() -> None:
    found = come([], [*at(0, {"kind": "queued", "position": 1}), *at(50, STARTED, A, B, C, END)])
    assert found["came"] == ["thorough queued", *LOG]


def test_a_reader_who_leaves_stops_both() -> None:
    found = come(at(0, STARTED, A, B, END), at(50, STARTED, A, B, C, END), leave=2)
    assert found["came"] == ["quick started", "quick a"]


def test_while_a_reader_types_only_the_preview_runs() -> None:
    calm, hasty = (
        come(at(0, STARTED, A, B, END), at(0, STARTED, A, B, C, END), hasty=each) for each in (False, True)
    )
    assert calm["asked"]["thorough"]["ms"] < 200
    assert hasty["asked"]["quick"]["ms"] < 200
    assert hasty["asked"]["thorough"]["ms"] >= 290
    assert hasty["came"] == ["quick started", "quick a", "quick b", *LOG]


def test_the_server_is_asked_when_the_preview_is_over_or_late() -> None:
    """Where both are one machine, the server's compiler would take the time of the first pictures."""
    made, late = (
        come(at(ms, STARTED, A, B, END), at(0, STARTED, A, B, C, END))["asked"]["thorough"]["ms"]
        for ms in (50, 300)
    )
    assert made >= 45
    assert 95 <= late < 290
