"""Python's side of the browser's worker, in CPython: what it hands out is what the contract packs."""

import dataclasses
import json
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labs import worker
from labs.contract import LabError, pack

LAB = "learning/uniform_quantization"


def log(params: str) -> list[worker.Step]:
    """Of each step of a run what it gave; the last is the run's end."""
    version, on_device, events = worker.start(LAB, params)
    assert version == worker.known(LAB)[0].version
    assert not on_device
    steps = [worker.step(events)]
    while steps[-1][0] == "event":
        steps.append(worker.step(events))
    return steps


def whole(text: str, arrays: list[Any]) -> Any:
    """An event with its arrays in their places, as the server sends it."""
    return json.loads(text, object_hook=lambda each: pack(arrays[each["data"]]) if "dtype" in each else each)


def test_events_are_as_the_contract_packs_them_with_their_arrays_apart() -> None:
    lab, _ = worker.known(LAB)
    *steps, end = log("{}")
    assert end == ("ok", "", [])
    for (_, text, arrays), event in zip(steps, lab.run(lab.params()), strict=True):
        assert whole(text, arrays) == json.loads(json.dumps(pack(event)))
        assert arrays, "this lab has some"


def test_a_whole_number_from_the_browser_is_the_float_that_the_lab_asks_for() -> None:
    _, hints = worker.known("learning/number_line")
    name = next(name for name, hint in hints.items() if hint is float)
    assert worker.start("learning/number_line", json.dumps({name: 2}))[0]
    steps = [worker.step(worker.start("learning/number_line", json.dumps({name: value}))[2]) for value in (2, 2.0)]
    assert steps[0][1] == steps[1][1]


def failing(error: Exception) -> Iterator[Any]:
    yield _raised(error)


def _raised(error: Exception) -> Any:
    raise error


def test_advice_reaches_the_reader_and_a_mistake_of_ours_the_console(capsys: pytest.CaptureFixture[str]) -> None:
    assert worker.step(failing(LabError("Fewer bits."))) == ("failed", "Fewer bits.", [])
    what, why, _ = worker.step(failing(ZeroDivisionError("division by zero")))
    assert (what, why) == ("failed", "The lab stopped with ZeroDivisionError. Reset it, and please report this.")
    assert "division by zero" in capsys.readouterr().err


def test_who_writes_a_lab_is_told_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(worker, "report", heard.append)
    frame = traceback.FrameSummary(str(Path(worker.__file__).with_name("bits") / "new.py"), 7, "run")
    monkeypatch.setattr(traceback, "extract_tb", lambda _: traceback.StackSummary.from_list([frame]))
    assert worker.step(failing(KeyError("n")))[1] == heard[0] == "wasm/labs/bits/new.py:7: KeyError: 'n'"


def test_steps_cross_over_together_and_none_is_lost() -> None:
    for ms in (0, 0.5, 1e4):
        events, got, status = worker.start(LAB, "{}")[2], list[worker.Step](), ""
        while not status:
            texts, counts, arrays, status, reason = worker.steps(events, ms)
            assert texts or status, "time passes, and nothing comes"
            assert ms or len(texts) <= 1
            for text, count in zip(texts, counts, strict=True):
                got.append(("event", text, [arrays.pop(0) for _ in range(count)]))
            assert not arrays
        for (_, text, own), (_, expected, theirs) in zip(got, log("{}")[:-1], strict=True):
            assert text == expected
            assert all(one.tobytes() == other.tobytes() for one, other in zip(own, theirs, strict=True))
        assert (status, reason) == ("ok", "")


def test_an_event_s_arrays_are_its_own() -> None:
    """The lab goes on within the same crossing, and may write over what it has shown."""

    def reusing() -> Iterator[Any]:
        shared = np.zeros(3)
        lab, _ = worker.known(LAB)
        first = next(iter(lab.run(lab.params())))
        field = next(name for name in vars(first) if isinstance(getattr(first, name), np.ndarray))
        for number in range(3):
            shared[:] = number
            yield dataclasses.replace(first, **{field: shared})

    arrays = worker.steps(reusing(), 1e4)[2]
    assert [float(each[0]) for each in arrays if each.shape == (3,)] == [0.0, 1.0, 2.0]
