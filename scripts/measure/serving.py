"""The server, started as a reader starts it: `underhood serve`, in its own process, on a free port."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE_S = 60


@dataclass(frozen=True)
class Server:
    url: str
    """Without a slash at its end."""
    seconds: float
    """From the start of the process until /api/health answered."""

    def api(self, path: str, body: object = None, method: str | None = None) -> Any:
        """The JSON that ``/api`` + path answers; raises ``HTTPError`` on a refusal."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.url}/api{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)


@contextmanager
def serving(data: Path, site: Path | None = None, port: int = 0) -> Iterator[Server]:
    """A server with its own data directory, stopped at the end. Raises if it does not come up.

    ``site`` is the folder of built pages, if not the usual one. Given the port 0, it takes a free one and says so.
    """
    begun = time.perf_counter()
    environ = {**os.environ, "UNDERHOOD_LOG": "WARNING"} | ({"UNDERHOOD_SITE": str(site)} if site else {})
    command = [sys.executable, "-m", "underhood", "serve", "--port", str(port), "--data", str(data)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip().rpartition(" ")[2]
        if not address.startswith("http://"):
            raise RuntimeError(f"{' '.join(command)} did not say where it is")
        _await_health(address, process)
        yield Server(address, time.perf_counter() - begun)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        finally:
            if process.stdout is not None:
                process.stdout.close()


def _await_health(address: str, process: subprocess.Popen[str]) -> None:
    deadline = time.perf_counter() + PATIENCE_S
    while time.perf_counter() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/api/health", timeout=PATIENCE_S) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.01)
    raise RuntimeError("the server did not come up")
