"""Instructions that make new values out of those on the stack."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from labs.bits.bytecode_vm.hosted import several
from labs.bits.bytecode_vm.limits import before_binary, before_format, light
from labs.bits.bytecode_vm.listing import VERSION, Instruction
from labs.bits.bytecode_vm.state import Frame, State
from labs.bits.bytecode_vm.trouble import RefusedError
from labs.bits.bytecode_vm.variables import Effect
from labs.bits.bytecode_vm.variables import on as registered

EFFECTS: dict[str, Effect] = {}
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "<<": operator.lshift, ">>": operator.rshift,
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "+=": operator.iadd, "-=": operator.isub, "*=": operator.imul, "/=": operator.itruediv, "%=": operator.imod,
    "//=": operator.ifloordiv, "**=": operator.ipow, "<<=": operator.ilshift, ">>=": operator.irshift,
    "&=": operator.iand, "|=": operator.ior, "^=": operator.ixor,
}  # fmt: skip
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
UNARY_POSITIVE, LIST_TO_TUPLE = 5, 6  # numbers of CPython's intrinsic functions
HAS_SPEC = 4  # in the argument of FORMAT_VALUE, above two bits for the conversion
VALUES = (int, float, str, list, tuple, dict, set, range, type(None), slice)


def on(*names: str) -> Callable[[Effect], Effect]:
    return registered(*names, into=EFFECTS)


def plain(*values: Any) -> None:
    """Only values of these kinds take part in arithmetic and formats: what they do is known."""
    for each in values:
        if not isinstance(each, VALUES):
            raise RefusedError(f"this is not taken here with a {type(each).__name__.lower()}")


@on("BINARY_OP")
def binary(state: State, frame: Frame, did: Instruction) -> None:
    right, left = frame.stack.pop(), frame.stack.pop()
    frame.stack.append(subscript(left, right) if did.says == "[]" else calculate(did.says, left, right))


def calculate(op: str, left: Any, right: Any) -> Any:
    if op == "+=" and isinstance(left, list) and hasattr(right, "__iter__"):  # anything that can be walked
        light(left, right)
        right = [*several(right)]
    plain(left, right)
    before_binary(op.removesuffix("="), left, right)
    result = BINARY[op](left, right)
    if isinstance(result, complex):
        raise RefusedError("complex numbers are not taken here")
    return result


@on("UNARY_NEGATIVE", "UNARY_POSITIVE", "UNARY_INVERT", "UNARY_NOT", "TO_BOOL")
def unary(state: State, frame: Frame, did: Instruction) -> None:
    value = frame.stack.pop()
    if did.name in ("UNARY_NOT", "TO_BOOL"):
        frame.stack.append(bool(value) if did.name == "TO_BOOL" else not value)
        return
    plain(value)
    change: dict[str, Callable[[Any], Any]] = {
        "UNARY_NEGATIVE": operator.neg,
        "UNARY_POSITIVE": operator.pos,
        "UNARY_INVERT": operator.invert,
    }
    frame.stack.append(change[did.name](value))


@on("CALL_INTRINSIC_1", "LIST_TO_TUPLE")
def intrinsic(state: State, frame: Frame, did: Instruction) -> None:
    value = frame.stack.pop()
    if did.name == "LIST_TO_TUPLE" or did.arg == LIST_TO_TUPLE:
        frame.stack.append(tuple(value))
    elif did.arg == UNARY_POSITIVE:
        plain(value)
        frame.stack.append(+value)
    else:
        raise RefusedError(f"the instruction {did.name} {did.says} is not taken here")


@on("COMPARE_OP")
def compare(state: State, frame: Frame, did: Instruction) -> None:
    right, left = frame.stack.pop(), frame.stack.pop()
    light(left, right)
    op = re.sub(r"[^=!<>]", "", did.says)
    frame.stack.append(COMPARE[op](left, right))


@on("IS_OP")
def same(state: State, frame: Frame, did: Instruction) -> None:
    right, left = frame.stack.pop(), frame.stack.pop()
    frame.stack.append((left is right) != bool(did.arg))


@on("CONTAINS_OP")
def contains(state: State, frame: Frame, did: Instruction) -> None:
    right, left = frame.stack.pop(), frame.stack.pop()
    light(left, right)
    frame.stack.append((left in right) != bool(did.arg))


# -- parts ---------------------------------------------------------------------------------------------------


def subscript(items: Any, index: Any) -> Any:
    plain(items)
    light(index)
    return items[index]


@on("BINARY_SUBSCR")
def read_item(state: State, frame: Frame, did: Instruction) -> None:
    index, items = frame.stack.pop(), frame.stack.pop()
    frame.stack.append(subscript(items, index))


@on("BINARY_SLICE")
def read_slice(state: State, frame: Frame, did: Instruction) -> None:
    high, low, items = frame.stack.pop(), frame.stack.pop(), frame.stack.pop()
    frame.stack.append(subscript(items, slice(low, high)))


@on("STORE_SUBSCR")
def store_item(state: State, frame: Frame, did: Instruction) -> None:
    index, items, value = frame.stack.pop(), frame.stack.pop(), frame.stack.pop()
    put_item(items, index, value)


@on("STORE_SLICE")
def store_slice(state: State, frame: Frame, did: Instruction) -> None:
    high, low, items, value = (frame.stack.pop() for _ in range(4))
    put_item(items, slice(low, high), value)


def put_item(items: Any, index: Any, value: Any) -> None:
    plain(items)
    light(index, items)
    items[index] = [*several(value)] if isinstance(index, slice) else value


@on("DELETE_SUBSCR")
def delete_item(state: State, frame: Frame, did: Instruction) -> None:
    index, items = frame.stack.pop(), frame.stack.pop()
    plain(items)
    light(index)
    del items[index]


# -- wholes --------------------------------------------------------------------------------------------------


def take(frame: Frame, many: int) -> list[Any]:
    """The topmost values, the deepest first."""
    return frame.stack.cut(len(frame.stack) - many)


@on("BUILD_LIST", "BUILD_SET", "BUILD_TUPLE", "BUILD_STRING", "BUILD_SLICE")
def build(state: State, frame: Frame, did: Instruction) -> None:
    items = take(frame, did.arg)
    match did.name:
        case "BUILD_TUPLE":
            frame.stack.append(tuple(items))
        case "BUILD_STRING":
            light(*items)
            frame.stack.append("".join(items))
        case "BUILD_SLICE":
            frame.stack.append(slice(*items))
        case "BUILD_SET":
            light(*items)
            frame.stack.append(set(items))
        case _:
            frame.stack.append(items)


@on("BUILD_MAP")
def build_map(state: State, frame: Frame, did: Instruction) -> None:
    items = take(frame, 2 * did.arg)
    light(*items[::2])
    frame.stack.append(dict(zip(items[::2], items[1::2], strict=True)))


@on("BUILD_CONST_KEY_MAP")
def build_const_map(state: State, frame: Frame, did: Instruction) -> None:
    keys = frame.stack.pop()
    frame.stack.append(dict(zip(keys, take(frame, did.arg), strict=True)))


@on("LIST_APPEND")
def append(state: State, frame: Frame, did: Instruction) -> None:
    value = frame.stack.pop()
    frame.stack[-did.arg].append(value)


@on("LIST_EXTEND")
def extend(state: State, frame: Frame, did: Instruction) -> None:
    values = frame.stack.pop()
    light(values, frame.stack[-did.arg])
    frame.stack[-did.arg].extend([*several(values)])


@on("SET_ADD")
def add_to_set(state: State, frame: Frame, did: Instruction) -> None:
    value = frame.stack.pop()
    light(value)
    frame.stack[-did.arg].add(value)


@on("SET_UPDATE")
def update_set(state: State, frame: Frame, did: Instruction) -> None:
    values = frame.stack.pop()
    light(values, frame.stack[-did.arg])
    frame.stack[-did.arg].update(several(values))


@on("MAP_ADD")
def add(state: State, frame: Frame, did: Instruction) -> None:
    value, key = frame.stack.pop(), frame.stack.pop()
    light(key)
    frame.stack[-did.arg][key] = value


@on("DICT_UPDATE")
def update(state: State, frame: Frame, did: Instruction) -> None:
    values = frame.stack.pop()
    plain(values)
    frame.stack[-did.arg].update(values)


@on("UNPACK_SEQUENCE")
def unpack(state: State, frame: Frame, did: Instruction) -> None:
    given = frame.stack.pop()
    values = unpacked(given)
    if len(values) < did.arg:
        raise ValueError(f"not enough values to unpack (expected {did.arg}, got {len(values)})")
    if len(values) > did.arg:
        got = f", got {len(values)}" if VERSION >= 14 and isinstance(given, list | tuple | dict) else ""
        raise ValueError(f"too many values to unpack (expected {did.arg}{got})")
    frame.stack += reversed(values)


@on("UNPACK_EX")
def unpack_rest(state: State, frame: Frame, did: Instruction) -> None:
    before, after = did.arg & 255, did.arg >> 8
    values = unpacked(frame.stack.pop())
    if len(values) < before + after:
        raise ValueError(f"not enough values to unpack (expected at least {before + after}, got {len(values)})")
    end = len(values) - after
    frame.stack += reversed([*values[:before], values[before:end], *values[end:]])


def unpacked(values: Any) -> list[Any]:
    if not hasattr(values, "__iter__"):
        raise TypeError(f"cannot unpack non-iterable {type(values).__name__} object")
    return [*several(values)]


# -- text ----------------------------------------------------------------------------------------------------


@on("FORMAT_VALUE")
def format_value(state: State, frame: Frame, did: Instruction) -> None:
    spec = frame.stack.pop() if did.arg & HAS_SPEC else ""
    frame.stack.append(formatted(converted(did.arg & 3, frame.stack.pop()), spec))


@on("CONVERT_VALUE")
def convert(state: State, frame: Frame, did: Instruction) -> None:
    frame.stack.append(converted(did.arg, frame.stack.pop()))


@on("FORMAT_SIMPLE")
def format_simple(state: State, frame: Frame, did: Instruction) -> None:
    frame.stack.append(formatted(frame.stack.pop(), ""))


@on("FORMAT_WITH_SPEC")
def format_with(state: State, frame: Frame, did: Instruction) -> None:
    spec, value = frame.stack.pop(), frame.stack.pop()
    frame.stack.append(formatted(value, spec))


def converted(how: int, value: Any) -> Any:
    light(value)
    return value if how == 0 else (str, repr, ascii)[how - 1](value)


def formatted(value: Any, spec: str) -> str:
    light(value)
    before_format(spec)
    return format(value, spec)
