"""Arithmetic as C defines it, and a fault where it does not."""

from __future__ import annotations

import math
import operator

from labs.models.c import types
from labs.models.c.memory import Fault, Pointer
from labs.models.c.rounding import nearest, rounded

Value = int | float
COMPARE = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def integer(op: str, left: int, right: int, kind: types.Integer) -> int:
    """Raises ``Fault`` where C does not define the result."""
    match op:
        case "+" | "-" | "*":
            return whole({"+": left + right, "-": left - right, "*": left * right}[op], kind)
        case "/" | "%":
            if right == 0:
                raise Fault("division", f"{left} {op} 0: division by zero")
            quotient = whole(abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1), kind)
            return quotient if op == "/" else left - quotient * right
        case "<<" | ">>":
            if not 0 <= right < kind.bits:
                widest = kind.bits - 1
                raise Fault(
                    "shift", f"shift by {right}; a value of {kind.bits} bits can be shifted by 0 to {widest}"
                )
            if op == ">>":
                return left >> right
            if kind.signed and left < 0:
                raise Fault("shift", f"{left} << {right} shifts a negative number, which C does not define")
            if kind.signed and left << right > kind.high:
                raise Fault("shift", f"{left} << {right} does not fit into {kind}")
            return kind.wrap(left << right)
    return kind.wrap({"&": left & right, "|": left | right, "^": left ^ right}[op])


def whole(value: int, kind: types.Integer) -> int:
    """The result of integer arithmetic: unsigned wraps around, signed may not."""
    if kind.signed and not kind.low <= value <= kind.high:
        end = kind.high if value > 0 else kind.low
        raise Fault("signed overflow", f"{value} does not fit into {kind}, which ends at {end}")
    return kind.wrap(value)


def convert(value: Value, source: types.Type, to: types.Type) -> Value:
    """Raises ``Fault`` where a floating number has no whole one in the type."""
    if isinstance(to, types.Floating):
        return nearest(value, to) if isinstance(value, int) else rounded(value, to)
    if isinstance(to, types.Pointer):
        return value if isinstance(value, Pointer) else int(value) % (1 << 64)
    assert isinstance(to, types.Integer)
    if to == types.BOOL:
        return int(value != 0)
    if isinstance(source, types.Floating):
        if not math.isfinite(value) or not to.low <= int(value) <= to.high:
            raise Fault("conversion", f"{value} has no value in {to}")
        return int(value)
    return to.wrap(int(value))


def floating(op: str, left: float, right: float) -> float:
    """IEEE 754, where Python would raise."""
    if op == "/" and right == 0:
        if left == 0 or math.isnan(left):
            return made(math.nan, left, right)
        return math.copysign(math.inf, left) * math.copysign(1.0, right)
    results = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
    return made(results[op](left, right), left, right)


def made(found: float, left: float, right: float) -> float:
    """A result as x86-64 has it: of operands that are not a number the first, and a new NaN is negative."""
    if not math.isnan(found):
        return found
    return next((each for each in (left, right) if math.isnan(each)), -math.nan)
