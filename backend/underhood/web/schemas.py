"""What the API answers, as types. Its OpenAPI description is made of these, and a fuzz test holds it to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from fastapi import FastAPI
from labs.discover import Lab
from pydantic import BaseModel

from underhood.contract.schema import params_schema
from underhood.stores.store import Status


class Ticket(BaseModel):
    id: str
    status: Status
    events: str


class Shown(Ticket):
    """A run. The times are UTC in ISO 8601; ``last`` is the number of its newest event."""

    lab: str
    lab_version: str
    params: dict[str, Any]
    reason: str
    attempt: int
    created: str
    ended: str | None
    last: int


class Remembered(BaseModel):
    """What a run came to: its parameters, where they were measured, and its last event."""

    number: int
    run: str
    params: dict[str, Any]
    provenance: dict[str, Any]
    event: dict[str, Any]


class Machine(BaseModel):
    name: str
    results: int


class History(BaseModel):
    """Results of a lab, the newest first; ``next`` is where older ones begin, for ``before``."""

    machines: list[Machine]
    results: list[Remembered]
    next: int | None


class Stopped(BaseModel):
    id: str
    status: Status


class Described(BaseModel):
    """A lab; ``params`` and each of ``events``, which are named by their kind, are JSON Schema."""

    id: str
    title: str
    summary: str
    runs_on: list[str]
    measures: bool
    shows_python: bool
    front: list[str] = []
    asks: list[str] = []
    version: str
    params: dict[str, Any]
    events: dict[str, dict[str, Any]]


class Health(BaseModel):
    """This process answers. ``store_away``, ``store_full``: runs cannot be kept; pages and browser labs go on.

    ``sandbox``: the layers around a run that hold here. ``loopback`` among them: a lab whose subject is the network
    has one of its own, and reaches nothing else.
    """

    status: Literal["ok", "store_away", "store_full"]
    version: str
    sandbox: list[str]
    queue: int | None
    running: int | None
    streams: int


class Problem(BaseModel):
    param: str
    message: str


class Refused(BaseModel):
    detail: str


class Busy(Refused):
    """``code`` is queue_full where no run may wait any more; else it is the client that has asked for too much."""

    code: str | None = None


class Away(Refused):
    """``code`` is no_worker, store_away or store_full."""

    code: str


class Wrong(BaseModel):
    detail: list[Problem]


Answers = dict[int | str, dict[str, Any]]
LATER = {"Retry-After": {"description": "Seconds", "required": True, "schema": {"type": "integer", "minimum": 1}}}
EVERYWHERE: Answers = {
    400: {"model": Refused, "description": "Not a name of this server, or not HTTP as it should be"},
    503: {"model": Away, "description": "No worker of that kind is alive, or the store cannot be reached"},
}
CHANGES: Answers = {403: {"model": Refused, "description": "Asked by another site"}}
MISSING: Answers = {404: {"model": Refused, "description": "There is no such thing"}}
WRONG: Answers = {422: {"model": Wrong, "description": "A parameter is wrong; each problem names it"}}
BUSY: Answers = {429: {"model": Busy, "description": "Too much at once; come back later", "headers": LATER}}
BODY: Answers = {413: {"model": Refused, "description": "The body is too large"}}
OVER: Answers = {204: {"description": "Everything has been read: do not come back"}}


def next_steps(*operations: str) -> dict[str, Any]:
    """OpenAPI links from an answer that names a run to what can be done with that run."""
    return {name: {"operationId": name, "parameters": {"run_id": "$response.body#/id"}} for name in operations}


def describe(app: FastAPI, labs: Iterable[Lab]) -> None:
    """Have the OpenAPI description say which labs there are, which parameters each takes, and how we refuse."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = plain()
            ask = made["components"]["schemas"]["Ask"]
            choice = {
                "title": "Ask",
                "description": ask["description"],
                "anyOf": [_asking(ask, lab) for lab in labs if not lab.on_device],
            }
            made["components"]["schemas"]["Ask"] = choice
            for operation in (each for path in made["paths"].values() for each in path.values()):
                for status, answer in operation["responses"].items():
                    if status >= "400":  # JSON, whatever the operation answers when all is well
                        (schema,) = answer["content"].values()
                        answer["content"] = {"application/json": schema}
        assert app.openapi_schema
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _asking(ask: dict[str, Any], lab: Lab) -> dict[str, Any]:
    named = {"lab": {"const": lab.id, "type": "string"}, "params": params_schema(lab)}
    return ask | {"title": lab.title, "description": lab.summary, "properties": ask["properties"] | named}
