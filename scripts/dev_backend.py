"""The backend of ``make dev``: every change is tried in a fork, and only what loads takes over.

The process that watches holds what is slow to import and nothing of ours. It forks a template (dev_template.py),
which loads all of our code once and tries each change by forking again: what did not change is there already. All
servers answer at one socket, which stays open in between: a page never finds nobody there.
"""

from __future__ import annotations

import importlib
import math
import os
import signal
import socket
from contextlib import suppress
from pathlib import Path
from threading import Event

from dev_load import draft
from dev_modules import files
from dev_template import ANEW, LOADED, Template, fork, hear

PATIENCE_S = 30  # for code to load: a loop that never ends must not keep an author waiting for ever
SLOW = (
    "numpy.typing",
    "pydantic.dataclasses",
    "pydantic.v1",
    "fastapi.sse",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
    "starlette.staticfiles",
    "starlette.middleware.gzip",
    "sqlite3",
    "rich.progress",
)


class Backend:
    """The template of now, if any, and with it the server; and the way to newer ones."""

    def __init__(self, listener: socket.socket, told: Path, patience: float = PATIENCE_S) -> None:
        self.listener = listener
        self.told = told  # what frontend/src/build/live-labs.ts reads
        self.patience = patience
        self.template = 0
        self.link: socket.socket | None = None
        for thing in SLOW:
            importlib.import_module(thing)

    def renew(self, stop: Event) -> None:
        """Try the code as it lies there. If it loads, it takes over; if not, what ran before goes on."""
        read = None
        while read != (read := files()) and not stop.is_set():  # what is saved while it is read may be read by half
            if self._ask(stop) in (ANEW, b"") and not stop.is_set():
                self._begin(stop)
        with suppress(FileNotFoundError):  # it was ended before it could say anything
            draft(self.told).replace(self.told)

    def _ask(self, stop: Event) -> bytes:
        """What the template says of the change; nothing if there is none, or none that answers."""
        if self.link is None:
            return b""
        try:
            self.link.send(b".")
            return hear(self.link, math.inf, stop)  # it has the patience itself
        except ConnectionError:
            return b""

    def _begin(self, stop: Event) -> None:
        """Another template, which reads everything anew."""
        ours, theirs = socket.socketpair()

        def begin() -> None:
            os.setsid()
            ours.close()
            if self.link:
                self.link.close()
            Template(self.listener, self.told, theirs, self.patience).hold()

        pid = fork(begin)
        theirs.close()
        if hear(ours, self.patience, stop) == LOADED:
            self.close()
            self.template, self.link = pid, ours
        else:
            ours.close()
            end(pid)

    def close(self) -> None:
        if self.link:
            self.link.close()
            end(self.template)
        self.template, self.link = 0, None


def end(template: int) -> None:
    """A template and its servers; nothing here is worth a farewell."""
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError):  # it has had no time to make its group, or is gone with it
            kill(template, signal.SIGKILL)
    os.waitpid(template, 0)
