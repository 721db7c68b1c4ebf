"""Are these a lab's parameters? The one check that the command, the API and the engine share, and what it says."""

from __future__ import annotations

import difflib
import json
from dataclasses import asdict
from typing import Any

from labs.discover import Lab
from pydantic import ValidationError

from underhood.contract.schema import adapter, params_schema


class ParameterError(ValueError):
    """A parameter that the lab does not take; the message names it and what would be taken."""

    def __init__(self, problems: list[dict[str, str]]) -> None:
        super().__init__("; ".join(problem["message"] for problem in problems))
        self.problems = problems


def validate(lab: Lab, values: dict[str, Any]) -> Any:
    """Checked ``Params`` of a lab. Raises ``ParameterError`` naming every parameter that is wrong and its range."""
    try:
        made = adapter(lab.params).validate_json(json.dumps(values))  # strict mode takes an object only as JSON
    except ValidationError as error:
        raise ParameterError([_problem(lab, problem) for problem in error.errors()]) from None
    return lab.params(**{name: getattr(made, name) for name in params_schema(lab)["properties"]})


def refuse_on_device(lab: Lab) -> None:
    """Raises ``ParameterError`` for a lab that only its reader's browser can run."""
    if lab.on_device:
        message = f"{lab.id} measures its reader's own device: it runs in a browser and nowhere else."
        raise ParameterError([{"param": "lab", "message": message}])


def canonical(params: Any) -> dict[str, Any]:
    """Parameters as a plain dictionary, every default filled in."""
    return asdict(params)


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
