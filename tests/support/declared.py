"""Whether packed events are what their lab declares: every field there, none besides, arrays whole."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs
import numpy as np
from labs.contract import unpack
from labs.discover import Lab
from underhood.contract.axes import Axis, axes
from underhood.contract.schema import event_schemas


def refuse_undeclared(lab: Lab, event: dict[str, Any]) -> None:
    """Raises ``jsonschema_rs.ValidationError`` or ``AssertionError`` naming what is wrong."""
    validators(lab)[event["kind"]].validate(event)
    refuse_other_axes(axes(lab), event)
    for array in arrays(event):
        held = len(base64.b64decode(array["data"], validate=True))
        assert held == math.prod(array["shape"]) * np.dtype(array["dtype"]).itemsize, (
            f"{held} bytes for {array['dtype']}{array['shape']}"
        )


def refuse_other_axes(declared: dict[str, list[Axis]], event: dict[str, Any]) -> None:
    """Every array has the axes that are declared, and every named axis as many places as names."""
    for path, found in declared.items():
        kind, *fields = path.split(".")
        for held in within(event, fields) if kind == event["kind"] else ():
            shape = held["shape"] if isinstance(held, dict) else [len(held)]
            assert len(shape) == len(found), f"{path} has {len(shape)} axes, not {len(found)}"
            for axis, length in zip(found, shape, strict=True):
                names = names_of(axis, event)
                assert names is None or length in (0, len(names)), f"{path}: {length} places for {names}"


def within(value: Any, fields: list[str]) -> Iterator[Any]:
    """What is held at a path, in every item of the lists on the way; nothing where there is None."""
    if value is None:
        return
    if not fields:
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from within(each, fields)
    else:
        yield from within(value[fields[0]], fields[1:])


def names_of(axis: Axis, event: dict[str, Any]) -> list[Any] | None:
    if "of" not in axis:
        return axis.get("names")
    listed, _, field = axis["of"].partition(".")
    held = event[listed]
    if isinstance(held, dict):
        return unpack(held).tolist()
    return [each[field] for each in held] if field else held


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
