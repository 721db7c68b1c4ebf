"""One request on a blocking socket, with a clock at each of its stages."""

from __future__ import annotations

import socket
import ssl
import time
from dataclasses import dataclass

from native.speed.threads_io.delays import CONNECTED, context

FIELDS = ("request", "worker", "begin", "connected", "shaken", "first", "done")
"""Of a request: which, by whom, and on the monotonic clock in seconds when it began, when it had a connection, when
the TLS handshake was over, when its answer began, and when it had all of it."""


@dataclass
class Caller:
    """A client that may keep its connection from one request to the next."""

    port: int
    tls: str
    kept: bool
    link: socket.socket | None = None

    def fetch(self, request: int, delay: int, worker: int) -> list[float]:
        """Ask, and wait for the whole answer: the `FIELDS`."""
        begin = connected = shaken = time.monotonic()
        if self.link is None:
            self.link = socket.create_connection(("127.0.0.1", self.port))
            self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
            if self.link.recv(len(CONNECTED)) != CONNECTED:
                raise ConnectionError("the relay hung up")
            connected = shaken = time.monotonic()
            if tls := context(self.tls, ssl.PROTOCOL_TLS_CLIENT):
                self.link = tls.wrap_socket(self.link, server_hostname="localhost")
                shaken = time.monotonic()
        self.link.sendall(ask(delay))
        received = self.link.recv(65536)
        first = time.monotonic()
        while not whole(received):
            received += self.link.recv(65536)
        done = time.monotonic()
        if not self.kept:
            self.link.close()
            self.link = None
        return [request, worker, begin, connected, shaken, first, done]


def ask(delay: int) -> bytes:
    return f"GET /{delay} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def whole(received: bytes) -> bool:
    """Whether this is a head, and a body as long as it says."""
    head, end, body = received.partition(b"\r\n\r\n")
    return bool(end) and len(body) >= int(head.rpartition(b"Content-Length: ")[2])
