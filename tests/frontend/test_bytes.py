"""The bytes of a number that the tape's figure shows are NumPy's, for every type that a program can name."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from labs.models.traced.evaluate import TYPES

FRONTEND = Path(__file__).parents[2] / "frontend"
BIN = Path(sys.executable).parent  # node stands beside python

HALVES = np.arange(2**16, dtype=np.uint16).view(np.float16)
NUMBERS: dict[str, Any] = {
    "bool": np.array([False, True]),
    "int32": np.array([0, 1, -1, 300, -(2**31), 2**31 - 1], np.int32),
    "int64": np.array([0, 1, -1, 300, 2**40, -(2**53)], np.int64),
    "float16": np.append(HALVES[~np.isnan(HALVES)], np.float16("nan")),
    "float32": np.array([0, -0.0, 0.1, -2.5, 1e-45, 3.4e38, "inf", "-inf", "nan"], np.float32),
    "float64": np.array([0, -0.0, 0.1, -2.5, 5e-324, 1e308, "inf", "-inf", "nan"], np.float64),
}


def sent(value: Any) -> float | str:
    """As a picture of the lab says it: words for what is no number."""
    return float(value) if np.isfinite(value) else str(float(value))


def test_bytes_are_numpys() -> None:
    assert NUMBERS.keys() == TYPES.keys()
    env = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    asked = json.dumps({dtype: [*map(sent, values)] for dtype, values in NUMBERS.items()})
    script = Path(__file__).with_name("bytes_of.mjs")
    done = subprocess.run(["node", script], input=asked, cwd=FRONTEND, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for dtype, told in json.loads(done.stdout).items():
        expected = [value.tobytes().hex() for value in NUMBERS[dtype]]
        assert told == expected, dtype
