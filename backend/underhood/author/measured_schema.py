"""JSON Schema of what a measured machine writes, made from its lab's contract: the file that ``/bench/`` takes.

Every field is there and no other, words and lists are bounded, and each array keeps the names of its axes, so that
a check of a file knows how long they have to be. Only the switch of a kernel may be missing, as it is in files from
before that kernel.
"""

from __future__ import annotations

from typing import Any

from labs.discover import find

from underhood.contract.schema import event_schemas, params_schema
from underhood.machine.measured_file import FORMAT, LAB

MOST_RUNS = 24
MOST_WORDS = 300  # characters of a text
MOST_ITEMS = 64  # of a list
MOST_BYTES = 1 << 16  # of an array, as base64
NAMED = {
    "type": "object",
    "propertyNames": {"pattern": "^[a-z][a-z0-9_.-]{0,39}$"},
    "additionalProperties": {"type": "string", "maxLength": MOST_WORDS},
    "maxProperties": 16,
}


def measured_schema() -> dict[str, Any]:
    lab = find()[LAB]
    (event,) = event_schemas(lab).values()
    params = {name: _field(field) for name, field in params_schema(lab)["properties"].items()}
    run = {
        "lab": {"const": lab.id},
        "params": _object(params, optional=tuple(each for each in params if params[each]["type"] == "boolean")),
        "provenance": _object(PROVENANCE, optional=("edited",)),
        "event": _whole(event),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_object(
            {
                "format": {"const": FORMAT},
                "runs": {"type": "array", "minItems": 1, "maxItems": MOST_RUNS, "items": _object(run)},
            }
        ),
    }


PROVENANCE = {
    "where": {"enum": ["recorded", "server", "browser"]},
    "at": {"type": "string", "pattern": "^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"},
    "machine": {"type": "string", "minLength": 1, "maxLength": MOST_WORDS},
    "hardware": NAMED,
    "versions": NAMED,
    "lab_version": {"type": "string", "pattern": "^[0-9a-f]{12}$"},
    "edited": {"type": "boolean"},
}


def _object(properties: dict[str, Any], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }


def _whole(schema: dict[str, Any]) -> dict[str, Any]:
    """An object as it is sent, with all of its fields."""
    return _object({name: _field(field) for name, field in schema["properties"].items()})


def _field(field: dict[str, Any]) -> dict[str, Any]:
    if field.get("tsType") == "Sentence":
        return {"type": ["string", "array"], "maxLength": MOST_WORDS, "maxItems": MOST_ITEMS}
    if "NdArray" in field.get("tsType", ""):
        return _array(field["axes"])
    kept = {"type", "enum", "const", "minimum", "maximum", "maxLength", "items", "axes"}
    made = {key: value for key, value in field.items() if key in kept}
    if made.get("type") == "string" and not made.keys() & {"enum", "const"}:
        made.setdefault("maxLength", MOST_WORDS)
    if made.get("type") == "array":
        made |= {"items": _field(made["items"]), "maxItems": MOST_ITEMS}
    return made


def _array(axes: list[dict[str, Any]]) -> dict[str, Any]:
    length = {"type": "integer", "minimum": 0, "maximum": MOST_ITEMS}
    parts = {
        "dtype": {"const": "float32"},
        "shape": {"type": "array", "items": length, "minItems": len(axes), "maxItems": len(axes)},
        "data": {"type": "string", "maxLength": MOST_BYTES, "pattern": "^[A-Za-z0-9+/]*={0,2}$"},
    }
    return {**_object(parts), "axes": axes}
