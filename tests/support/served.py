"""A real server in its own process, on a free port of the loopback, with data of its own."""

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "hostile_labs"))  # its labs are found as the package `hostile`

SCRIPT = Path(__file__).parents[1] / "api" / "serve_hostile.py"
SEEDS = itertools.count()
PAGES = {
    "index.html": "<h1>Home</h1>" * 200,
    "404.html": "<h1>There is no page here</h1>",
    "series/index.html": "<h1>Series</h1>",
    "sandbox.html": "<h1>Sandbox</h1>",
    "embed/plain/count/index.html": "<h1>Framed</h1>",
    "labs/labs.json": "{}",
    "labs/packs/labs.contract.abc123.json": "{}",
    "_astro/page.abc123.js": "export const a = 1;\n" * 100,
    "pyodide/python.wasm": "\0asm" * 500,
    "pagefind/pagefind.js": "export const search = 1;\n",
    "pagefind/fragment/en_1a2b3c.pf_fragment": "pagefind_dcd{}",
}


class Server:
    """The process, and a client of it."""

    def __init__(self, data: Path, site: Path, **settings: Any) -> None:
        self.data, self.site = data, site
        self.env = {f"UNDERHOOD_{name.upper()}": str(value) for name, value in settings.items()}
        self.log = data.parent / f"{data.name}.log"
        self.start()

    def start(self) -> None:
        env = {"UNDERHOOD_PRELOAD": "numpy", "UNDERHOOD_DATA": str(self.data)} | self.env
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(SCRIPT), str(self.site)],
                stdout=subprocess.PIPE,
                stderr=log,
                env=os.environ | env,
                text=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        if not found:
            self.process.stdout.close()
            self.process.wait(10)
            raise AssertionError(self.log.read_text())
        self.url = found[0]
        self.client = self.new_client()
        self.until(lambda: self.client.get("/api/health").status_code == 200)

    def new_client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=30)

    def until(self, check: Callable[[], bool], seconds: float = 15) -> None:
        give_up = time.monotonic() + seconds
        while True:
            try:
                if check():
                    return
            except httpx.TransportError:
                assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < give_up, "it did not come about"
            time.sleep(0.02)

    def stop(self, number: int = signal.SIGTERM) -> float:
        """Seconds that the process took to end."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(20)
        took = time.monotonic() - began
        assert self.process.stdout is not None
        self.process.stdout.close()
        return took

    def ask(self, lab: str, **params: Any) -> str:
        """Start a run and return its id."""
        answer = self.client.post("/api/runs", json={"lab": lab, "params": params})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def count(self, upto: int = 3, pause: float = 0.0) -> str:
        return self.ask("plain/count", upto=upto, pause=pause, seed=next(SEEDS))

    def messages(self, run: str, after: int = 0) -> Iterator[dict[str, Any]]:
        """The messages of one stream: id, event, data (parsed) and retry."""
        with self.client.stream("GET", f"/api/runs/{run}/events", headers={"Last-Event-ID": str(after)}) as answer:
            if answer.status_code == 204:
                return
            assert answer.status_code == 200, answer.read()
            message: dict[str, Any] = {}
            for line in answer.iter_lines():
                if not line:
                    if "data" in message:
                        yield message
                    message = {}
                    continue
                name, _, value = line.partition(": ")
                message[name] = json.loads(value) if name in ("data", "id", "retry") else value

    def events(self, run: str) -> list[dict[str, Any]]:
        """Everything that a run says, to its end."""
        return [message["data"] for message in self.messages(run)]

    def children(self) -> list[int]:
        """All processes that descend from the server, through its forkserver."""
        parents: dict[int, int] = {}
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if state != "Z":
                parents[int(entry.name)] = int(parent)
        found, new = set[int](), {self.process.pid}
        while new:
            new = {pid for pid, parent in parents.items() if parent in new} - found
            found |= new
        return sorted(found)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("site")
    for name, text in PAGES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, site: Path) -> Iterator[Server]:
    """One server for all tests that leave it as they found it."""
    server = Server(tmp_path_factory.mktemp("server") / "data", site)
    yield server
    took = server.stop()
    server.client.close()
    assert took < 5, f"the server took {took:.1f} s to stop"
    problems = [line for line in server.log.read_text().splitlines() if " ERROR " in line]
    assert not problems


@pytest.fixture
def serve(tmp_path: Path, site: Path) -> Iterator[Callable[..., Server]]:
    """Start a server of this test's own, with settings by name; it may be stopped and started again."""
    servers: list[Server] = []

    def serve(**settings: Any) -> Server:
        servers.append(Server(tmp_path / "data", site, **settings))
        return servers[-1]

    yield serve
    for server in servers:
        if server.process.poll() is None:
            server.stop(signal.SIGKILL)
        server.client.close()
