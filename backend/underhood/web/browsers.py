"""Which browser asks: a random name in a signed cookie that ends with the browser's session and tells nothing else.

The signature keeps others from making up names: a name is had by asking for it, one at a time. Who sends none is
counted as their address alone.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from underhood.settings import Settings

COOKIE = "underhood"


class Browsers:
    """Puts the asking browser's name into the scope ("" if it has none) and gives one to who reads a page."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        # Web processes behind one Redis must know each other's names, and its address is the secret they share.
        shared = settings.redis_url.encode()
        self.key = hashlib.sha256(b"browsers of " + shared).digest() if shared else secrets.token_bytes(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope["browser"] = name = self.name(Headers(scope=scope).get("cookie", ""))

        async def send_and_name(message: Message) -> None:
            if message["type"] == "http.response.start" and not name:
                headers = MutableHeaders(scope=message)
                if scope["path"].startswith("/api/") or headers.get("Content-Type", "").startswith("text/html"):
                    secure = "; Secure" if scope["scheme"] == "https" else ""
                    headers.append("Set-Cookie", f"{COOKIE}={self.new()}; Path=/; HttpOnly; SameSite=Lax{secure}")
            await send(message)

        await self.app(scope, receive, send_and_name)

    def new(self) -> str:
        name = secrets.token_hex(8)
        return f"{name}.{self._sign(name)}"

    def name(self, cookies: str) -> str:
        """The name in the request's cookies if we gave it, else nothing."""
        try:
            morsel = SimpleCookie(cookies).get(COOKIE)
        except CookieError:
            return ""
        name, _, signature = morsel.value.partition(".") if morsel else ("", "", "")
        return name if hmac.compare_digest(signature.encode(), self._sign(name).encode()) else ""

    def _sign(self, name: str) -> str:
        return hmac.new(self.key, name.encode(), hashlib.sha256).hexdigest()[:32]
