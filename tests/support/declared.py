"""Whether packed events are what their lab declares: every field there, none besides, arrays whole."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
import numpy as np
from labs.discover import Lab
from underhood.contract.schema import event_schemas


def refuse_undeclared(lab: Lab, event: dict[str, Any]) -> None:
    """Raises ``jsonschema_rs.ValidationError`` or ``AssertionError`` naming what is wrong."""
    validators(lab)[event["kind"]].validate(event)
    for array in arrays(event):
        held = len(base64.b64decode(array["data"], validate=True))
        assert held == math.prod(array["shape"]) * np.dtype(array["dtype"]).itemsize, (
            f"{held} bytes for {array['dtype']}{array['shape']}"
        )


@cache
def validators(lab: Lab) -> dict[str, Any]:
    return {kind: jsonschema_rs.validator_for(closed(schema)) for kind, schema in event_schemas(lab).items()}


def closed(schema: Any) -> Any:
    """The same schema, which takes no other fields, and says what an array is on the wire."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if str(schema.get("tsType", "")).startswith("NdArray<"):
        dtype = schema["tsType"].removeprefix("NdArray<").partition("Array")[0].lower()
        shape = {"type": "array", "items": {"type": "integer", "minimum": 0}}
        wire = {"dtype": {"const": dtype}, "shape": shape, "data": {"type": "string"}}
        return {"type": "object", "properties": wire, "required": [*wire], "additionalProperties": False}
    inner = {key: closed(value) for key, value in schema.items()}
    return inner | {"additionalProperties": False} if isinstance(inner.get("properties"), dict) else inner


def arrays(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict) and value.keys() == {"dtype", "shape", "data"}:
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from arrays(each)
