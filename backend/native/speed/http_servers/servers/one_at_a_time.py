"""One connection at a time. The next one is accepted when the client of this one hangs up."""

from __future__ import annotations

import contextlib
import socket

from native.speed.http_servers.http import Options, converse


def serve(listener: socket.socket, options: Options) -> None:
    while True:
        connection, _ = listener.accept()
        with contextlib.suppress(ConnectionError):
            converse(connection, options)
