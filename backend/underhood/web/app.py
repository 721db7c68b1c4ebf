"""The web application: the API, the built site, and what stands around both."""

from __future__ import annotations

import asyncio
import fcntl
import logging
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from labs import discover
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette_compress import CompressMiddleware, remove_compress_type

from underhood.logging_config import LOGGING
from underhood.machine.version import VERSION
from underhood.runs.engine import Engine
from underhood.runs.local import LocalDispatch
from underhood.runs.metrics import Metrics
from underhood.settings import Settings
from underhood.stores.sqlite import SqliteStore
from underhood.web import api, security, sse
from underhood.web import schemas as answers
from underhood.web.access_log import AccessLog
from underhood.web.browsers import Browsers
from underhood.web.connections import TimedProtocol, room_for_connections
from underhood.web.files import Files
from underhood.web.rate_limits import Clients

SITE = Path(__file__).parents[3] / "frontend" / "dist"
for kind in ("application/wasm", "font/ttf"):  # not worth the time on each request
    remove_compress_type(kind)


def create_app(
    settings: Settings | None = None, labs: Mapping[str, discover.Lab] | None = None, site: Path | None = None
) -> FastAPI:
    """The whole application. Without ``labs``, those that are installed; without ``site``, the one built here."""
    settings = settings or Settings.from_env()
    found = discover.find(settings.labs) if labs is None else labs
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.stop = asyncio.Event()
        app.state.streams = 0
        app.state.clients = Clients(settings)
        app.state.metrics = metrics
        logging.getLogger("uvicorn.error").addFilter(sse.ReaderGone())
        with sse.farewell(app.state.stop):
            engine = scaled(settings, found) if settings.redis_url else embedded(settings, found, metrics)
            async with engine as app.state.engine:
                yield

    app = FastAPI(
        title="Underhood",
        version=VERSION,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,  # they load scripts from another host
        redoc_url=None,
        redirect_slashes=False,
    )
    app.include_router(api.router)
    app.add_api_route("/metrics", api.metrics, include_in_schema=False)
    api.add_refusals(app)
    answers.describe(app, found.values())
    app.router.default = Site(site or SITE)
    app.add_middleware(sse.SendTimeout, seconds=settings.send_timeout)
    app.add_middleware(Browsers, settings=settings)
    app.add_middleware(security.BodyLimit, most=settings.body, seconds=settings.request_seconds)
    app.add_middleware(security.SameOrigin, hosts=settings.allowed_hosts)
    app.add_middleware(security.SecurityHeaders)  # outside the others: refusals carry the headers, too
    app.add_middleware(AccessLog, answered=metrics.answered)
    return app


@asynccontextmanager
async def embedded(settings: Settings, labs: Mapping[str, discover.Lab], metrics: Metrics) -> AsyncIterator[Engine]:
    """An engine that keeps runs in a file and executes them itself."""
    with owning(settings.data):
        store = SqliteStore(settings.data / "runs.sqlite")
        dispatch = LocalDispatch(store, labs, settings, metrics)
        await dispatch.start()
        try:
            yield Engine(store, labs, settings, dispatch)
        finally:
            await dispatch.close()
            await store.close()


def scaled(settings: Settings, labs: Mapping[str, discover.Lab]) -> AbstractAsyncContextManager[Engine]:
    """An engine that shares runs through Redis and leaves their execution to workers."""
    try:
        from underhood.workers.remote import opened  # nothing of Redis is imported unless it is used
    except ImportError as error:
        raise RuntimeError("UNDERHOOD_REDIS_URL is set, and scaling out is not installed: see [scale]") from error
    return opened(settings, labs)


# How well pages are compressed, in about the same time by each. Figures repeat themselves at distances that gzip
# does not see: a long article takes half its bytes.
ZSTD, BROTLI, GZIP = 9, 5, 7


class Site:
    """The built pages, compressed; below /api, where nothing else matched, a plain 404."""

    def __init__(self, directory: Path) -> None:
        files = Files(directory=directory, html=True, check_dir=False)
        self.pages: ASGIApp | None = None
        if directory.is_dir():
            self.pages = CompressMiddleware(files, zstd_level=ZSTD, brotli_quality=BROTLI, gzip_level=GZIP)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/api/") or scope["path"] == "/api":
            raise HTTPException(404, "There is nothing at this address.")
        if "//" in scope["path"] or ".." in scope["path"].split("/"):
            # A page that has several addresses would have the headers of another one.
            raise HTTPException(404, "There is nothing at this address.")
        if self.pages is None:
            raise HTTPException(404, "The site has not been built yet: run make build.")
        await self.pages(scope, receive, send)


@contextmanager
def owning(data: Path) -> Iterator[None]:
    """Keep a second server out of the data directory: both would take up the same runs.

    Waits two seconds for one that is on its way out. Raises ``RuntimeError`` if it stays.
    """
    data.mkdir(parents=True, exist_ok=True)
    give_up = time.monotonic() + 2
    with (data / "lock").open("w") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > give_up:
                    message = f"another server is using {data}; stop it or choose another --data"
                    raise RuntimeError(message) from None
                time.sleep(0.05)
        yield


def serve(
    settings: Settings,
    host: str = "127.0.0.1",
    port: int = 8000,
    labs: Mapping[str, discover.Lab] | None = None,
    site: Path | None = None,
) -> None:
    """Serve until SIGTERM or Ctrl-C. Port 0 takes a free one. Raises ``OSError`` if the address is taken."""
    name = f"[{host}]" if ":" in host else host
    settings = replace(settings, allowed_hosts=(*settings.allowed_hosts, name))
    app = create_app(settings, labs, site)
    with socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET) as listener:
        address = f"http://{name}:{listener.getsockname()[1]}"
        config = uvicorn.Config(
            app,
            log_config=LOGGING,
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=list(settings.proxies),
            http=TimedProtocol,
            timeout_keep_alive=settings.request_seconds,
            limit_concurrency=room_for_connections(),
            timeout_graceful_shutdown=1,  # seconds; streams end by themselves, this is for readers that hang
            lifespan="on",
        )
        Announced(config, f"Underhood is at {address}").run(sockets=[listener])


class Announced(uvicorn.Server):
    """Says where it is once it answers there, and not before."""

    def __init__(self, config: uvicorn.Config, announcement: str) -> None:
        super().__init__(config)
        self.announcement = announcement

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        sys.stdout.write(f"{self.announcement}\n")
        sys.stdout.flush()
