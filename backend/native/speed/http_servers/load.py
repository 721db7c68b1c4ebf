"""A load generator: one process, some connections, and a clock for every request.

Closed loop: each connection asks again as soon as it has its answer, so a server that stalls is asked less. Open
loop: requests are due at a fixed rate, whatever the server does; one that is due while every connection is busy
waits, and its waiting counts. A timer that starts only when the request is sent would leave that out, which Gil
Tene called coordinated omission.

``python -m native.speed.http_servers load PORT CONNECTIONS SECONDS RATE`` writes when it started, on the monotonic
clock, and then rows of `FIELDS`, all as float64. A rate of 0 is a closed loop.
"""

from __future__ import annotations

import heapq
import selectors
import socket
import sys
import time
from array import array
from dataclasses import dataclass

from native.speed.http_servers.http import END

FIELDS = ("connection", "due", "connect", "sent", "first", "done", "outcome")
"""Of one request: which connection, and in seconds from the start when it was due, when its connection was asked
for (-1 if it was there), when it was sent, when its answer began and ended, and an index of `OUTCOMES`."""
OUTCOMES = ("ok", "no length", "hung up", "timeout", "unanswered")
OK, NO_LENGTH, HUNG_UP, TIMEOUT, UNANSWERED = range(5)
REQUEST = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
PATIENCE = 1.0
"""Seconds until a client gives up a request."""
EVERY = 0.1
"""Seconds from one batch of rows to the next."""
GRACE = 0.25
"""Seconds that the last requests may take when no more are made."""


@dataclass
class Client:
    """One connection, and the request that is on it, if there is one."""

    number: int
    link: socket.socket | None = None
    due: float = 0.0
    connect: float = -1.0
    sent: float = -1.0
    first: float = -1.0
    received: bytes = b""


class Load:
    def __init__(self, port: int, connections: int, seconds: float, rate: float) -> None:
        self.port, self.seconds, self.rate = port, seconds, rate
        self.idle = list(range(connections))
        self.clients = [Client(number) for number in range(connections)]
        self.busy: dict[int, Client] = {}
        self.ready = selectors.DefaultSelector()
        self.rows = array("d", [time.monotonic()])
        self.asked = 0
        self.start = self.rows[0]

    def now(self) -> float:
        return time.monotonic() - self.start

    def run(self) -> None:
        self.flush()
        flushed = 0.0
        while (now := self.now()) < self.seconds or (self.busy and now < self.seconds + GRACE):
            if now < self.seconds:
                self.ask(now)
            for key, _ in self.ready.select(self.pause(now)):
                self.read(key.data) if key.data.sent >= 0 else self.send(key.data)
            for client in [each for each in self.busy.values() if now - each.due > PATIENCE]:
                self.over(client, TIMEOUT, keep=False)
            if now - flushed > EVERY:
                flushed = now
                self.flush()
        for client in list(self.busy.values()):
            self.over(client, UNANSWERED, keep=False)
        self.flush()

    def pause(self, now: float) -> float:
        """Until the next request is due, a batch of rows is, or no more requests are made."""
        if now >= self.seconds:
            return EVERY / 5
        following = self.asked / self.rate - now if self.rate and self.idle else EVERY
        return max(0.0, min(EVERY, following, self.seconds - now))

    def ask(self, now: float) -> None:
        """Every request that is due and has a connection."""
        while self.idle and (not self.rate or self.asked / self.rate <= now):
            client = self.clients[heapq.heappop(self.idle)]
            client.due = self.asked / self.rate if self.rate else self.now()
            self.asked += 1
            self.busy[client.number] = client
            client.sent, client.connect, client.first, client.received = -1.0, -1.0, -1.0, b""
            if client.link:
                self.send(client)
            else:
                self.connect(client)

    def connect(self, client: Client) -> None:
        client.connect = self.now()
        client.link = socket.socket()
        client.link.setblocking(False)
        client.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        client.link.connect_ex(("127.0.0.1", self.port))
        self.ready.register(client.link, selectors.EVENT_WRITE, client)

    def send(self, client: Client) -> None:
        assert client.link
        if client.connect >= 0:
            if client.link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                return self.over(client, HUNG_UP, keep=False)
            self.ready.modify(client.link, selectors.EVENT_READ, client)
        client.sent = self.now()
        try:
            client.link.send(REQUEST)
        except OSError:
            self.over(client, HUNG_UP, keep=False)

    def read(self, client: Client) -> None:
        assert client.link
        try:
            chunk = client.link.recv(65536)
        except OSError:
            return self.over(client, HUNG_UP, keep=False)
        if client.number not in self.busy:  # the server hung up on a connection that asks for nothing
            return self.forget(client)
        if not chunk:
            return self.over(client, NO_LENGTH if END in client.received else HUNG_UP, keep=False)
        if client.first < 0:
            client.first = self.now()
        client.received += chunk
        head, end, body = client.received.partition(END)
        length = header(head, b"content-length")
        if end and length and len(body) >= int(length):
            self.over(client, OK, keep=header(head, b"connection") != b"close")

    def over(self, client: Client, outcome: int, keep: bool) -> None:
        done = self.now()
        self.rows.extend((client.number, client.due, client.connect, client.sent, client.first, done, outcome))
        del self.busy[client.number]
        if not keep:
            self.forget(client)
        heapq.heappush(self.idle, client.number)

    def forget(self, client: Client) -> None:
        if client.link:
            self.ready.unregister(client.link)
            client.link.close()
            client.link = None

    def flush(self) -> None:
        sys.stdout.buffer.write(self.rows.tobytes())
        sys.stdout.buffer.flush()
        del self.rows[:]


def header(head: bytes, name: bytes) -> bytes:
    """The value of a header; empty if it is not there."""
    for line in head.lower().split(b"\r\n"):
        key, _, value = line.partition(b":")
        if key == name:
            return value.strip()
    return b""
