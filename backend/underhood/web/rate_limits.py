"""What one reader may ask of a public server: starts a minute, runs at once, open streams.

A reader is a browser (see `browsers`) at an address, and all browsers at an address share a wider ceiling: a class
behind one router is many readers, and a program that collects names gains no more than a class. Of IPv6 a network
of 64 bits is one address, since one line has that many. Behind a proxy the address comes from X-Forwarded-For,
believed only from ``Settings.proxies``. Who asks from this machine itself is its owner and not limited; a request
that a proxy here has passed on is not from here. Each web process counts for itself.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from underhood.runs.dispatch import OWNER
from underhood.settings import Settings
from underhood.stores.store import LIVE, Store

KEPT = 10_000  # readers, and addresses; the one that was away longest is forgotten first
MOVED = 0.2  # of a start: a run that takes the place of the reader's own, as while a slider moves
Became = Callable[[str, bool], None]


class TooManyError(Exception):
    """The reader has asked for too much; ``after`` is the number of whole seconds to come back in."""

    def __init__(self, message: str, seconds: float) -> None:
        self.after = max(1, math.ceil(seconds))
        super().__init__(message)


@dataclass(frozen=True)
class Allowance:
    """Of a browser, or of all browsers at an address."""

    starts: float  # runs that it may start a minute
    burst: float  # runs that it may start at once after a pause
    runs: float  # of its runs waiting or running
    streams: float  # of its streams open at once
    whose: str = "your"


UNLIMITED = Allowance(math.inf, math.inf, math.inf, math.inf)


class Client:
    """What one browser or one address has under way. Used inside one event loop."""

    def __init__(self, allowed: Allowance, now: float) -> None:
        self.allowed, self.at = allowed, now
        self.starts = allowed.burst  # that it may still make at once
        self.runs: set[str] = set()  # live when last looked at
        self.coming = 0
        self.streams = 0

    def spend(self, cost: float, now: float) -> None:
        """Raises ``TooManyError``."""
        rate = self.allowed.starts / 60
        self.starts = min(self.allowed.burst, self.starts + max(0.0, now - self.at) * rate)
        self.at = now
        if self.starts < cost:
            message = f"Too many of {self.allowed.whose} runs have been started in a short time. Give it a moment."
            raise TooManyError(message, (cost - self.starts) / rate)
        self.starts -= cost

    @asynccontextmanager
    async def starting(self, store: Store, supersedes: str | None) -> AsyncIterator[Became]:
        """While a run is asked for; the caller says which it became, and whether that is new.

        Raises ``TooManyError``.
        """
        cost = MOVED if supersedes in self.runs else 1.0
        self.spend(cost, time.monotonic())
        most = self.allowed.runs
        if len(self.runs) + self.coming >= most:
            found = [(run, await store.get(run)) for run in tuple(self.runs)]  # others start meanwhile
            self.runs -= {name for name, run in found if run is None or run.status not in LIVE}
        if len(self.runs - {supersedes}) + self.coming >= most:
            message = f"{most} of {self.allowed.whose} runs are still going. Start more when one of them has ended."
            raise TooManyError(message, 2)
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
        if self.streams >= self.allowed.streams:
            raise TooManyError(
                f"Too many of {self.allowed.whose} streams are open. Close a page, then go on here.", 5
            )
        self.streams += 1
        try:
            yield
        finally:
            self.streams -= 1


@dataclass(frozen=True)
class Reader:
    """A browser at an address: first it is held to its own allowance, then to that of the address."""

    names: tuple[str, ...]  # what it asks by, and what it asked by before it had a cookie
    parts: tuple[Client, ...]

    @asynccontextmanager
    async def starting(self, store: Store, supersedes: str | None) -> AsyncIterator[Became]:
        """See `Client.starting`."""
        async with AsyncExitStack() as stack:
            told = [await stack.enter_async_context(part.starting(store, supersedes)) for part in self.parts]

            def became(run: str, new: bool) -> None:
                for tell in told:
                    tell(run, new)

            yield became

    @contextmanager
    def streaming(self) -> Iterator[None]:
        """See `Client.streaming`."""
        with ExitStack() as stack:
            for part in self.parts:
                stack.enter_context(part.streaming())
            yield


class Clients:
    """All browsers and all addresses, of each the latest last."""

    def __init__(self, settings: Settings) -> None:
        of = settings
        self.browser = Allowance(of.client_starts, of.client_burst, of.client_runs, of.client_streams)
        self.address = Allowance(
            of.address_starts, of.address_burst, of.address_runs, of.address_streams, "your network's"
        )
        self.owner = Client(UNLIMITED, time.monotonic())
        self.browsers: dict[str, Client] = {}
        self.addresses: dict[str, Client] = {}

    def of(self, request: HTTPConnection) -> Reader:
        host = request.client.host if request.client else ""
        address, browser = network(host), request.scope.get("browser", "")
        name = f"{address} {browser}"
        if address == "loopback" and "x-forwarded-for" not in request.headers:
            return Reader((OWNER,), (self.owner,))
        return Reader(
            (name, f"{address} "),
            (_known(self.browsers, name, self.browser), _known(self.addresses, address, self.address)),
        )


def _known(clients: dict[str, Client], name: str, allowed: Allowance) -> Client:
    client = clients.pop(name) if name in clients else Client(allowed, time.monotonic())
    clients[name] = client
    if len(clients) > KEPT:
        del clients[next(iter(clients))]
    return client


def loopback(host: str) -> bool:
    """Whether a server that listens there hears this machine alone."""
    return host == "localhost" or network(host) == "loopback"


def network(host: str) -> str:
    """What counts as one address: of IPv4 one, of IPv6 a network of 64 bits, or this machine."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:80]
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return "loopback"
    return str(ipaddress.ip_network((address, 64), strict=False) if address.version == 6 else address)
