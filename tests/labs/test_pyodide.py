"""The same source gives the same pictures in the reader's browser: Pyodide's log equals CPython's."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from labs.contract import pack
from labs.discover import find
from underhood.author.compare_logs import first_difference
from underhood.record import tolerance

ROOT = Path(__file__).parents[2]
PUBLIC = ROOT / "frontend" / "public"
PORTABLE = {lab.id: lab for lab in find(("labs",)).values() if not (lab.measures or lab.shows_python)}


@pytest.fixture(scope="module")
def logs() -> dict[str, Any]:
    """The logs of all portable labs out of one Pyodide, which takes seconds to start."""
    script = Path(__file__).parent / "browser" / "run_all.mjs"
    subprocess.run([sys.executable, str(ROOT / "scripts" / "pack_labs.py")], check=True)
    command = [str(Path(sys.executable).with_name("node")), str(script), str(PUBLIC)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"has make build put Pyodide there? {done.stderr[-2000:]}"
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("lab", PORTABLE)
def test_pyodide_shows_what_the_server_shows(lab: str, logs: dict[str, Any]) -> None:
    here = [pack(event) for event in PORTABLE[lab].run(PORTABLE[lab].params())]
    assert first_difference(here, logs[lab], rel=tolerance(PORTABLE[lab])) is None
