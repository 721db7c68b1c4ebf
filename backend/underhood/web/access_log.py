"""Each call of the API, once it is answered to the last byte: a line in the log and a count."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("underhood.access")


class AccessLog:
    def __init__(self, app: ASGIApp, answered: Callable[[int], None]) -> None:
        self.app, self.answered = app, answered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/"):
            await self.app(scope, receive, send)
            return
        began, status = time.monotonic(), 500  # what the server answers if the application fails

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        finally:
            self.answered(status)
            path = scope.get("raw_path", b"").decode("ascii", "replace")  # still encoded, so it cannot break a line
            facts = {"method": scope["method"], "path": path, "status": status, "ms": _ms(began)}
            log.info("%(method)s %(path)s %(status)d in %(ms)s ms", facts, extra={"facts": facts})


def _ms(began: float) -> float:
    return round(1000 * (time.monotonic() - began), 1)
