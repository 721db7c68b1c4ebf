"""What a page shows first is what its lab declares, and, unless the lab measures, what a run would show now."""

import copy
import json
import sys
from pathlib import Path
from platform import python_version
from typing import Any, get_type_hints

import default_runs
import jsonschema_rs
import pytest
from declared import refuse_undeclared
from labs.contract import Text
from labs.discover import find
from underhood.author.compare_logs import first_difference
from underhood.contract.validation import canonical, validate
from underhood.machine.hardware import hardware
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
    """What a GPU made needs one; what shows the instructions of one Python needs that Python.

    A lab whose numbers depend on how a processor rounds says ``BY_PROCESSOR``: other vectors, other numbers.
    """
    recording = json.loads(path.read_text("utf-8"))
    lab, made = LABS[recording["lab"]], recording["events"][0]["provenance"]
    python = made["versions"]["python"]
    if lab.measures:  # timings differ by nature
        return False
    if getattr(sys.modules[lab.module], "BY_PROCESSOR", False):
        return bool(made["hardware"]["vectors"] == hardware()["vectors"])
    return (recording["params"].get("device") != "cuda" or has_cuda()) and (
        not lab.shows_python or minor(python) == minor(python_version())
    )


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
def test_an_example_is_recorded_to_the_letter(path: Path) -> None:
    """A reader who chooses it sees that run, and need not wait for another."""
    recording = json.loads(path.read_text("utf-8"))
    for name, hint in get_type_hints(LABS[recording["lab"]].params, include_extras=True).items():
        for text in (each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Text)):
            given = recording["params"][name]
            known = [each for each in (text.examples or {}).values() if each.split() == given.split()]
            assert given in known or not known, (
                f"the {name} that is recorded differs from the example in its spaces"
            )


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
    # Those made before hardware told machines apart have none.
    facts = {"where", "at", "machine", "hardware", "versions", "lab_version"}
    assert {*started["provenance"], "hardware"} == facts
    assert started["provenance"]["where"] == "recorded"
    assert end == {"kind": "end", "status": "ok", "reason": ""}
    assert events
    assert not {event["kind"] for event in events} & {"queued", "started", "end"}


@pytest.mark.parametrize("path", PATHS, ids=name_of)
def test_a_recording_holds_what_its_lab_declares(path: Path) -> None:
    recording = json.loads(path.read_text("utf-8"))
    for event in recording["events"][1:-1]:
        refuse_undeclared(LABS[recording["lab"]], event)


def test_what_is_not_declared_is_refused() -> None:
    lab = LABS["learning/uniform_quantization"]
    whole = json.loads(path_of(RECORDINGS, lab.id).read_text("utf-8"))["events"][1]
    name = next(name for name, value in whole.items() if isinstance(value, dict) and "dtype" in value)
    broken = [copy.deepcopy(whole) for _ in range(8)]
    broken[0]["extra"] = 1
    del broken[1]["text"]
    broken[2][name]["dtype"] = "float64"
    broken[3][name]["shape"].append(2)
    broken[4][name]["data"] = "AAAA" + broken[4][name]["data"]
    broken[5]["text"] = None
    broken[6]["text"] = ["It has no values."]
    broken[7]["text"] = [1, "in the place of a template"]
    refuse_undeclared(lab, whole)
    for event in broken:
        with pytest.raises((jsonschema_rs.ValidationError, AssertionError)):
            refuse_undeclared(lab, event)


def case(path: Path) -> Any:
    lab, _, name = name_of(path).rpartition("/")
    return pytest.param(path, id=name_of(path), marks=default_runs.one_worker(lab) if name == "default" else ())


@pytest.mark.parametrize("path", [case(path) for path in PATHS if can_be_made_here(path)])
def test_a_recording_equals_a_fresh_run(path: Path) -> None:
    old = json.loads(path.read_text("utf-8"))
    lab = LABS[old["lab"]]
    if (params := validate(lab, old["params"])) == lab.params():
        new = default_runs.events(lab)
    else:
        _, *new, _ = record(lab, params, old["name"])["events"]
    difference = first_difference(old["events"][1:-1], new, rel=tolerance(lab))
    assert difference is None, f"{difference}. If that is right: make record ARGS={lab.id}"
