"""What pydantic makes of a lab: checked parameters, and the JSON Schema from which the frontend is generated."""

from __future__ import annotations

import difflib
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from typing import Any

from labs.discover import Lab, NotALabError, line_of
from pydantic import ConfigDict, PydanticUserError, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as checked

from underhood.record import elsewhere
from underhood.words import words

# Strict: "4" is not a number of bits and 1 is not a switch. Unknown names are refused, so a typo is never ignored.
STRICT = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class ParameterError(ValueError):
    """A parameter that the lab does not take; the message names it and what would be taken."""

    def __init__(self, problems: list[dict[str, str]]) -> None:
        super().__init__("; ".join(problem["message"] for problem in problems))
        self.problems = problems


@cache
def _adapter(params: type) -> TypeAdapter[Any]:
    return TypeAdapter(checked(params, config=STRICT))


@cache
def params_schema(lab: Lab) -> dict[str, Any]:
    with mending(lab, lab.params):
        return _adapter(lab.params).json_schema()


@cache
def event_schemas(lab: Lab) -> dict[str, dict[str, Any]]:
    """JSON Schema of each event of a lab, by its kind; a field's description is what the lab says below it."""
    schemas = {}
    for event in lab.events:
        with mending(lab, event):
            schema = TypeAdapter(event).json_schema(mode="serialization")
            for field, said in words(event).items():
                schema["properties"][field]["description"] = said
            if "const" not in (kind := schema["properties"].get("kind", {})):
                raise TypeError('it needs kind: Literal["…"] = "…"')
            schemas[kind["const"]] = schema
    return schemas


@contextmanager
def mending(lab: Lab, kind: type) -> Iterator[None]:
    """What is wrong with a class of a lab is said with its place."""
    try:
        yield
    except (PydanticUserError, TypeError, NameError) as error:
        what = f"{kind.__name__} cannot be described: {str(error).partition(chr(10))[0]}"
        refused = re.search(r"(\w+)'>", str(error))  # the type, by its name
        raise NotALabError(sys.modules[lab.module], line_of(kind, refused[1] if refused else ""), what) from error


def validate(lab: Lab, values: dict[str, Any]) -> Any:
    """Checked ``Params`` of a lab. Raises ``ParameterError`` naming every parameter that is wrong and its range."""
    try:
        made = _adapter(lab.params).validate_json(json.dumps(values))  # strict mode takes an object only as JSON
    except ValidationError as error:
        raise ParameterError([_problem(lab, problem) for problem in error.errors()]) from None
    return lab.params(**{name: getattr(made, name) for name in params_schema(lab)["properties"]})


def refuse_on_device(lab: Lab) -> None:
    """Raises ``ParameterError`` for a lab that only its reader's browser can run."""
    if lab.on_device:
        raise ParameterError([{"param": "lab", "message": elsewhere(lab)}])


def canonical(params: Any) -> dict[str, Any]:
    """Parameters as a plain dictionary, every default filled in."""
    return asdict(params)


def describe(lab: Lab) -> dict[str, Any]:
    """A lab as the API, the generated manifest and the lab's page show it."""
    return {
        "id": lab.id,
        "title": lab.title,
        "summary": lab.summary,
        "runs_on": list(lab.runs_on),
        "measures": lab.measures,
        "shows_python": lab.shows_python,
        "version": lab.version,
        "params": params_schema(lab),
        "events": event_schemas(lab),
    } | ({"front": list(lab.front)} if lab.front else {})


def _problem(lab: Lab, problem: Any) -> dict[str, str]:
    properties = params_schema(lab)["properties"]
    name = str(problem["loc"][0]) if problem["loc"] else "params"
    if name not in properties:
        near = difflib.get_close_matches(name, properties, n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; it takes {', '.join(properties)}"
        return {"param": name, "message": f"{lab.id} has no parameter {name}{hint}"}
    if problem["type"] in ("missing", "missing_argument"):
        return {"param": name, "message": f"{name} is missing: it must be {allowed(properties[name])}"}
    given = repr(problem["input"])
    given = given if len(given) <= 40 else given[:39] + "…"
    return {"param": name, "message": f"{name} must be {allowed(properties[name])}, not {given}"}


def allowed(schema: dict[str, Any]) -> str:
    """The range of a parameter in words: 'a whole number from 2 to 8'."""
    if "const" in schema:
        return repr(schema["const"])
    if "enum" in schema:
        return "one of " + ", ".join(repr(value) for value in schema["enum"])
    noun = {"integer": "a whole number", "number": "a number", "boolean": "true or false", "string": "text"}
    words = noun.get(schema.get("type", ""), "a value of another type")
    if "maxLength" in schema:
        return f"{words} of at most {schema['maxLength']:,} characters"
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f"{words} from {low:g} to {high:g}" if high < 1e6 else f"{words} from {low} to {high}"
    return words
