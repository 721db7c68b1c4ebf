"""The command, as a person meets it: what it prints, where, and with which exit code."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from labs.contract import pack
from labs.discover import find
from underhood import record
from underhood.cli import main

COMMAND = [sys.executable, "-m", "underhood"]
LAB = "learning/number_line"


def underhood(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    given = os.environ | {"COLUMNS": "120"} | environment
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, env=given, timeout=60)


@pytest.fixture
def slow_lab(tmp_path: Path) -> dict[str, str]:
    """An environment whose ``native`` package holds one lab that takes a minute, and one that gives up."""
    source = '''
        """{title}: a lab made for a test."""
        import time
        from collections.abc import Iterator
        from dataclasses import dataclass
        from typing import Literal
        from labs.contract import Event, LabError

        @dataclass(frozen=True)
        class Params:
            pass

        @dataclass(frozen=True, kw_only=True)
        class Tick(Event):
            kind: Literal["tick"] = "tick"

        def run(params: Params) -> Iterator[Tick]:
            yield Tick(text="Tick.")
            {then}
            yield Tick(text="Tock.")
        '''
    series = tmp_path / "native" / "series"
    series.mkdir(parents=True)
    for folder in (series, series.parent):
        (folder / "__init__.py").touch()
    (series / "slow.py").write_text(dedent(source).format(title="Slow", then="time.sleep(60)"))
    (series / "weary.py").write_text(dedent(source).format(title="Weary", then='raise LabError("Rest a little.")'))
    return {"PYTHONPATH": str(tmp_path)}


def test_labs_lists_every_lab_with_its_parameters_and_their_ranges() -> None:
    done = underhood("labs")
    assert (done.returncode, done.stderr) == (0, "")
    for lab in find().values():
        assert lab.id in done.stdout
        assert lab.title in done.stdout
    assert "bits: a whole number from 2 to 8 (default 4)" in done.stdout
    assert "runs on browser, cpu" in done.stdout


def test_run_prints_one_sentence_for_each_event() -> None:
    done = underhood("run", LAB, "--bits", "3", "--scheme", "symmetric")
    lab = find()[LAB]
    expected = [event.text for event in lab.run(lab.params(bits=3, scheme="symmetric"))]
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == expected


def test_run_json_prints_the_log_as_the_api_sends_it() -> None:
    done = underhood("run", LAB, "--json", "--low=-2")
    started, *events, end = map(json.loads, done.stdout.splitlines())
    lab = find()[LAB]
    assert done.returncode == 0, done.stderr
    assert started["kind"] == "started"
    assert started["attempt"] == 1
    assert started["provenance"].keys() == {"where", "at", "machine", "hardware", "versions", "lab_version"}
    assert started["provenance"]["lab_version"] == lab.version
    assert events == [pack(event) for event in lab.run(lab.params(low=-2.0))]
    assert end == {"kind": "end", "status": "ok", "reason": ""}


def test_switches_are_on_and_off() -> None:
    lab = "learning/uniform_quantization"
    told = [underhood("run", lab, "--source=normal", *flag) for flag in (["--full_range"], ["--no-full-range"], [])]
    assert [done.returncode for done in told] == [0, 0, 0], told[0].stderr
    assert told[0].stdout != told[1].stdout == told[2].stdout


def test_help_of_a_lab_says_what_it_takes() -> None:
    done = underhood("run", LAB, "--help")
    assert done.returncode == 0
    assert "a whole number from 2 to 8" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "learning/numberline"], ["no lab learning/numberline", f"did you mean {LAB}?"]),
        (["run", "number_line"], [f"did you mean {LAB}?"]),
        (["run", "zzz"], ["no lab zzz", "underhood labs lists them"]),
        (["run"], ["run which lab?", "underhood labs"]),
        (["record", "learning/numberline"], [f"did you mean {LAB}?"]),
        (["run", LAB, "--bits", "99"], ["bits must be a whole number from 2 to 8, not 99"]),
        (["run", LAB, "--bits", "-3"], ["bits must be a whole number from 2 to 8, not -3"]),
        (["run", LAB, "--bits", "four"], ["bits must be a whole number from 2 to 8, not 'four'"]),
        (["run", LAB, "--bits", "4.0"], ["bits must be a whole number from 2 to 8"]),
        (["run", LAB, "--value", "nan"], ["value must be a number from -4 to 4, not nan"]),
        (["run", LAB, "--value", "1e999"], ["value must be a number from -4 to 4, not inf"]),
        (["run", LAB, "--bits", "9" * 5000], ["bits must be a whole number from 2 to 8"]),
        (["run", LAB, "--scheme", "symetric"], ["scheme must be one of 'symmetric', 'asymmetric'"]),
        (["run", LAB, "--bist", "4"], ["no parameter bist", "did you mean bits?"]),
        (["run", LAB, "--bit=4"], ["no parameter bit", "did you mean bits?"]),
        (["run", LAB, "4"], ["'4'"]),
        (["run", "speed/matmul_device"], ["measures its reader's own device", "runs in a browser"]),
        (["labs", "--all"], ["--all"]),
        (["fly"], ["fly", "serve"]),
        ([], ["VERB"]),
        (["serve", "--port", "http"], ["http"]),
    ],
)
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert len(printed.err) < 300
    for word in words:
        assert word in printed.err


def test_the_exit_code_reaches_the_shell() -> None:
    done = underhood("run", LAB, "--bits", "99")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "underhood: bits must be a whole number from 2 to 8, not 99\n"


def test_a_lab_that_gives_up_is_one_line_and_exit_code_1(slow_lab: dict[str, str]) -> None:
    done = underhood("run", "series/weary", **slow_lab)
    assert (done.returncode, done.stdout, done.stderr) == (1, "Tick.\n", "underhood: Rest a little.\n")


def test_a_log_ends_with_the_reason_why_a_lab_gave_up(slow_lab: dict[str, str]) -> None:
    done = underhood("run", "series/weary", "--json", **slow_lab)
    *_, tick, end = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 1
    assert tick == {"text": "Tick.", "kind": "tick"}
    assert end == {"kind": "end", "status": "failed", "reason": "Rest a little."}


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_ctrl_c_ends_a_run_cleanly(slow_lab: dict[str, str], flags: list[str]) -> None:
    environment = os.environ | slow_lab
    command = [*COMMAND, "run", "series/slow", *flags]
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests in the background ignore it
    ) as run:
        assert run.stdout is not None
        before = [run.stdout.readline() for _ in range(2 if flags else 1)]
        assert "Tick." in before[-1], "events are printed as they come"
        begun = time.monotonic()
        run.send_signal(signal.SIGINT)
        rest, complaints = run.communicate(timeout=20)
    assert run.returncode == 130
    assert time.monotonic() - begun < 5
    assert complaints == ""
    assert [json.loads(line) for line in rest.splitlines()] == (
        [{"kind": "end", "status": "cancelled", "reason": ""}] if flags else []
    )


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    shell = f"set -o pipefail; {' '.join(COMMAND)} run {LAB} --json | head -c 10"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout == '{"kind":"s'


def test_a_parameter_is_no_abbreviation_of_an_option(tmp_path: Path) -> None:
    assert record.main(["speed/past_the_row", "--n", "5", "--out", str(tmp_path)]) == 0
    recording = json.loads((tmp_path / "speed/past_the_row/default.json").read_text("utf-8"))
    assert (recording["name"], recording["params"]["n"]) == ("default", 5)


def test_record_writes_what_changed_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def again() -> str:
        assert main(["record", LAB, "--out", str(tmp_path)]) == 0
        return capsys.readouterr().out

    assert "recorded" in again()
    path = tmp_path / LAB / "default.json"
    text = path.read_text("utf-8")
    recording = json.loads(text)
    assert recording.keys() == {"lab", "name", "params", "events"}
    assert (recording["lab"], recording["name"]) == (LAB, "default")
    assert recording["events"][0]["provenance"]["where"] == "recorded"
    assert recording["events"][-1] == {"kind": "end", "status": "ok", "reason": ""}
    assert len(text.splitlines()) == len(recording["events"]) + 2, "one event a line"

    path.write_text(text.replace(recording["events"][0]["provenance"]["at"], "2001-01-01T00:00:00Z"))
    assert "unchanged" in again()
    assert "2001-01-01" in path.read_text("utf-8")

    path.write_text(text.replace('"stage":"scale"', '"stage":"scales"'))
    assert "stage was 'scales' and is now 'scale'" in again()
    assert json.loads(path.read_text("utf-8"))["events"][1:] == recording["events"][1:]


def test_record_renews_the_runs_kept_under_other_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert record.main([LAB, "--bits", "3", "--name", "three_bits", "--out", str(tmp_path)]) == 0
    path = tmp_path / LAB / "three_bits.json"
    text = path.read_text("utf-8")
    path.write_text(text.replace('"kind":"end"', '"kind":"gone"'), "utf-8")
    assert main(["record", LAB, "--out", str(tmp_path)]) == 0
    renewed = json.loads(path.read_text("utf-8"))
    assert (renewed["params"]["bits"], renewed["events"][-1]["kind"]) == (3, "end")
    assert f"{LAB}/default: recorded" in capsys.readouterr().out


@pytest.mark.parametrize("verb", [lambda lab: main(["record", lab]), lambda lab: record.main([lab])])
def test_what_measures_a_readers_device_is_recorded_elsewhere(
    verb: Callable[[str], int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert verb("speed/matmul_device") == 1
    assert "python scripts/record_device.py speed/matmul_device" in capsys.readouterr().err


def test_recording_needs_neither_pydantic_nor_the_web_server(tmp_path: Path) -> None:
    """A machine with a GPU that is borrowed for an hour has PyTorch and NumPy, and little else."""
    code = f"""
        import sys
        for name in ("pydantic", "pydantic_core", "fastapi", "starlette", "uvicorn", "rich"):
            sys.modules[name] = None
        from underhood.record import main
        given = ["--bits", "3", "--scheme", "symmetric", "--name", "three", "--out", {str(tmp_path)!r}]
        sys.exit(main([{LAB!r}, *given]))
    """
    done = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    recording = json.loads((tmp_path / LAB / "three.json").read_text("utf-8"))
    assert recording["params"]["bits"] == 3
    assert recording["params"]["scheme"] == "symmetric"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing"], "there is no lab nothing"),
        ([LAB, "--bist", "3"], "not --bist"),
        ([LAB, "--bits", "x"], "--bits must be int, not 'x'"),
        ([LAB, "--bits"], "--bits must be int, not ''"),
        ([LAB, "--scheme", "x"], "--scheme must be one of symmetric, asymmetric, not 'x'"),
    ],
)
def test_recording_by_module_names_what_is_wrong(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        record.main(arguments)
    assert stopped.value.code == 2
    assert words in capsys.readouterr().err
