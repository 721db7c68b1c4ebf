"""Python's side of the browser's worker, in CPython: what it hands out is what the contract packs."""

import json
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
