"""Web processes and workers around one Redis, each a real process, as an operator would start them."""

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx

LABS = Path(__file__).parents[1] / "hostile_labs"
COMMAND = [sys.executable, "-m", "underhood"]
SEEDS = itertools.count()


def environment(url: str, **settings: Any) -> dict[str, str]:
    values = {"redis_url": url, "labs": "hostile", "preload": "numpy", "lease": 2, "drain": 5} | settings
    named = {f"UNDERHOOD_{name.upper()}": str(value) for name, value in values.items()}
    path = os.pathsep.join([str(LABS), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    return os.environ | {"PYTHONPATH": path} | named


class Process:
    def __init__(self, log: Path, env: dict[str, str], *arguments: str) -> None:
        self.log, self.env, self.arguments = log, env, arguments
        self.start()

    def start(self) -> None:
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*COMMAND, *self.arguments], stdout=subprocess.PIPE, stderr=log, env=self.env, text=True
            )

    def stop(self, number: int = signal.SIGTERM) -> float:
        """Seconds that it took to end."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return time.monotonic() - began


class Worker(Process):
    def __init__(self, log: Path, env: dict[str, str], queue: str = "cpu", concurrency: int = 2) -> None:
        super().__init__(log, env, "worker", "--queue", queue, "--concurrency", str(concurrency))


class Web(Process):
    def __init__(self, log: Path, env: dict[str, str]) -> None:
        super().__init__(log, env, "serve", "--port", "0")
        assert self.process.stdout is not None
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found, log.read_text()
        self.url = found[0]
        self.client = httpx.Client(base_url=self.url, timeout=60)

    def stop(self, number: int = signal.SIGTERM) -> float:
        self.client.close()
        return super().stop(number)

    def post(self, lab: str, supersedes: str | None = None, **params: Any) -> httpx.Response:
        return self.client.post("/api/runs", json={"lab": lab, "params": params, "supersedes": supersedes})

    def ask(self, lab: str, **params: Any) -> str:
        answer = self.post(lab, **params)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def count(self, upto: int = 3, pause: float = 0.0) -> str:
        return self.ask("plain/count", upto=upto, pause=pause, seed=next(SEEDS))

    def show(self, run: str) -> dict[str, Any]:
        shown: dict[str, Any] = self.client.get(f"/api/runs/{run}").json()
        return shown

    def messages(self, run: str) -> Iterator[dict[str, Any]]:
        """The data of a run's events as they come, with the time of arrival; opened again if it breaks off."""
        seen = 0
        while True:
            with self.client.stream("GET", f"/api/runs/{run}/events?after={seen}") as answer:
                message: dict[str, str] = {}
                for line in answer.iter_lines():
                    name, _, value = line.partition(": ")
                    message[name] = value
                    if line or "data" not in message:
                        continue
                    seen = int(message["id"])
                    event = json.loads(message["data"]) | {"received": time.monotonic(), "id": seen}
                    message = {}
                    yield event
                    if event["kind"] == "end":
                        return
            time.sleep(0.1)

    def events(self, run: str) -> list[dict[str, Any]]:
        return list(self.messages(run))


class Cluster:
    def __init__(self, redis: Any, directory: Path, **settings: Any) -> None:
        self.redis, self.directory = redis, directory
        self.env = environment(redis.url, **settings)
        self.processes: list[Process] = []

    def web(self) -> Web:
        return self._add(Web(self._log("web"), self.env))

    def worker(self, queue: str = "cpu", concurrency: int = 2, wait: bool = True) -> Worker:
        before = len(self.announced())
        worker = self._add(Worker(self._log("worker"), self.env, queue, concurrency))
        if wait:
            until(lambda: len(self.announced()) > before)
        return worker

    def start(self, workers: int = 1, concurrency: int = 2) -> tuple[Web, list[Worker]]:
        """A web process and workers, started at the same time to save it."""
        started = [self.worker(concurrency=concurrency, wait=False) for _ in range(workers)]
        web = self.web()
        until(lambda: len(self.announced()) >= workers)
        return web, started

    def keep_alive(self, worker: Worker, stop: threading.Event) -> None:
        """What a service manager does: start it again whenever it has ended."""
        while not stop.wait(0.05):
            if worker.process.poll() is not None:
                worker.start()

    def announced(self) -> list[str]:
        return self.command("HKEYS", "underhood:alive:workers").split()

    def command(self, *words: str) -> str:
        command = ["redis-cli", "-p", str(self.redis.port), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout

    def close(self) -> None:
        for process in self.processes:
            if process.process.poll() is None:
                process.stop(signal.SIGKILL)

    def _add(self, process: Any) -> Any:
        self.processes.append(process)
        return process

    def _log(self, name: str) -> Path:
        return self.directory / f"{name}{len(self.processes)}.log"


def until(check: Callable[[], bool], seconds: float = 20) -> float:
    """Seconds until the check was true."""
    began = time.monotonic()
    while not check():
        assert time.monotonic() < began + seconds, "it did not come about"
        time.sleep(0.02)
    return time.monotonic() - began
