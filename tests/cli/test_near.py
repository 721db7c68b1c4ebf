"""The runs that answer a first move: each one setting away from the defaults, made anew when the lab changes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from labs.discover import find
from underhood import near
from underhood.contract.validation import canonical, validate

LABS = find()
BUILT = Path(__file__).parents[2] / "frontend" / "near"


def test_the_nearest_come_first() -> None:
    names = [name for name, _ in near.near(LABS["learning/uniform_quantization"])]
    bits = [int(name.removeprefix("bits=")) for name in names if name.startswith("bits=")]
    default = LABS["learning/uniform_quantization"].params().bits
    assert bits[:2] == [default + 1, default - 1]
    assert bits == sorted(bits, key=lambda each: abs(each - default))


def test_each_setting_at_hand_has_its_turn_and_then_the_others() -> None:
    lab = LABS["speed/launch_queue"]
    changed = [name.partition("=")[0] for name, _ in near.near(lab)]
    assert changed[: near.MOST] == ["n", "calls"] * (near.MOST // 2)
    assert 0 < len(changed[near.MOST :]) <= near.FURTHER
    assert not {"n", "calls"} & {*changed[near.MOST :]}


def test_a_program_has_its_examples() -> None:
    lab = LABS["learning/lstm_gates"]
    own = lab.params().sequence
    texts = {name: params.sequence for name, params in near.near(lab) if name.startswith("sequence=")}
    assert texts
    assert own not in texts.values()
    assert len({*texts.values()}) == len(texts)


@pytest.mark.parametrize("lab", [id for id, lab in LABS.items() if "browser" in lab.runs_on])
def test_a_lab_takes_what_lies_beside_its_defaults(lab: str) -> None:
    defaults = canonical(LABS[lab].params())
    for name, params in near.near(LABS[lab]):
        values = canonical(params)
        validate(LABS[lab], values)
        (other,) = [key for key in values if values[key] != defaults[key]]
        assert name.startswith(f"{other}=")


def test_what_was_recorded_of_another_version_goes(tmp_path: Path) -> None:
    lab = LABS["learning/number_line"]
    folder = tmp_path / lab.id
    assert near.record_near(lab, tmp_path) == len([*near.near(lab)])
    (folder / "bits=99.json").write_text("{}")
    assert near.record_near(lab, tmp_path) == 0, "nothing has changed"
    assert (folder / "bits=99.json").exists()
    assert near.record_near(replace(lab, version="another"), tmp_path) == len([*near.near(lab)])
    assert not (folder / "bits=99.json").exists()
    for path in folder.glob("*.json"):
        kept = json.loads(path.read_text("utf-8"))
        assert kept["name"] == path.stem
        assert kept["events"][-1]["status"] == "ok"


def test_a_lab_takes_no_more_room_than_it_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = LABS["learning/number_line"]
    near.record_near(lab, tmp_path)
    one = max(path.stat().st_size for path in (tmp_path / lab.id).glob("*.json"))
    monkeypatch.setattr(near, "BUDGET", 3 * one)
    assert 3 <= near.record_near(replace(lab, version="another"), tmp_path) < near.MOST


def test_what_measures_has_nothing_near() -> None:
    measures = next(lab for lab in LABS.values() if lab.measures and "browser" not in lab.runs_on)
    assert not [*near.near(measures)]


def test_the_build_made_them_of_these_sources() -> None:
    for lab in LABS.values():
        if next(near.near(lab), None):
            assert near.is_made(lab, BUILT), f"{lab.id}: make build records it"
            assert [*(BUILT / lab.id).glob("*=*.json")], lab.id


def test_a_lab_that_went_takes_its_runs_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (gone := tmp_path / "series" / "gone").mkdir(parents=True)
    monkeypatch.setattr(near, "near", lambda lab: iter(()))
    near.main(tmp_path)
    assert not gone.exists()
