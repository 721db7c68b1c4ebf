"""Starts one of the servers on a port of the loopback, and says which."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Literal, get_args

from native.speed.http_servers.http import Options
from native.speed.http_servers.servers import asgi, event_loop, one_at_a_time, thread_each, thread_pool

Way = Literal["one at a time", "thread each", "thread pool", "asyncio", "uvicorn", "asyncio, blocking"]
WAYS: tuple[Way, ...] = get_args(Way)
SERVERS: dict[Way, Callable[[socket.socket, Options], None]] = {
    "one at a time": one_at_a_time.serve,
    "thread each": thread_each.serve,
    "thread pool": thread_pool.serve,
    "asyncio": event_loop.serve,
    "asyncio, blocking": partial(event_loop.serve, blocks=True),
}


def main(way: Way, options: Options, port: int = 0) -> None:
    if way == "uvicorn":
        uvicorn(port, options)
    listener = socket.create_server(("127.0.0.1", port), backlog=options.backlog)
    tell(listener)
    SERVERS[way](listener, options)


def tell(listener: socket.socket) -> None:
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()


def uvicorn(port: int, options: Options) -> None:
    """This process becomes uvicorn. It makes its own socket: one that it is given by ``--fd`` it takes for a Unix
    socket, on which asyncio leaves Nagle's algorithm on, and every answer takes 40 ms."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", port))
        port = place.getsockname()[1]
        tell(place)
    os.environ["HTTP_SERVERS_OPTIONS"] = json.dumps(asdict(options))
    app = f"{asgi.__name__}:app"
    built = ["--loop", "asyncio", "--http", "httptools", "--lifespan", "off"]
    quiet = ["--no-access-log", "--log-level", "warning"]
    where = ["--port", str(port), "--backlog", str(options.backlog)]
    os.execv(sys.executable, [sys.executable, "-m", "uvicorn", app, *where, *built, *quiet])
