"""Python's side of the browser's worker, in CPython: what it hands out is what the contract packs."""

import dataclasses
import json
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labs import worker
from labs.contract import LabError, pack

sys.path.append(str(Path(__file__).parents[2] / "scripts"))
from measure.worker import filled

LAB = "learning/uniform_quantization"


def run(params: str, ms: float) -> tuple[list[Any], list[int], tuple[str, str]]:
    """All events of a run in the form that the server sends, how many came in each crossing, and the run's end."""
    version, on_device, stepped = worker.start(LAB, params)
    assert version == worker.known(LAB)[0].version
    assert not on_device
    events, counts = list[Any](), list[int]()
    while True:
        count, text, arrays, status, reason = worker.steps(stepped, ms)
        came = filled(text, bytes(arrays))
        assert len(came) == count
        events += came
        counts.append(count)
        if status:
            return events, counts, (status, reason)


def test_events_are_as_the_contract_packs_them_with_their_arrays_apart() -> None:
    lab, _ = worker.known(LAB)
    expected = [json.loads(json.dumps(pack(event))) for event in lab.run(lab.params())]
    for ms in (0, 0.5, 1e4):
        events, counts, end = run("{}", ms)
        assert events == expected
        assert end == ("ok", "")
        assert all(counts[:-1]), "time passes, and nothing comes"
        assert ms or max(counts) == 1


def test_an_array_begins_where_its_numbers_may() -> None:
    _, text, arrays, _, _ = worker.steps(worker.start(LAB, "{}")[2], 1e4)
    places = list[int]()
    json.loads(text, object_hook=lambda each: places.append(each["data"]) if "dtype" in each else each)
    assert places == sorted(places) and len(places) > 1
    assert not any(place % worker.ALIGNED for place in places)
    assert places[-1] < len(arrays)


def test_what_a_reader_waits_for_does_not_wait_for_what_comes_after_it() -> None:
    passed = list[int]()

    def events() -> Iterator[Any]:
        lab, _ = worker.known(LAB)
        for number, event in enumerate(lab.run(lab.params())):
            passed.append(number)
            yield event

    stepped = events()
    assert worker.steps(stepped, 1e4, 3)[0] == 3
    assert passed == [0, 1, 2]
    assert worker.steps(stepped, 1e4, 0)[3] == "ok"


def test_a_whole_number_from_the_browser_is_the_float_that_the_lab_asks_for() -> None:
    _, hints = worker.known("learning/number_line")
    name = next(name for name, hint in hints.items() if hint is float)
    assert worker.start("learning/number_line", json.dumps({name: 2}))[0]
    starts = [worker.start("learning/number_line", json.dumps({name: value}))[2] for value in (2, 2.0)]
    assert worker.steps(starts[0], 0) == worker.steps(starts[1], 0)


def failing(error: Exception) -> Iterator[Any]:
    yield _raised(error)


def _raised(error: Exception) -> Any:
    raise error


def test_advice_reaches_the_reader_and_a_mistake_of_ours_the_console(capsys: pytest.CaptureFixture[str]) -> None:
    assert worker.steps(failing(LabError("Fewer bits.")), 0) == (0, "[]", bytearray(), "failed", "Fewer bits.")
    *_, what, why = worker.steps(failing(ZeroDivisionError("division by zero")), 0)
    assert (what, why) == ("failed", "The lab stopped with ZeroDivisionError. Reset it, and please report this.")
    assert "division by zero" in capsys.readouterr().err


def test_who_writes_a_lab_is_told_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    monkeypatch.setattr(worker, "report", heard.append)
    frame = traceback.FrameSummary(str(Path(worker.__file__).with_name("bits") / "new.py"), 7, "run")
    monkeypatch.setattr(traceback, "extract_tb", lambda _: traceback.StackSummary.from_list([frame]))
    assert worker.steps(failing(KeyError("n")), 0)[4] == heard[0] == "wasm/labs/bits/new.py:7: KeyError: 'n'"


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

    _, text, arrays, _, _ = worker.steps(reusing(), 1e4)
    came = [
        pack(np.full(3, float(number))) in each.values() for number, each in enumerate(filled(text, bytes(arrays)))
    ]
    assert came == [True, True, True]
