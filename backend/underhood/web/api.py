"""The HTTP API under /api: what may be asked, and which answer each refusal of the engine becomes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from pydantic import BaseModel, ConfigDict, StrictStr

from underhood.contract import schema, validation
from underhood.machine.version import VERSION
from underhood.runs.dispatch import NoWorkerError, QueueFullError
from underhood.runs.engine import Engine, UnknownLabError
from underhood.runs.metrics import Metrics
from underhood.stores.store import LIVE, Run, StoreAwayError, StoreFullError
from underhood.web import schemas as answers
from underhood.web.rate_limits import Clients, TooManyError
from underhood.web.schemas import Described, Health, History, Machine, Remembered, Shown, Stopped, Ticket
from underhood.web.sse import Opened, OpenedAll

router = APIRouter(
    prefix="/api", responses=answers.EVERYWHERE, generate_unique_id_function=lambda route: route.name
)


async def get_engine(request: Request) -> Engine:
    engine: Engine = request.app.state.engine
    return engine


async def get_run(run_id: str, engine: Annotated[Engine, Depends(get_engine)]) -> Run:
    if run := await engine.store.get(run_id):
        return run
    raise HTTPException(404, f"There is no run {run_id}; it may have been cleared away. Start it again.")


EngineOf = Annotated[Engine, Depends(get_engine)]
RunOf = Annotated[Run, Depends(get_run)]


class Ask(BaseModel):
    """Run this lab with these parameters; those left out take their defaults."""

    model_config = ConfigDict(extra="forbid")

    lab: StrictStr
    params: dict[str, Any] = {}
    supersedes: StrictStr | None = None


LINKS = {"links": answers.next_steps("events", "show", "cancel")}
STARTED: answers.Answers = {201: LINKS, 200: {"model": Ticket, "description": "It is there already"} | LINKS}
NAMED: answers.Answers = answers.MISSING | answers.WRONG
STREAMED: answers.Answers = NAMED | answers.BUSY | answers.OVER
STOPPED: answers.Answers = {200: {"model": Stopped, "description": "It had ended, or others want it"}}


@router.post(
    "/runs",
    status_code=201,
    responses=STARTED | NAMED | answers.BUSY | answers.CHANGES | answers.BODY,
)
async def start(ask: Ask, engine: EngineOf, request: Request, response: Response) -> Ticket:
    clients: Clients = request.app.state.clients
    reader = clients.of(request)
    async with reader.starting(engine.store, ask.supersedes) as became:
        run, new = await engine.submit(ask.lab, ask.params, ask.supersedes, reader.names)
        became(run.id, new)
    response.status_code = 201 if new else 200
    return Ticket(id=run.id, status=run.status, events=f"/api/runs/{run.id}/events")


@router.get("/runs/{run_id}/events", response_class=EventSourceResponse, responses=STREAMED)
async def events(stream: Opened) -> AsyncIterator[ServerSentEvent]:
    async for event in stream:
        yield event


@router.get("/events", response_class=EventSourceResponse, responses=STREAMED)
async def page_events(stream: OpenedAll) -> AsyncIterator[ServerSentEvent]:
    """The events of several runs on one connection; a message's id is <run>:<number of the event>."""
    async for event in stream:
        yield event


@router.get("/runs/{run_id}", responses=NAMED)
async def show(run: RunOf) -> Shown:
    return Shown(
        id=run.id,
        lab=run.lab,
        lab_version=run.version,
        params=run.params,
        status=run.status,
        reason=run.reason,
        attempt=run.attempt,
        created=_iso(run.created),
        ended=_iso(run.ended) if run.ended else None,
        last=run.head,
        events=f"/api/runs/{run.id}/events",
    )


@router.delete("/runs/{run_id}", status_code=202, responses=STOPPED | NAMED | answers.CHANGES)
async def cancel(run: RunOf, engine: EngineOf, request: Request, response: Response) -> Stopped:
    """The reader wants it no longer: 202 if it is being stopped; 200 if it has ended, or goes on for others."""
    clients: Clients = request.app.state.clients
    stopping = await engine.leave(run.id, clients.of(request).names)
    now = await engine.store.get(run.id) or run
    response.status_code = 202 if stopping and now.status in LIVE else 200
    return Stopped(id=run.id, status=now.status)


@router.get("/labs")
async def labs(engine: EngineOf) -> list[Described]:
    return [Described(**schema.describe(lab)) for lab in engine.labs.values()]


NUMBER = Query(ge=1, le=2**53)
MACHINE = Query(max_length=300)
PAGE = Query(ge=1, le=100)


@router.get("/history/{series}/{lab}", responses=NAMED)
async def history(
    series: str,
    lab: str,
    engine: EngineOf,
    machine: Annotated[str | None, MACHINE] = None,
    before: Annotated[int | None, NUMBER] = None,
    limit: Annotated[int, PAGE] = 50,
) -> History:
    """What runs of a lab came to on this server and its workers, of all machines or of one."""
    known = engine.lab(f"{series}/{lab}")
    if not known.history:
        raise HTTPException(404, f"{known.id} has no history: no machine is compared in it.")
    found = await engine.store.results(known.id, machine, before, limit + 1)
    machines = await engine.store.machines(known.id)
    return History(
        machines=[Machine(name=each.name, results=each.results) for each in machines],
        results=[Remembered.model_validate(each, from_attributes=True) for each in found[:limit]],
        next=found[limit - 1].number if len(found) > limit else None,
    )


@router.get("/devices")
async def devices(engine: EngineOf) -> list[dict[str, Any]]:
    """What is alive to run labs on: this process, or the workers."""
    return await engine.dispatch.devices()


@router.get("/health")
async def health(engine: EngineOf, request: Request) -> Health:
    try:
        load = await engine.dispatch.load()
        trouble = engine.store.refused
    except StoreAwayError as away:  # not a 503: who restarts unhealthy servers would take the pages away, too
        load, trouble = None, away
    return Health(
        status="ok" if trouble is None else code(trouble),
        version=VERSION,
        sandbox=engine.dispatch.layers,
        queue=load and load.waiting,
        running=load and load.running,
        streams=request.app.state.streams,
    )


ARRAY: answers.Answers = {200: {"content": {"application/octet-stream": {}}, "description": "The bytes"}}


@router.get("/blobs/{digest}", response_class=Response, responses=ARRAY | NAMED)
async def blob(digest: str, engine: EngineOf) -> Response:
    data = await engine.store.blob(digest)
    if data is None:
        raise HTTPException(404, f"There is no blob {digest[:80]}.")
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(data, media_type="application/octet-stream", headers=headers)


async def metrics(engine: EngineOf, request: Request) -> Response:
    """What this process has done, for Prometheus. Outside /api, since it is not for readers."""
    if not engine.settings.metrics or "x-forwarded-for" in request.headers:
        raise HTTPException(404, "There is nothing at this address.")
    load = await engine.dispatch.load()
    counted: Metrics = request.app.state.metrics
    text = counted.text(load.running, load.waiting, request.app.state.streams)
    return Response(text, media_type=CONTENT_TYPE_PLAIN_0_0_4)


def code(error: StoreAwayError) -> Literal["store_full", "store_away"]:
    return "store_full" if isinstance(error, StoreFullError) else "store_away"


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Refusal(JSONResponse):
    """JSON in ASCII: a refusal may quote what was sent, and that need not be valid Unicode."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content).encode()


def add_refusals(app: FastAPI) -> None:
    """Say what each exception becomes. ``detail`` is a sentence, or for 422 a list of {param, message}."""

    @app.exception_handler(UnknownLabError)
    async def unknown(_: Request, error: UnknownLabError) -> Refusal:
        return Refusal({"detail": str(error)}, 404)

    @app.exception_handler(validation.ParameterError)
    async def parameters(_: Request, error: validation.ParameterError) -> Refusal:
        return Refusal({"detail": error.problems}, 422)

    @app.exception_handler(QueueFullError)
    async def full(_: Request, error: QueueFullError) -> Refusal:
        words = {"detail": str(error), "code": "queue_full"}  # the run that it superseded has gone by now
        return Refusal(words, 429, headers={"Retry-After": str(error.after)})

    @app.exception_handler(TooManyError)
    async def many(_: Request, error: TooManyError) -> Refusal:
        return Refusal({"detail": str(error)}, 429, headers={"Retry-After": str(error.after)})

    @app.exception_handler(NoWorkerError)
    async def none(_: Request, error: NoWorkerError) -> Refusal:
        return Refusal({"detail": str(error), "code": "no_worker"}, 503)

    @app.exception_handler(StoreAwayError)
    async def away(_: Request, error: StoreAwayError) -> Refusal:
        words = "The server cannot reach the place where runs are kept. It keeps trying; try again in a moment."
        if isinstance(error, StoreFullError):
            words = (
                "The place where the server keeps runs is full, so nothing can be run until there is room again."
            )
        after = "30" if isinstance(error, StoreFullError) else "2"
        return Refusal({"detail": words, "code": code(error)}, 503, headers={"Retry-After": after})

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> Refusal:
        return Refusal({"detail": [_problem(each) for each in error.errors()]}, 422)


def _problem(error: Any) -> dict[str, str]:
    names = [str(part) for part in error["loc"] if isinstance(part, str) and part != "body"]
    return {"param": names[0] if names else "body", "message": f"{'.'.join(names) or 'the body'}: {error['msg']}"}
