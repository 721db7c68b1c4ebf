"""A thread for each connection. While one waits, the others go on; each costs a stack, and a switch."""

from __future__ import annotations

import contextlib
import socket
from threading import Thread

from native.speed.http_servers.http import Options, converse


def serve(listener: socket.socket, options: Options) -> None:
    while True:
        connection, _ = listener.accept()
        Thread(target=until_gone, args=(connection, options), daemon=True).start()


def until_gone(connection: socket.socket, options: Options) -> None:
    with contextlib.suppress(ConnectionError):
        converse(connection, options)
