"""What pydantic makes of a lab: JSON Schema of its parameters and events, from which the frontend is generated."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from labs.discover import Lab, NotALabError, line_of
from pydantic import ConfigDict, PydanticUserError, TypeAdapter
from pydantic.dataclasses import dataclass as checked

from underhood.contract.field_docs import field_docs

# Strict: "4" is not a number of bits and 1 is not a switch. Unknown names are refused, so a typo is never ignored.
STRICT = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


@cache
def adapter(params: type) -> TypeAdapter[Any]:
    """What checks the parameters of a lab."""
    return TypeAdapter(checked(params, config=STRICT))


@cache
def params_schema(lab: Lab) -> dict[str, Any]:
    with placing(lab, lab.params):
        return adapter(lab.params).json_schema()


@cache
def event_schemas(lab: Lab) -> dict[str, dict[str, Any]]:
    """JSON Schema of each event of a lab, by its kind; a field's description is what the lab says below it."""
    schemas = {}
    for event in lab.events:
        with placing(lab, event):
            schema = TypeAdapter(event).json_schema(mode="serialization")
            for field, said in field_docs(event).items():
                schema["properties"][field]["description"] = said
            if "const" not in (kind := schema["properties"].get("kind", {})):
                raise TypeError('it needs kind: Literal["…"] = "…"')
            schemas[kind["const"]] = schema
    return schemas


@contextmanager
def placing(lab: Lab, kind: type) -> Iterator[None]:
    """An error in a class of a lab is raised with its file and line."""
    try:
        yield
    except (PydanticUserError, TypeError, NameError) as error:
        what = f"{kind.__name__} cannot be described: {str(error).partition(chr(10))[0]}"
        refused = re.search(r"(\w+)'>", str(error))  # the type, by its name
        raise NotALabError(sys.modules[lab.module], line_of(kind, refused[1] if refused else ""), what) from error


def describe(lab: Lab) -> dict[str, Any]:
    """A lab as the API, the generated manifest and the lab's page show it."""
    made = {
        "id": lab.id,
        "title": lab.title,
        "summary": lab.summary,
        "runs_on": list(lab.runs_on),
        "measures": lab.measures,
        "shows_python": lab.shows_python,
        "version": lab.version,
        "params": params_schema(lab),
        "events": event_schemas(lab),
    }
    optional = {"front": list(lab.front), "asks": list(lab.asks), "poster": lab.poster}
    return made | {key: value for key, value in optional.items() if value}
