"""The bench as one file: it runs where there is NumPy and nothing of ours, and writes what its own schema takes."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labs.contract import unpack
from labs.discover import find
from underhood import measure
from underhood.author import single_file
from underhood.author.measured_schema import measured_schema
from underhood.contract.schema import params_schema
from underhood.machine.measured_file import FORMAT, LAB

BENCH = find()[LAB]
RUN = """
import runpy, sys
sys.path.append({here!r})
sys.argv = {arguments!r}
runpy.run_path({file!r}, run_name="__main__")
"""


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the script and a NumPy of its own: no torch, no compiler from PyPI, nothing of ours."""
    folder = tmp_path_factory.mktemp("alone")
    for part in Path(np.__file__).parents[1].glob("numpy*"):  # its libraries and what is known of it lie beside it
        (folder / part.name).symlink_to(part)
    (folder / "bench_this_machine.py").write_text(single_file.script(BENCH), "utf-8")
    return folder


def started(folder: Path, *arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    file = "bench_this_machine.py"
    code = RUN.format(here=str(folder), arguments=[file, *arguments], file=file)
    command = [sys.executable, "-I", "-S", "-c", code]
    environment = {"PATH": path, "HOME": str(folder), "TMPDIR": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def only_run(file: Path) -> dict[str, Any]:
    made = json.loads(file.read_text("utf-8"))
    assert made["format"] == FORMAT
    (run,) = made["runs"]
    assert set(run) == set(measured_schema()["properties"]["runs"]["items"]["properties"])
    assert run["provenance"]["lab_version"] == BENCH.version
    return dict(run)


def test_with_numpy_alone_it_says_what_it_does_not_know(alone: Path) -> None:
    done = started(
        alone, "--sizes", "16 48", "--repetitions", "3", "--threads", "1", "--link", "http://a.b/bench/#x"
    )
    assert done.returncode == 0, done.stderr
    run = only_run(alone / "bench.json")
    event = unpack(run["event"])
    assert event["kernels"] == ["NumPy"]
    assert np.isnan(event["peaks"]).all() and np.isnan(event["bandwidths"]).all()
    assert (event["speed"] > 0).all() and (event["error"] <= event["bound"]).all()
    assert run["provenance"]["versions"].keys() == {"python", "numpy"}
    address, _, carried = done.stdout.splitlines()[-1].partition("#measured=")
    assert address == "http://a.b/bench/"
    packed = base64.urlsafe_b64decode(carried + "=" * (-len(carried) % 4))
    assert json.loads(zlib.decompress(packed, -15)) == json.loads((alone / "bench.json").read_text("utf-8"))
    assert not list(alone.glob("underhood-*"))


@pytest.mark.alone
def test_a_compiler_of_the_system_gives_it_our_kernels_and_the_roofs(alone: Path) -> None:
    done = started(alone, "--sizes", "64", "--repetitions", "3", "--out", "all.json", path=os.environ["PATH"])
    assert done.returncode == 0, done.stderr
    event = unpack(only_run(alone / "all.json")["event"])
    assert event["kernels"] == ["ijk", "ikj", "tiled", "packed", "NumPy"]
    assert (event["peaks"] > 0).all() and (event["bandwidths"] > 0).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--sizes", "many"], "“many” is no size"),
        (["--device", "cuda"], "PyTorch, which is not installed here"),
        (["--precision", "bf16"], "this machine has none"),
        (["--threads", "0"], "invalid choice: 0"),
    ],
)
def test_what_it_cannot_measure_is_said_and_no_file_is_written(
    alone: Path, arguments: list[str], words: str
) -> None:
    done = started(alone, *arguments, "--out", "none.json")
    assert done.returncode
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not (alone / "none.json").exists()


def test_its_options_are_within_what_the_lab_takes() -> None:
    bounds = params_schema(BENCH)["properties"]
    assert bounds["threads"]["maximum"] == measure.MOST_THREADS
    assert bounds["repetitions"]["maximum"] == measure.MOST_REPETITIONS


def test_the_notebook_measures_by_the_same_files() -> None:
    cells = json.loads(single_file.dumps(BENCH))["cells"]
    kept = "".join("".join(cell["source"]) for cell in cells)
    for line in (line for line in single_file.script(BENCH).splitlines() if line.startswith("keep(")):
        assert line in kept
