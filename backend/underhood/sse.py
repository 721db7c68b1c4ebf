"""Event streams: a run's log as Server-Sent Events, resumable at any event.

FastAPI's own stream is used, with its traps avoided: every check is made in the dependency `open_stream`, since an
error inside the generator would become an empty 200; what must be undone is undone in that dependency, since the
generator's ``finally`` may run late; `farewell` ends streams when the server stops, since uvicorn would wait for
them; and `SendTimeout` drops a reader that keeps its stream open without reading it.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Annotated, Any

import anyio
from fastapi import Depends, Header, HTTPException, Query, Request
from fastapi.sse import ServerSentEvent
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from underhood.engine import Engine
from underhood.store import LIVE, Run

RETRY = 250  # milliseconds until a browser opens the stream again


class Stream:
    """One reader's way through the log of one run."""

    def __init__(self, engine: Engine, run: Run, after: int, stopping: asyncio.Task[Any]) -> None:
        self.engine, self.run, self.after, self.stopping = engine, run, after, stopping

    async def __aiter__(self) -> AsyncIterator[ServerSentEvent]:
        """Messages up to and with ``end``; earlier if the server stops or the stream has lived its time."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self.engine.settings.stream_age
        retry: int | None = RETRY  # said once, with the first message
        while not self.stopping.done() and (left := until - loop.time()) > 0:
            reading = asyncio.create_task(self.engine.store.read(self.run.id, self.after, wait=left))
            try:
                await asyncio.wait({reading, self.stopping}, return_when=asyncio.FIRST_COMPLETED)
                found = reading.result() if reading.done() else []
            finally:
                reading.cancel()
            for event in found:
                self.after = event.seq
                yield ServerSentEvent(id=str(event.seq), event=event.kind, raw_data=event.data, retry=retry)
                retry = None
                if event.kind == "end":
                    return


async def open_stream(
    request: Request,
    run_id: str,
    last_event_id: Annotated[str | None, Header()] = None,
    after: Annotated[str | None, Query()] = None,
) -> AsyncIterator[Stream]:
    """The dependency of the stream: 404, 422 or 204 before it opens, and the count of readers while it is open."""
    state = request.app.state
    engine: Engine = state.engine
    run = await engine.store.get(run_id)
    if run is None:
        raise HTTPException(404, f"There is no run {run_id}; it may have been cleared away. Start it again.")
    cursor = max(_cursor("Last-Event-ID", last_event_id), _cursor("after", after))
    if cursor > run.head:
        problem = {"param": "after", "message": f"after must be at most {run.head}, the newest event, not {cursor}"}
        raise HTTPException(422, [problem])
    if run.status not in LIVE and cursor == run.head:
        raise HTTPException(204)  # tells EventSource not to come back
    if state.streams >= engine.settings.streams:
        raise HTTPException(429, "Too many streams are open.", headers={"Retry-After": "5"})
    state.streams += 1
    stopping = asyncio.create_task(state.stop.wait())
    try:
        with engine.reading(run_id):
            yield Stream(engine, run, cursor, stopping)
    finally:
        stopping.cancel()
        state.streams -= 1


def _cursor(name: str, text: str | None) -> int:
    if not text:
        return 0
    if text.isascii() and text.isdecimal() and len(text) < 16:
        return int(text)
    raise HTTPException(
        422, [{"param": name, "message": f"{name} must be the number of an event, not {text[:40]!r}"}]
    )


@contextmanager
def farewell(stop: asyncio.Event) -> Iterator[None]:
    """Set ``stop`` on SIGTERM or SIGINT, then let the handler that was there before do its work."""
    loop = asyncio.get_running_loop()
    former: dict[signal.Signals, Any] = {}

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop.set)
        before = former[signal.Signals(number)]
        if callable(before):
            before(number, frame)

    for number in (signal.SIGTERM, signal.SIGINT):
        former[number] = signal.getsignal(number)
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


class SendTimeout:
    """Close a response whose reader takes nothing for ``seconds``."""

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self.app, self.seconds = app, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_in_time(message: Message) -> None:
            try:
                async with asyncio.timeout(self.seconds):
                    await send(message)
            except TimeoutError:
                raise ClientDisconnect from None

        await self.app(scope, receive, send_in_time)


class ReaderGone(logging.Filter):
    """Keeps "Exception in ASGI application" out of the log where all that happened is that a reader left."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and _only_left(record.exc_info[1]))


def _only_left(error: BaseException | None) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return all(_only_left(each) for each in error.exceptions)
    return isinstance(error, ClientDisconnect | anyio.BrokenResourceError | anyio.ClosedResourceError)


Opened = Annotated[Stream, Depends(open_stream)]
