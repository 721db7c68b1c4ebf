"""What /bench/ takes: every recorded run as a file, and nothing that is hostile, of another form or impossible."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from in_node import told
from labs.contract import as_base64, unpack
from underhood.machine.measured_file import FORMAT
from underhood.measure import dumps

RECORDED = sorted((Path(__file__).parents[2] / "content/recordings/speed/bench").glob("*.json"))
Run = dict[str, Any]


def run_of(path: Path) -> Run:
    """As bench_this_machine.py would have written it."""
    recording = json.loads(path.read_text("utf-8"))
    started, event = recording["events"][0], recording["events"][-2]
    provenance = {"hardware": {}, **started["provenance"]}
    return {"lab": recording["lab"], "params": recording["params"], "provenance": provenance, "event": event}


def test_every_recorded_run_is_taken() -> None:
    assert told("measured_file.mjs", [dumps([run_of(path)]) for path in RECORDED]) == [{"runs": 1}] * len(RECORDED)
    assert told("measured_file.mjs", [dumps([run_of(path) for path in RECORDED])]) == [{"runs": len(RECORDED)}]


def number(field: str, change: Callable[[np.ndarray], None]) -> Callable[[Run], None]:
    def changed(run: Run) -> None:
        array = unpack(run["event"])[field].copy()
        change(array)
        run["event"][field] = as_base64(array)

    return changed


def words(*path: str, to: Any) -> Callable[[Run], None]:
    def changed(run: Run) -> None:
        *above, last = path
        inner = run
        for name in above:
            inner = inner[name]
        inner[last] = to

    return changed


def put(*place: int, to: float) -> Callable[[np.ndarray], None]:
    def changed(array: np.ndarray) -> None:
        array[place] = to

    return changed


WRONG: dict[str, tuple[Callable[[Run], None], str, str]] = {
    "no provenance": (lambda run: run.pop("provenance"), "missing", "runs[0].provenance"),
    "a field of nobody": (words("event", "html", to="<b>"), "unknown", "runs[0].event"),
    "another lab": (words("lab", to="speed/roofline"), "choice", "runs[0].lab"),
    "a text for a number": (words("params", "threads", to="1"), "type", "runs[0].params.threads"),
    "too many threads": (words("params", "threads", to=4096), "high", "runs[0].params.threads"),
    "a long name": (words("provenance", "machine", to="M" * 301), "long", "runs[0].provenance.machine"),
    "no name": (words("provenance", "machine", to=""), "short", "runs[0].provenance.machine"),
    "a turned name": (words("provenance", "machine", to="a\u202eb"), "invisible", "runs[0].provenance.machine"),
    "a line break": (
        words("provenance", "versions", "numpy", to="1\n2"),
        "invisible",
        "runs[0].provenance.versions.numpy",
    ),
    "a name of code": (words("provenance", "versions", "__proto__", to="1"), "form", "runs[0].provenance.versions"),
    "no day": (words("provenance", "at", to="yesterday"), "form", "runs[0].provenance.at"),
    "a day to come": (words("provenance", "at", to="2031-01-01T00:00:00Z"), "future", "runs[0]"),
    "a day long ago": (words("provenance", "at", to="2001-01-01T00:00:00Z"), "early", "runs[0]"),
    "fewer sizes": (words("event", "sizes", to=[64]), "axis", "runs[0].event.speed"),
    "fewer bytes": (words("event", "peaks", "data", to="AAAA"), "bytes", "runs[0].event.peaks"),
    "no base64": (words("event", "peaks", "data", to="<b>"), "form", "runs[0].event.peaks.data"),
    "a kernel of nobody": (words("event", "kernels", to=["x"] * 6), "choice", "runs[0].event.kernels[0]"),
    "another device": (words("event", "device", to="cuda"), "settings", "runs[0]"),
    "a precision that it lacks": (
        lambda run: (run["params"].update(precision="tf32"), run["event"].update(precision="tf32")),
        "settings",
        "runs[0]",
    ),
    "more threads than chosen": (words("event", "cores", to=[2] * 6), "settings", "runs[0]"),
    "unmeasured": (number("speed", put(0, 0, to=np.nan)), "nan", "runs[0]"),
    "infinite": (number("speed", put(0, 0, 2, to=np.inf)), "nan", "runs[0]"),
    "negative": (number("speed", put(0, 0, 0, to=-1)), "order", "runs[0]"),
    "quartiles that fall": (number("speed", put(0, 0, 0, to=1e9)), "order", "runs[0]"),
    "above its own peak": (number("speed", put(0, 0, to=300)), "peak", "runs[0]"),
    "above any machine": (
        lambda run: (number("peaks", put(to=np.nan))(run), number("speed", put(0, 0, to=1e6))(run)),
        "device",
        "runs[0]",
    ),
    "a peak above any machine": (number("peaks", put(to=1e6)), "roofs", "runs[0]"),
    "a bandwidth below zero": (number("bandwidths", put(0, to=-3)), "roofs", "runs[0]"),
    "a wrong product": (number("error", put(0, 0, to=0.1)), "wrong", "runs[0]"),
    "a bound that allows anything": (number("bound", put(to=2)), "wrong", "runs[0]"),
    "another intensity": (number("intensity", put(0, to=3)), "intensity", "runs[0]"),
}


def test_what_cannot_be_is_refused_with_its_reason_and_place() -> None:
    files = []
    for change, _, _ in WRONG.values():
        run = run_of(RECORDED[0])
        change(run)
        files.append(json.dumps({"format": FORMAT, "runs": [run]}))
    found = told("measured_file.mjs", files)
    expected = [{"why": why, "at": at} for _, why, at in WRONG.values()]
    assert dict(zip(WRONG, found, strict=True)) == dict(zip(WRONG, expected, strict=True))


@pytest.mark.parametrize(
    ("file", "why"),
    [
        ("", "empty"),
        ("{", "json"),
        ("[" * 200_000, "deep"),
        ('{"a":' * 17 + "1" + "}" * 17, "deep"),
        ("7" * (1 << 18), "type"),
        ("7" * ((1 << 18) + 1), "large"),
        ("null", "type"),
        (json.dumps({"format": "underhood/bench/2", "runs": []}), "choice"),
        (json.dumps({"format": FORMAT, "runs": []}), "short"),
        (json.dumps({"format": FORMAT, "runs": [run_of(RECORDED[0])] * 25}), "long"),
        ('"' + "[" * 99 + '\\"{"', "type"),
        ("[]", "type"),
        (json.dumps([{"origin": "recorded", "rows": []}]), "list"),
    ],
    ids=range(13),
)
def test_a_file_that_is_none_does_nothing(file: str, why: str) -> None:
    assert told("measured_file.mjs", [file])[0]["why"] == why
