"""Arithmetic, comparisons and conversions, as functions of a frame. ``arithmetic`` says what they mean."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

from labs.models.c import types
from labs.models.c.access import Get
from labs.models.c.arithmetic import COMPARE, Value, convert, floating, integer, whole
from labs.models.c.code import Instruction
from labs.models.c.memory import Fault
from labs.models.c.rounding import rounded

if TYPE_CHECKING:
    from labs.models.c.machine import Frame

EXACT = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def operation(it: Instruction, gets: list[Get]) -> Get:
    if it.op in COMPARE:
        return comparison(COMPARE[it.op], *gets)
    if it.op in EXACT and isinstance(it.type, types.Integer):
        return sum_or_product(it, EXACT[it.op], it.type, *gets)
    apply = meaning(it)

    def get(frame: Frame) -> Value:
        values = [each(frame) for each in gets]
        try:
            return apply(*values)
        except Fault as fault:
            fault.place = fault.place or it.place
            raise

    return get


def comparison(holds: Callable[[Value, Value], bool], left: Get, right: Get) -> Get:
    return lambda frame: 1 if holds(left(frame), right(frame)) else 0


def sum_or_product(
    it: Instruction, exact: Callable[[int, int], int], kind: types.Integer, left: Get, right: Get
) -> Get:
    low, high = kind.low, kind.high

    def get(frame: Frame) -> int:
        found = exact(left(frame), right(frame))
        if low <= found <= high:
            return found
        try:
            return whole(found, kind)
        except Fault as fault:
            fault.place = it.place
            raise

    return get


def meaning(it: Instruction) -> Callable[..., Value]:
    """What an instruction makes of its operands."""
    kind = it.type
    match it.op:
        case "convert":
            assert it.result
            to = it.result.type
            return lambda value: convert(value, kind, to)
        case "negate":
            return (lambda value: whole(-value, kind)) if isinstance(kind, types.Integer) else operator.neg
        case "invert":
            assert isinstance(kind, types.Integer)
            return lambda value: whole(~value, kind)
    if isinstance(kind, types.Floating):
        return lambda left, right: rounded(floating(it.op, float(left), float(right)), kind)
    assert isinstance(kind, types.Integer)
    return lambda left, right: integer(it.op, left, right, kind)
