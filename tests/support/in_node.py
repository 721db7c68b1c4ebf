"""The frontend's own code, run by Node: a script reads JSON and writes JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NODE = Path(sys.executable).with_name("node")  # beside python


def told(script: str, asked: object) -> Any:
    """What a script of ``tests/frontend`` answers; it is run in ``frontend``."""
    done = subprocess.run(
        [NODE, ROOT / "tests" / "frontend" / script],
        input=json.dumps(asked),
        cwd=ROOT / "frontend",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
