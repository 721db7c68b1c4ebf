"""``<math.h>``: as IEEE 754 and the C library have it, where Python raises."""

from __future__ import annotations

import math
from collections.abc import Callable

from labs.models.c.known import Known, takes
from labs.models.c.rounding import rounded
from labs.models.c.types import DOUBLE, FLOAT, INT

BAD = math.copysign(math.nan, -1.0)
"""What x86-64 makes of an invalid operation: its sign is set. Three functions of glibc 2.36 clear it."""
CLEARED = {"asin", "acos", "log10"}
WHOLE = 2.0**52
"""From here on a double has no fraction."""


def safe(name: str) -> Callable[..., float]:
    """Of the edges where Python raises: what is not a number is NaN, what is too large is infinite."""
    function = getattr(math, name)

    def call(_: object, *values: float) -> float:
        if name.startswith("log") and values[0] == 0:
            return -math.inf
        try:
            return float(function(*values))
        except ValueError:
            return abs(BAD) if name in CLEARED else BAD
        except OverflowError:
            return math.copysign(math.inf, values[0]) if name == "sinh" else math.inf

    return call


def power(_: object, x: float, y: float) -> float:
    odd = math.isfinite(y) and y % 2 == 1
    sign = math.copysign(1.0, x) if odd else 1.0
    if x == 0 and y < 0:
        return math.copysign(math.inf, sign)
    try:
        return math.pow(x, y)
    except ValueError:
        return BAD
    except OverflowError:
        return math.copysign(math.inf, sign)


def length(_: object, x: float, y: float) -> float:
    """Python's own ``hypot`` differs from the C library's in the last digit; ``abs`` asks the library."""
    try:
        return abs(complex(x, y))
    except OverflowError:
        return math.inf


def to_whole(function: Callable[[float], float]) -> Callable[[object, float], float]:
    """A rounding to whole numbers keeps the sign of what it rounds, that of zero too."""

    def call(_: object, x: float) -> float:
        if not math.isfinite(x) or abs(x) >= WHOLE:
            return x
        return math.copysign(float(function(x)), x)

    return call


def half_up(x: float) -> float:
    """The nearest whole number; from halfway away from zero."""
    whole = math.trunc(x)
    return whole + (math.copysign(1, x) if abs(x - whole) >= 0.5 else 0)


def lesser(_: object, x: float, y: float) -> float:
    return x if math.isnan(y) or x < y else y


def larger(_: object, x: float, y: float) -> float:
    return x if math.isnan(y) or x > y else y


def single(call: Callable[..., float]) -> Callable[..., float]:
    return lambda _, x: rounded(call(_, x), FLOAT)


EXACT: dict[str, Callable[..., float]] = {
    "sqrt": safe("sqrt"),
    "fabs": lambda _, x: abs(x),
    "floor": to_whole(math.floor),
    "ceil": to_whole(math.ceil),
    "trunc": to_whole(math.trunc),
    "round": to_whole(half_up),
}
"""Exact, or rounded once, so that the same serves float."""
ONE = (
    "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp2", "cbrt", "log", "log2",
    "log10",
)  # fmt: skip
TWO: dict[str, Callable[..., float]] = {
    "pow": power,
    "fmod": safe("fmod"),
    "atan2": safe("atan2"),
    "hypot": length,
    "fmin": lesser,
    "fmax": larger,
}
MATHS = (
    {name: Known(takes(DOUBLE, DOUBLE), safe(name)) for name in ONE}
    | {name: Known(takes(DOUBLE, DOUBLE), call) for name, call in EXACT.items()}
    | {f"{name}f": Known(takes(FLOAT, FLOAT), single(call)) for name, call in EXACT.items()}
    | {name: Known(takes(DOUBLE, DOUBLE, DOUBLE), call) for name, call in TWO.items()}
    | {
        "isnan": Known(takes(INT, DOUBLE), lambda _, x: int(math.isnan(x))),
        "isinf": Known(takes(INT, DOUBLE), lambda _, x: int(math.copysign(math.isinf(x), x))),
    }
)
