"""Neighbour: needs the loopback, says so, and looks who else is on it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from labs.contract import Event, Interval, Label

LOOPBACK = True


@dataclass(frozen=True)
class Params:
    port: Annotated[int, Interval(ge=1, le=65535), Label("Somebody else's port")] = 80


@dataclass(frozen=True)
class Told(Event):
    kind: Literal["told"] = "told"
    value: Any = None


def run(params: Params) -> Iterator[Told]:
    with socket.create_server(("127.0.0.1", 0)) as own:
        yield Told(text="", value=["its own server", attempt(*own.getsockname())])
    yield Told(text="", value=["a server of this machine", attempt("127.0.0.1", params.port)])
    yield Told(text="", value=["another machine", attempt("192.0.2.1", 80)])


def attempt(host: str, port: int) -> str:
    try:
        socket.create_connection((host, port), timeout=2).close()
    except OSError as error:
        return type(error).__name__
    return "done"
