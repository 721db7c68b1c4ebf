"""What a page shows first is what a run would show now: every recording equals a fresh run."""

import json
from pathlib import Path
from platform import python_version
from typing import Any

import pytest
from labs.discover import find
from underhood.author.compare_logs import first_difference
from underhood.contract.validation import canonical, validate
from underhood.machine.provenance import has_cuda
from underhood.record import dumps, path_of, record, tolerance

RECORDINGS = Path(__file__).parents[2] / "content" / "recordings"
LABS = find()
PATHS = sorted(RECORDINGS.rglob("*.json"))


def name_of(path: Path) -> str:
    return str(path.relative_to(RECORDINGS).with_suffix(""))


def minor(version: str) -> list[str]:
    return version.split(".")[:2]


def can_be_made_here(path: Path) -> bool:
    """What a GPU made needs one; what shows the instructions of one Python needs that Python."""
    recording = json.loads(path.read_text("utf-8"))
    python = recording["events"][0]["provenance"]["versions"]["python"]
    if LABS[recording["lab"]].on_device:  # tests/e2e/test_device.py makes one in a browser
        return False
    return (recording["params"].get("device") != "cuda" or has_cuda()) and (
        not LABS[recording["lab"]].shows_python or minor(python) == minor(python_version())
    )


def keys(events: list[Any]) -> list[Any]:
    return [sorted(event) for event in events]


@pytest.mark.parametrize("lab", LABS)
def test_every_lab_has_a_recording_of_its_defaults(lab: str) -> None:
    """Its own; where it takes a GPU that nobody had yet, that of the lab which makes its first pictures."""
    path = path_of(RECORDINGS, lab)
    if LABS[lab].runs_on == ("cuda",) and not path.exists():
        front, *names = LABS[lab].front
        first = json.loads(path_of(RECORDINGS, front).read_text("utf-8"))["params"]
        defaults = canonical(LABS[lab].params())
        assert first == {name: defaults[name] for name in names}
        return
    assert path.is_file(), f"make record ARGS={lab}"
    assert json.loads(path.read_text("utf-8"))["params"] == canonical(LABS[lab].params()), f"make record ARGS={lab}"


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_a_recording_is_a_whole_log_with_provenance(path: Path) -> None:
    text = path.read_text("utf-8")
    recording = json.loads(text)
    lab = LABS[recording["lab"]]
    assert name_of(path) == f"{lab.id}/{recording['name']}"
    assert dumps(recording) == text, "it was edited by hand, or by an older recorder: make record"
    validate(lab, recording["params"])
    started, *events, end = recording["events"]
    assert started["kind"] == "started"
    assert started["provenance"].keys() == {"where", "at", "machine", "versions", "lab_version"}
    assert started["provenance"]["where"] == "recorded"
    assert end == {"kind": "end", "status": "ok", "reason": ""}
    assert events
    assert not {event["kind"] for event in events} & {"queued", "started", "end"}


@pytest.mark.parametrize("path", [path for path in PATHS if can_be_made_here(path)], ids=name_of)
def test_a_recording_equals_a_fresh_run(path: Path) -> None:
    old = json.loads(path.read_text("utf-8"))
    lab = LABS[old["lab"]]
    new = record(lab, validate(lab, old["params"]), old["name"])
    if lab.measures:  # timings differ by nature; the figure must still get the pictures that it knows
        assert keys(new["events"]) == keys(old["events"])
        return
    difference = first_difference(old["events"], new["events"], rel=tolerance(lab))
    assert difference is None, f"{difference}. If that is right: make record ARGS={lab.id}"
