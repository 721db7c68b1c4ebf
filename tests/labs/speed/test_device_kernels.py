"""The modules for browsers give NumPy's product in float64, whole, in V8; so do teams of any size."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from native.models.device_kernel import MODULES
from native.models.kernel import made

SCRIPT = Path(__file__).parents[1] / "browser" / "products.mjs"
IKJ, PACKED = 3, 6  # as in matmul.c
# Around every width of a tile and of a block that is left over.
SIZES = (1, 2, 3, 8, 9, 11, 12, 13, 16, 35, 36, 37, 95, 97, 144, 319, 321, 500)


def errors(folder: Path, jobs: list[dict[str, Any]]) -> list[float]:
    """Of each job the largest difference from the product in float64, as a share of its largest number."""
    for number, job in enumerate(jobs):
        random, n = np.random.default_rng(job["n"]), job["n"]
        for name in "ab":
            random.uniform(-1, 1, (n, n)).astype(np.float32).tofile(folder / f"{name}{number}")
        job |= {name: str(folder / f"{name}{number}") for name in "abc"} | {"rows": job.get("rows", n)}
    (folder / "jobs.json").write_text(json.dumps(jobs))
    node = Path(sys.executable).with_name("node")
    command = [str(node), str(SCRIPT), str(folder / "jobs.json")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return [error(job) for job in jobs]


def error(job: dict[str, Any]) -> float:
    n, rows = job["n"], job["rows"]
    a, b, c = (np.fromfile(job[name], np.float32).reshape(n, n) for name in "abc")
    assert np.isnan(c[rows:]).all(), "it writes nothing else"
    exact = a[:rows].astype(np.float64) @ b
    return float(np.abs(c[:rows] - exact).max() / np.abs(exact).max())


@pytest.mark.parametrize("name", ["scalar", "simd", "relaxed"])
@pytest.mark.parametrize("version", [IKJ, PACKED], ids=["loops", "packed"])
def test_a_module_gives_the_product(name: str, version: int, tmp_path: Path) -> None:
    jobs = [{"module": str(made(MODULES[name])), "version": version, "n": n, "team": 0} for n in SIZES]
    jobs.append({**jobs[-1], "n": 500, "rows": 333})
    assert max(errors(tmp_path, jobs)) < 1e-5


@pytest.mark.parametrize("name", ["simd_threads", "relaxed_threads"])
def test_a_team_gives_the_product(name: str, tmp_path: Path) -> None:
    """More members than cores, more members than strips of rows: nobody waits for ever."""
    teams = (1, 2, 3, 2 * (os.cpu_count() or 1) + 1)
    module = str(made(MODULES[name]))
    jobs = [
        {"module": module, "version": PACKED, "n": n, "team": team} for team in teams for n in (1, 7, 100, 330, 700)
    ]
    assert max(errors(tmp_path, jobs)) < 1e-5
