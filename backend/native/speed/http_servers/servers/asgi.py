"""The same handler for uvicorn, which calls it for each request."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from typing import Any

from native.speed.http_servers.http import BODY, Options, log

OPTIONS = Options(**json.loads(os.environ.get("HTTP_SERVERS_OPTIONS", "{}")))


async def app(scope: dict[str, Any], receive: Callable[[], Any], send: Callable[[Any], Awaitable[None]]) -> None:
    if scope["type"] != "http":
        return
    if OPTIONS.wait:
        await asyncio.sleep(OPTIONS.wait)
    log(OPTIONS)
    headers = [(b"content-type", b"text/plain")]
    if OPTIONS.length:
        headers.append((b"content-length", str(len(BODY)).encode()))
    if not OPTIONS.keep_alive:
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": BODY})
