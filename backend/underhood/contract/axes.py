"""The names of axes that a lab declares with ``Axes``, read off the schemas of its events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labs.discover import Lab

from underhood.contract.schema import event_schemas

Axis = dict[str, Any]  # ``name``, and where its places have names ``names`` or ``of``, a path below the event


def axes(lab: Lab) -> dict[str, list[Axis]]:
    """The axes of each array and list that names them, by its kind and field: ``lowered.ways.speed``."""
    schemas = event_schemas(lab)
    return {path: found for kind, schema in schemas.items() for path, found in _below(kind, schema, schema)}


def _below(
    path: str, schema: dict[str, Any], event: dict[str, Any], seen: frozenset[str] = frozenset()
) -> Iterator[tuple[str, list[Axis]]]:
    if "axes" in schema:
        yield path, schema["axes"]
    inner = [(path, each) for each in schema.get("anyOf", [])]
    inner += [(f"{path}.{name}", field) for name, field in schema.get("properties", {}).items()]
    if isinstance(schema.get("items"), dict):
        inner.append((path, schema["items"]))
    if (ref := schema.get("$ref", "")) and ref not in seen:  # a tree refers to itself
        inner.append((path, event["$defs"][ref.rpartition("/")[2]]))
    for below, each in inner:
        yield from _below(below, each, event, seen | {ref})
