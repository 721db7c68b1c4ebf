"""The runs that answer a first move: each one setting away from the defaults, within what a lab may cost."""

import json
from pathlib import Path

import pytest
from labs.discover import find
from underhood.author import near
from underhood.cli import record_near
from underhood.contract.validation import canonical, validate

LABS = find()
RECORDINGS = Path(__file__).parents[2] / "content" / "recordings"


def test_the_nearest_come_first_and_each_parameter_has_its_turn() -> None:
    names = [name for name, _ in near.near(LABS["learning/number_line"])]
    assert len(names) == len(set(names))
    bits = [int(name.removeprefix("bits=")) for name in names if name.startswith("bits=")]
    default = LABS["learning/number_line"].params().bits
    assert bits[:2] == [default + 1, default - 1]
    assert bits == sorted(bits, key=lambda each: abs(each - default))
    first = [name.partition("=")[0] for name in names]
    assert len(set(first[: len(set(first))])) == len(set(first)), "one of each before the second of any"


@pytest.mark.parametrize("lab", [id for id, lab in LABS.items() if "browser" in lab.runs_on])
def test_a_lab_takes_what_lies_beside_its_defaults(lab: str) -> None:
    defaults = canonical(LABS[lab].params())
    for name, params in near.near(LABS[lab]):
        values = canonical(params)
        validate(LABS[lab], values)
        (other,) = [key for key in values if values[key] != defaults[key]]
        assert name.startswith(f"{other}=")


def test_what_is_no_longer_near_goes_and_nothing_else(tmp_path: Path) -> None:
    lab = LABS["learning/number_line"]
    folder = tmp_path / lab.id
    folder.mkdir(parents=True)
    for name in ("bits=99", "mine"):
        (folder / f"{name}.json").write_text("{}")
    assert record_near(lab, tmp_path) == near.MOST
    assert not (folder / "bits=99.json").exists()
    assert (folder / "mine.json").read_text() == "{}"
    for path in filter(near.is_near, folder.iterdir()):
        kept = json.loads(path.read_text("utf-8"))
        assert kept["name"] == path.stem
        assert kept["events"][-1]["status"] == "ok"


def test_what_is_kept_beside_the_defaults_stays_within_what_a_lab_may_cost() -> None:
    for folder in {path.parent for path in RECORDINGS.rglob("*.json") if near.is_near(path)}:
        assert sum(path.stat().st_size for path in folder.glob("*.json")) <= near.BUDGET, folder


def test_what_measures_has_nothing_near(tmp_path: Path) -> None:
    measures = next(lab for lab in LABS.values() if lab.measures and "browser" not in lab.runs_on)
    assert record_near(measures, tmp_path) == 0
