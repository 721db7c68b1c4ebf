"""As much of HTTP/1.1 as the servers need: where a request ends, and what is answered to it."""

from __future__ import annotations

import socket
import sys
import time
from dataclasses import dataclass
from functools import cache

END = b"\r\n\r\n"
"""Ends the head of a request. A GET has nothing after it."""
BODY = b"Hello from below.\n"


@dataclass(frozen=True)
class Options:
    """What a server is told when it starts."""

    wait: float = 0.0
    """Seconds that the handler waits for something else, such as a database."""
    keep_alive: bool = True
    """A connection serves one request after the other."""
    length: bool = True
    """The answer says how long it is. Without it, only the end of the connection can end the answer."""
    whole: bool = True
    """An answer is sent at once. Otherwise head and body go one after the other, with Nagle's algorithm on."""
    prints: bool = False
    """A line for each request."""
    backlog: int = 128
    """Connections that the system keeps until the server accepts them."""
    threads: int = 8
    """Of the pool."""


@cache
def answer(options: Options) -> tuple[bytes, ...]:
    """What is sent, in one piece or in two."""
    lines = ["HTTP/1.1 200 OK", "Content-Type: text/plain"]
    if options.length:
        lines.append(f"Content-Length: {len(BODY)}")
    if not options.keep_alive:
        lines.append("Connection: close")
    head = "\r\n".join(lines).encode() + END
    return (head + BODY,) if options.whole else (head, BODY)


def log(options: Options) -> None:
    if options.prints:
        sys.stderr.write(f"GET / HTTP/1.1 200 {time.time()}\n")


def converse(connection: socket.socket, options: Options) -> None:
    """Answer one request of a connection after the other, and block while there is none."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, options.whole)
    received = b""
    with connection:
        while chunk := connection.recv(4096):
            received += chunk
            while END in received:
                _, _, received = received.partition(END)
                time.sleep(options.wait)
                log(options)
                for piece in answer(options):
                    connection.sendall(piece)
                if not options.keep_alive:
                    return
