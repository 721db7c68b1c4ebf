"""Clients that open connections and do not ask, or ask without end."""

import contextlib
import resource
import socket
import time
from collections.abc import Callable
from typing import Any

Serve = Callable[..., Any]
STARTS = (
    b"",
    b"GET / HTTP/1.1\r\nHost: lo",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT",
    b"POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\n{",
)


def test_whoever_sends_a_byte_now_and_then_is_cut_off(serve: Serve) -> None:
    server = serve(request_seconds=1)
    port = int(server.url.rpartition(":")[2])
    with contextlib.ExitStack() as stack:
        slow = {start: stack.enter_context(socket.create_connection(("127.0.0.1", port))) for start in STARTS}
        for start, connection in slow.items():
            connection.sendall(start)
        give_up = time.monotonic() + 6
        while slow and time.monotonic() < give_up:
            time.sleep(0.2)
            slow = {start: each for start, each in slow.items() if not hung_up(each, start)}
        assert [*slow] == []
    assert server.client.get("/api/health").status_code == 200


def hung_up(connection: socket.socket, start: bytes) -> bool:
    try:
        if start:
            connection.sendall(b"a")
        return connection.recv(65536, socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_the_soft_limit_of_files_is_no_limit_of_connections(serve: Serve) -> None:
    """Where a shell gives 256 open files and more to whoever asks, more is asked for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        server = serve()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    port = int(server.url.rpartition(":")[2])
    with contextlib.ExitStack() as idle:
        for _ in range(400):
            idle.enter_context(socket.create_connection(("127.0.0.1", port)))
        fresh = idle.enter_context(server.new_client())
        assert fresh.get("/api/health").status_code == 200
