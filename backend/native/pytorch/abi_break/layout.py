"""Where the fields of a struct lie for each side, and what the bytes there say to it."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from native.pytorch.abi_break import module, sources
from native.pytorch.abi_break.pictures import Field

if TYPE_CHECKING:
    from native.pytorch.abi_break import Params

CODES = {"int": "<i", "double": "<d", "Py_ssize_t": "<q", "uintptr_t": "<Q", "digit": "<I"}
OF = {4: "int", 8: "double"}
Named = tuple[str, str]
"""A field, and its type"""


def laid_out(params: Params, found: dict[str, Any]) -> dict[str, Any]:
    data, first = bytes(found["bytes"]), found["first"]
    places = [
        {field: (where[2 * at], where[2 * at + 1]) for at, field in enumerate(names(params, side, where))}
        for side, where in enumerate(found["layouts"])
    ]
    fields = [
        [
            _field(field, *place, data, first, places[1 - side].get(field) == place)
            for field, place in places[side].items()
        ]
        for side in range(2)
    ]
    return {
        "bytes": np.frombuffer(data, np.uint8),
        "first": first,
        "our_fields": fields[0],
        "their_fields": fields[1],
    }


def names(params: Params, side: int, where: list[int]) -> list[Named]:
    """Of the fields, as the extension knows them (side 0) or the library."""
    if params.change == "Python":
        python = module.HERE if side else module.built_for(params)
        kind, name = module.COUNT[module.release(python)].split()
        return [(name, kind), ("ob_digit[0]", "digit")]
    release = sources.met(params) if side else sources.built_against(params)
    return [(name, OF[where[2 * at + 1]]) for at, name in enumerate(sources.FIELDS[release])]


def counts(params: Params) -> tuple[int, int]:
    return len(sources.FIELDS[sources.built_against(params)]), len(sources.FIELDS[sources.met(params)])


def _field(field: Named, at: int, size: int, data: bytes, first: int, same: bool) -> Field:
    name, kind = field
    value = struct.unpack_from(CODES[kind], data, at - first)[0]
    return Field(name, kind, at, size, f"{value:.6g}" if isinstance(value, float) else str(value), same)
