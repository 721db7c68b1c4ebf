"""A connection of so many bytes a second in front of a server: what a page, its workers and its service worker load
comes no faster, whichever of them asks."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

CHUNK = 16_384


class Pace:
    """All connections share the rate, as those of one reader do."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.lock = threading.Lock()
        self.free = 0.0

    def wait(self, count: int) -> None:
        with self.lock:
            self.free = max(self.free, time.monotonic()) + count / self.rate
            until = self.free
        time.sleep(max(0.0, until - time.monotonic()))


@contextmanager
def throttled(url: str, rate: float) -> Iterator[str]:
    """The address at which the server answers at ``rate`` bytes a second."""
    server = urlsplit(url)
    pace = Pace(rate)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_accept, args=(listener, (server.hostname, server.port), pace), daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def _accept(listener: socket.socket, server: tuple[str | None, int | None], pace: Pace) -> None:
    while True:
        try:
            reader, _ = listener.accept()
        except OSError:
            return  # closed: nobody measures any more
        remote = socket.create_connection(server)
        for source, target, slow in ((reader, remote, None), (remote, reader, pace)):
            source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=_pass_on, args=(source, target, slow), daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket, pace: Pace | None) -> None:
    try:
        while data := source.recv(CHUNK):
            if pace:
                pace.wait(len(data))
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # the reader has gone
