"""The generated files are what the labs would generate now."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from labs.contract import Event
from labs.discover import find
from underhood.author import generate


def test_generated_files_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "underhood.author.generate", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_they_change_only_with_the_contract() -> None:
    """A hash of the code in them would change with every line of a lab, and its figure has nothing to follow."""
    versions = {lab.version for lab in find().values()}
    for path in generate.OUT.rglob("*.*"):
        text = path.read_text("utf-8")
        assert not [version for version in versions if version in text], f"{path} holds the version of a lab"
        assert path.name != "lab.json" or "version" not in json.loads(text)


def test_check_names_what_is_stale_or_left_over_and_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stale, left = outdated(tmp_path, monkeypatch)
    assert generate.main(["--check"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "series/lab/types.ts is out of date: run make contract",
        "old/gone/lab.json belongs to no lab: run make contract",
    ]
    assert (stale.read_text("utf-8"), left.read_text("utf-8")) == ("before", "{}")


def test_what_is_left_of_a_lab_that_is_gone_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stale, left = outdated(tmp_path, monkeypatch)
    assert generate.main([]) == 0
    assert stale.read_text("utf-8") == "something else"
    assert [path.name for path in tmp_path.iterdir()] == ["series"], "no empty folder stays either"
    assert generate.main(["--check"]) == 0
    assert not left.exists()


def outdated(root: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A generated file that is stale, and one whose lab is gone."""
    stale, left = root / "series" / "lab" / "types.ts", root / "old" / "gone" / "lab.json"
    for path, text in ((stale, "before"), (left, "{}")):
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
    monkeypatch.setattr(generate, "ROOT", root)
    monkeypatch.setattr(generate, "OUT", root)
    monkeypatch.setattr(generate, "generate", lambda: {stale: "something else"})
    return stale, left


def test_every_class_of_every_event_has_a_type() -> None:
    for lab in find().values():
        typescript = (generate.OUT / lab.id / "types.ts").read_text("utf-8")
        assert "export interface Params {" in typescript
        for event in lab.events:
            assert issubclass(event, Event)
            assert f"export interface {event.__name__} {{" in typescript
            assert f'kind: "{event.kind}";' in typescript, "kind is required, so that a union can be told apart"


def test_a_class_name_that_the_types_need_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = next(iter(find().values()))
    taken = {"thing": {"title": "Lab", "type": "object", "properties": {"kind": {"const": "thing"}}}}
    monkeypatch.setattr(generate, "event_schemas", lambda _: taken)
    with pytest.raises(ValueError, match="needs another name for its class Lab"):
        generate.typescript(lab)
