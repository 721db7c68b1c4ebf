"""Variables outside of functions, and strings."""

from __future__ import annotations

import struct

from labs.models.c import types
from labs.models.c.code import Global

from native.bits.code_to_bytes.names import symbol
from native.bits.code_to_bytes.operators import number, plain

FORMS = {types.FLOAT: "<f", types.DOUBLE: "<d"}


def write(it: Global, narrow: bool) -> str:
    word = "constant" if it.constant else "global"
    private = "private unnamed_addr " if it.name.startswith('"') else ""
    return f"{symbol(it.name)} = {private}{word} {value(it, narrow)}, align {max(it.type.align, 1)}"


def value(it: Global, narrow: bool) -> str:
    if it.pointers:
        return pieces(it, narrow)
    if not any(it.data):
        return f"{plain(it.type)} zeroinitializer"
    item = it.type
    while isinstance(item, types.Array):
        item = item.of
    if isinstance(item, types.Integer | types.Floating) and item.size > 1:
        kind = plain(item)
        items = [it.data[at : at + item.size] for at in range(0, len(it.data), item.size)]
        inside = ", ".join(f"{kind} {read(each, item)}" for each in items)
        return f"[{len(items)} x {kind}] [{inside}]"
    return raw(it.data)


def read(data: bytes, kind: types.Integer | types.Floating) -> str:
    if isinstance(kind, types.Floating):
        return number(struct.unpack(FORMS[kind], data)[0], kind)
    return str(int.from_bytes(data, "little", signed=kind.signed))


def raw(data: bytes) -> str:
    inside = "".join(chr(c) if 32 <= c < 127 and c not in b'"\\' else f"\\{c:02X}" for c in data)
    return f'[{len(data)} x i8] c"{inside}"'


def pieces(it: Global, narrow: bool) -> str:
    """Bytes with addresses among them, which the linker knows. Where a pointer has four bytes, four follow it."""
    parts, at = [], 0
    for offset, name, added in sorted(it.pointers):
        if offset > at:
            parts.append(raw(it.data[at:offset]))
        address = f"getelementptr (i8, ptr {symbol(name)}, i64 {added})" if added else symbol(name)
        parts += [f"ptr {address}"] + ["[4 x i8] zeroinitializer"] * narrow
        at = offset + 8
    if at < len(it.data):
        parts.append(raw(it.data[at:]))
    kinds = ", ".join("ptr" if part.startswith("ptr") else part[: part.index("]") + 1] for part in parts)
    return f"<{{ {kinds} }}> <{{ {', '.join(parts)} }}>"
