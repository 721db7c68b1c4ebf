"""Our server on asyncio beside uvicorn, each asked in turn by wrk, over connections that are kept."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from find_program import find
from native.speed.http_servers.http import Options
from native.speed.http_servers.process import serving
from native.speed.http_servers.serve import Way

from measure.stats import Result

TURNS = 5
RATE_BAR, ERRORS_BAR = 0.8, 0


def servers() -> list[Result]:
    ratios, errors = [], []
    for _ in range(TURNS):
        ours, failed = asked("asyncio")
        theirs, _ = asked("uvicorn")
        ratios.append(ours / theirs)
        errors.append(float(failed))
    return [
        Result("asyncio on sockets to uvicorn, answers a second", tuple(ratios), "×", "score", RATE_BAR),
        Result("the same, requests without an answer", tuple(errors), "", "p95", ERRORS_BAR),
    ]


def asked(way: Way) -> tuple[float, int]:
    """Answers a second, and errors of all kinds that wrk saw."""
    with tempfile.TemporaryDirectory() as folder, serving(way, Options(), Path(folder, "log")) as server:
        command = [find("wrk"), "-t1", "-c16", "-d2s", f"http://127.0.0.1:{server.port}/"]
        said = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout
    rate = re.search(r"Requests/sec: +([\d.]+)", said)
    assert rate, said
    failed = re.findall(r"(?:connect|read|write|timeout|responses:) (\d+)", said)
    return float(rate[1]), sum(map(int, failed))
