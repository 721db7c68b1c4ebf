"""Connections: as many as the system lets this process hold, each with so long for the head of its next request."""

from __future__ import annotations

import asyncio
import resource

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

FILES = 65_536  # open files that are asked for; each connection is one
OURS = 128  # of them for the store, the runs and the pages


def room_for_connections() -> int:
    """Take the open files that the system gives on request; how many connections those allow."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = FILES if most == resource.RLIM_INFINITY else min(most, FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return max(1, files - OURS)


class TimedProtocol(HttpToolsProtocol):
    """Closes a connection that has not sent the head of a request within uvicorn's ``timeout_keep_alive``.

    By itself uvicorn does so only with one that is silent between two requests: one that sends a byte now and then,
    or has asked for nothing yet, it keeps for ever.
    """

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_head()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and not self.pipeline:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        self._stop_waiting()
        self._late = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
