"""A private Redis for tests of several folders: a conftest there imports these fixtures.

Not a conftest at the top: that would put this folder on the path, where `labs` would hide the package of that name.
"""

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


class RedisServer:
    """A redis-server on a free port of the loopback, with its own directory; it may be killed and come back."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """As a careful person would set it up: a log on disk that is flushed every second, and nothing evicted."""
        options = {
            "port": self.port,
            "bind": "127.0.0.1",
            "dir": self.directory,
            "appendonly": "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory": "512mb",
            "maxmemory-policy": "noeviction",
            "logfile": self.directory / "redis.log",
        }
        command = ["redis-server", *(str(part) for name, value in options.items() for part in (f"--{name}", value))]
        self.process = subprocess.Popen(command)
        give_up = time.monotonic() + 10
        while not self.answers():
            assert time.monotonic() < give_up and self.process.poll() is None, "redis-server does not start"
            time.sleep(0.01)

    def answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(64).startswith(b"+PONG")
        except OSError:
            return False

    def stop(self, number: int = signal.SIGKILL) -> None:
        self.process.send_signal(number)
        self.process.wait(10)


@pytest.fixture(scope="session")
def start_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], RedisServer]]:
    """Start a redis-server; each is stopped when the tests are over, if it was not stopped before."""
    if shutil.which("redis-server") is None:
        pytest.fail("the tests of scaling out need redis-server: apt-get install redis-server")
    servers: list[RedisServer] = []

    def start() -> RedisServer:
        servers.append(RedisServer(tmp_path_factory.mktemp("redis")))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.stop()


@pytest.fixture(scope="session")
def shared_redis(start_redis: Callable[[], RedisServer]) -> RedisServer:
    """One Redis for all tests that keep to keys of their own."""
    return start_redis()
