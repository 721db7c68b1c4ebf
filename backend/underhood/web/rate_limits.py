"""What one client may ask of a public server: starts a minute, runs at once, open streams.

A client is an address, for IPv6 a network of 64 bits, since one line has that many. Behind a proxy the address
comes from X-Forwarded-For, believed only from ``Settings.proxies``. Who asks from this machine itself is its owner
and not limited; a request that a proxy here has passed on is not from here. Each web process counts for itself.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any

from starlette.requests import HTTPConnection

from underhood.settings import Settings
from underhood.stores.store import LIVE, Store

KEPT = 10_000  # clients; the one that was away longest is forgotten first
MOVED = 0.2  # of a start: a run that takes the place of the client's own, as while a slider moves


class TooManyError(Exception):
    """The client has asked for too much; ``after`` is the number of whole seconds to come back in."""

    def __init__(self, message: str, seconds: float) -> None:
        self.after = max(1, math.ceil(seconds))
        super().__init__(message)


class Client:
    """What one client has under way. Used inside one event loop."""

    def __init__(self, settings: Settings, now: float) -> None:
        self.settings, self.at = settings, now
        self.starts = float(settings.client_burst)  # that it may still make at once
        self.runs: set[str] = set()  # live when last looked at
        self.coming = 0
        self.streams = 0

    def spend(self, cost: float, now: float) -> None:
        """Raises ``TooManyError``."""
        rate = self.settings.client_starts / 60
        self.starts = min(self.settings.client_burst, self.starts + (now - self.at) * rate)
        self.at = now
        if self.starts < cost:
            raise TooManyError(
                "That is a lot of runs in a short time. Give it a moment.", (cost - self.starts) / rate
            )
        self.starts -= cost

    @asynccontextmanager
    async def starting(self, store: Store, supersedes: str | None) -> AsyncIterator[Callable[[str, bool], None]]:
        """While a run is asked for; the caller says which it became, and whether that is new.

        Raises ``TooManyError``.
        """
        cost = MOVED if supersedes in self.runs else 1.0
        self.spend(cost, time.monotonic())
        most = self.settings.client_runs
        if len(self.runs) + self.coming >= most:
            found = [await store.get(run) for run in self.runs]
            self.runs = {run.id for run in found if run and run.status in LIVE}
        if len(self.runs - {supersedes}) + self.coming >= most:
            raise TooManyError(f"{most} of your runs are still going. Start more when one of them has ended.", 2)
        self.coming += 1

        def became(run: str, new: bool) -> None:
            if new:
                self.runs.add(run)
                self.runs.discard(supersedes or "")  # it is on its way out
            else:
                self.starts += cost  # nothing was started

        try:
            yield became
        finally:
            self.coming -= 1

    @contextmanager
    def streaming(self) -> Iterator[None]:
        """While a stream is open. Raises ``TooManyError``."""
        if self.streams >= self.settings.client_streams:
            raise TooManyError("You have too many streams open. Close a page, then go on here.", 5)
        self.streams += 1
        try:
            yield
        finally:
            self.streams -= 1


class Clients:
    """All clients, the latest last."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        free: dict[str, Any] = dict.fromkeys(
            ("client_starts", "client_burst", "client_runs", "client_streams"), 1 << 40
        )
        self.owner = Client(replace(settings, **free), time.monotonic())
        self.known: dict[str, Client] = {}

    def of(self, request: HTTPConnection) -> Client:
        host = request.client.host if request.client else ""
        name = network(host)
        if name == "loopback" and "x-forwarded-for" not in request.headers:
            return self.owner
        client = self.known.pop(name, None) or Client(self.settings, time.monotonic())
        self.known[name] = client
        if len(self.known) > KEPT:
            del self.known[next(iter(self.known))]
        return client


def network(host: str) -> str:
    """Who counts as one client: an IPv4 address, an IPv6 network of 64 bits, or this machine."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:80]
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return "loopback"
    return str(ipaddress.ip_network((address, 64), strict=False) if address.version == 6 else address)
