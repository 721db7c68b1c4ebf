"""A fixed number of threads. A connection that is kept alive keeps its thread, and the others wait in a queue."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor

from native.speed.http_servers.http import Options, converse


def serve(listener: socket.socket, options: Options) -> None:
    with ThreadPoolExecutor(options.threads) as pool:
        while True:
            connection, _ = listener.accept()
            pool.submit(converse, connection, options)  # a client that hangs up ends its own future alone
