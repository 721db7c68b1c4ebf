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
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from types import FrameType
from typing import Annotated, Any

import anyio
from fastapi import Depends, Header, HTTPException, Query, Request
from fastapi.sse import ServerSentEvent
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from underhood.runs.engine import Engine
from underhood.stores.store import LIVE, Logged, Run, StoreAwayError

GLANCE = 5.0  # seconds without an event after which is looked whether the run is still there
RETRY = 250  # milliseconds until a browser opens the stream again
RUNS = 32  # that one stream may carry

SEEN = r"^[0-9]{0,15}$"  # the number of an event
SEEN_OF = rf"^[^,:]*(:[0-9]{{0,15}})?(,[^,:]*(:[0-9]{{0,15}})?){{0,{RUNS - 1}}}$"  # id:0,id:17

Name = Callable[[str, int], str]  # of a message, from its run and the event's number


class Stream:
    """One reader's way through the logs of one or several runs."""

    def __init__(self, engine: Engine, cursors: dict[str, int], stopping: asyncio.Task[Any], name: Name) -> None:
        self.engine, self.cursors, self.stopping, self.name = engine, cursors, stopping, name
        self.reading: dict[str, asyncio.Task[list[Logged]]] = {}

    async def __aiter__(self) -> AsyncIterator[ServerSentEvent]:
        """Messages until every run has ended or is gone; fewer if the server stops or the stream is too old."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self.engine.settings.stream_age
        while self.cursors and not self.stopping.done() and (left := until - loop.time()) > 0:
            for run, after in self.cursors.items():
                if run not in self.reading:
                    wait = min(left, GLANCE)
                    self.reading[run] = asyncio.create_task(self.engine.store.read(run, after, wait=wait))
            await asyncio.wait({*self.reading.values(), self.stopping}, return_when=asyncio.FIRST_COMPLETED)
            for run in [run for run, task in self.reading.items() if task.done()]:
                found = await self._found(run)
                if found is None:
                    del self.cursors[run]
                for event in found or ():
                    self.cursors[run] = event.seq
                    number = self.name(run, event.seq)
                    yield ServerSentEvent(id=number, event=event.kind, raw_data=event.data, retry=RETRY)
                    if event.kind == "end":
                        del self.cursors[run]

    async def _found(self, run: str) -> list[Logged] | None:
        """What a read found; None if the run was cleared away before its reader came to its end.

        While the store is away a read finds nothing, and the stream stays open for its return.
        """
        try:
            found = self.reading.pop(run).result()
            return found if found or await self.engine.store.get(run) else None
        except StoreAwayError:
            await asyncio.sleep(0.5)
            return []

    def close(self) -> None:
        for task in self.reading.values():
            task.cancel()


async def open_stream(
    request: Request,
    run_id: str,
    last_event_id: Annotated[str, Header(json_schema_extra={"pattern": SEEN})] = "",
    after: Annotated[str, Query(json_schema_extra={"pattern": SEEN})] = "",
) -> AsyncIterator[Stream]:
    """The dependency of one run's stream: 404, 422 or 204 before it opens."""
    engine: Engine = request.app.state.engine
    cursor = max(_cursor("Last-Event-ID", last_event_id), _cursor("after", after))
    run = await _run(engine, run_id, cursor)
    if run.status not in LIVE and cursor == run.head:
        raise HTTPException(204)  # tells EventSource not to come back
    async with _opened(request, {run_id: cursor}, lambda _, seq: str(seq)) as stream:
        yield stream


async def open_streams(
    request: Request,
    runs: Annotated[
        str,
        Query(
            description="The runs and the last event seen of each: id:0,id:17",
            json_schema_extra={"pattern": SEEN_OF},
        ),
    ],
) -> AsyncIterator[Stream]:
    """The dependency of a page's stream, which carries all its runs: a browser opens six connections at most."""
    engine: Engine = request.app.state.engine
    asked = dict(part.partition(":")[::2] for part in runs.split(","))
    if len(asked) > RUNS:
        raise HTTPException(422, [{"param": "runs", "message": f"runs must name at most {RUNS} runs"}])
    cursors = {name: _cursor("runs", after) for name, after in asked.items()}
    found = [await _run(engine, name, cursor) for name, cursor in cursors.items()]
    waiting = {run.id: cursors[run.id] for run in found if run.status in LIVE or cursors[run.id] < run.head}
    if not waiting:
        raise HTTPException(204)
    async with _opened(request, waiting, lambda run, seq: f"{run}:{seq}") as stream:
        yield stream


async def _run(engine: Engine, name: str, cursor: int) -> Run:
    run = await engine.store.get(name)
    if run is None:
        detail = f"There is no run {name[:80]}; it may have been cleared away. Start it again."
        raise HTTPException(404, detail)
    if cursor > run.head:
        problem = {"param": "after", "message": f"after must be at most {run.head}, the newest event, not {cursor}"}
        raise HTTPException(422, [problem])
    return run


@asynccontextmanager
async def _opened(request: Request, cursors: dict[str, int], name: Name) -> AsyncIterator[Stream]:
    """A stream, and for as long as it is open the count of readers. Raises 429 if there are too many."""
    state = request.app.state
    engine: Engine = state.engine
    if state.streams >= engine.settings.streams:
        raise HTTPException(429, "Too many streams are open.", headers={"Retry-After": "5"})
    with ExitStack() as readers:
        reader = state.clients.of(request)
        readers.enter_context(reader.streaming())
        state.streams += 1
        stopping = asyncio.create_task(state.stop.wait())
        stream = Stream(engine, cursors, stopping, name)
        try:
            for run in cursors:
                readers.enter_context(engine.reading(run, reader.names[0]))
            yield stream
        finally:
            stream.close()
            stopping.cancel()
            state.streams -= 1


def _cursor(name: str, text: str) -> int:
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
OpenedAll = Annotated[Stream, Depends(open_streams)]
