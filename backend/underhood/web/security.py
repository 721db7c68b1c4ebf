"""Headers on every answer, and what is refused before anything is read. Pure ASGI, outermost first in `app`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

EVERYWHERE = {
    # Cross-origin isolation: without it a page has neither SharedArrayBuffer nor a precise clock.
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
}
# A page carries its policy itself, made by the site's build; only a frame's parent must be named here.
PAGE = "frame-ancestors 'self'"
EMBEDDED = "frame-ancestors *"
# Code that a reader changed runs in a frame whose page has no origin, however it is opened. A page that embeds
# a figure frames it, too, and gets nothing from it that it could not do itself.
SANDBOX = "sandbox allow-scripts; frame-ancestors *"
# A worker does not inherit its page's policy, that of its script counts: what runs in it may ask this site only.
SCRIPT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'"
DATA = "default-src 'none'; frame-ancestors 'none'"
# Names that change with their content; those of Pyodide stay through an upgrade.
FOREVER = ("/_astro/", "/labs/packs/", "/pagefind/fragment/", "/pagefind/index/")
DRAINED = 16 << 20  # bytes beyond the limit that are read before the answer
READS = {"GET", "HEAD", "OPTIONS"}


class SecurityHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path: str = scope["path"]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in EVERYWHERE.items():
                    headers[name] = value
                if (
                    message["status"] != 304
                ):  # it would replace the policy in the browser's cache, unaware of the type
                    headers["Content-Security-Policy"] = policy(path, headers.get("Content-Type", ""))
                if path.startswith("/embed/"):
                    headers["Cross-Origin-Resource-Policy"] = "cross-origin"  # an isolated page may frame it, too
                if path.startswith(FOREVER) and message["status"] in (200, 206, 304):
                    headers["Cache-Control"] = "public, max-age=31536000, immutable"
                elif "Cache-Control" not in headers:
                    headers["Cache-Control"] = "no-store" if path.startswith("/api/") else "no-cache"
            await send(message)

        await self.app(scope, receive, send_with_headers)


def policy(path: str, kind: str) -> str:
    if path == "/sandbox.html":
        return SANDBOX
    if kind.startswith("text/html"):
        return EMBEDDED if path.startswith("/embed/") else PAGE
    return SCRIPT if "javascript" in kind else DATA


class SameOrigin:
    """Answers only to its own names (400), and lets only its own pages change anything (403).

    A page anywhere can make a browser send requests to 127.0.0.1. The Host check stops names that were rebound to
    this address, the Origin check stops posts from other sites.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self.app = app
        self.hosts = {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        host = headers.get("host", "").lower()
        if "*" not in self.hosts and _name(host) not in self.hosts:
            await refuse(send, 400, "This server does not answer to that host name (UNDERHOOD_ALLOWED_HOSTS).")
        elif scope["method"] not in READS and not _same(headers, host):
            await refuse(send, 403, "Only this site's own pages may do that.")
        else:
            await self.app(scope, receive, send)


def _name(host: str) -> str:
    """The host without its port; an IPv6 address keeps its brackets. Empty if it is neither."""
    found = re.fullmatch(r"(\[[0-9a-f:.]+\]|[^:\[\]]+)(:\d+)?", host)
    return found[1] if found else ""


def _same(headers: Headers, host: str) -> bool:
    """Whether the Origin is this site. The scheme is left out: behind a proxy that speaks TLS, ours is http."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin.lower()).netloc == host
    except ValueError:  # such as http://[
        return False


class BodyLimit:
    """Refuses request bodies of more than ``most`` bytes (413), and those that do not come (408)."""

    def __init__(self, app: ASGIApp, most: int, seconds: int) -> None:
        self.app, self.most, self.seconds = app, most, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in READS:
            await self.app(scope, receive, send)
            return
        body, size, more = b"", 0, True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.seconds):
                # What is too much is read and thrown away, up to a point: who still sends would not see the answer.
                while more and size <= self.most + DRAINED:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    piece = message.get("body", b"")
                    size += len(piece)
                    body = body + piece if size <= self.most else b""
                    more = message.get("more_body", False)
        if size > self.most:
            await refuse(send, 413, f"A request may carry {self.most:,} bytes.")
            return
        if more:
            await refuse(send, 408, f"The request did not come within {self.seconds} seconds. Send it again.")
            return
        whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_whole() -> Message:
            return whole.pop() if whole else await receive()

        await self.app(scope, receive_whole, send)


async def refuse(send: Send, status: int, detail: str) -> None:
    body = json.dumps({"detail": detail}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
