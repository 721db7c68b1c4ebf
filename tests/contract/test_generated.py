"""The generated files are what the labs would generate now."""

import subprocess
import sys

import pytest
from labs.contract import Event
from labs.discover import find
from underhood import generate


def test_generated_files_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, "-m", "underhood.generate", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_check_names_the_stale_file_and_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = generate.OUT / "labs.ts"
    monkeypatch.setattr(generate, "generate", lambda: {stale: "something else"})
    before = stale.read_text("utf-8")
    assert generate.main(["--check"]) == 1
    assert capsys.readouterr().err == "frontend/src/generated/labs.ts is out of date: run make contract\n"
    assert stale.read_text("utf-8") == before


def test_every_class_of_every_event_has_a_type() -> None:
    typescript = (generate.OUT / "labs.ts").read_text("utf-8")
    for lab in find().values():
        assert f'"{lab.id}": {lab.id.replace("/", "_")}.Lab;' in typescript
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
