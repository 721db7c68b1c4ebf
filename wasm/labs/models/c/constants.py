"""The names that headers give to numbers, with the types that x86-64 Linux gives them."""

from __future__ import annotations

import math

from labs.models.c.types import (
    CHAR,
    DOUBLE,
    FILE,
    FLOAT,
    INT,
    LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    VOID,
    Integer,
    Pointer,
    Type,
)

LIMITS = {
    "CHAR": CHAR,
    "SCHAR": SIGNED_CHAR,
    "SHRT": SHORT,
    "INT": INT,
    "LONG": LONG,
    "LLONG": LONG,
    "PTRDIFF": LONG,
}
LIMITS |= {"UCHAR": UNSIGNED_CHAR, "USHRT": UNSIGNED_SHORT, "UINT": UNSIGNED, "ULONG": UNSIGNED_LONG}
LIMITS |= {
    "ULLONG": UNSIGNED_LONG,
    "SIZE": UNSIGNED_LONG,
    "INTPTR": LONG,
    "UINTPTR": UNSIGNED_LONG,
    "PTRDIFF": LONG,
}
LIMITS |= {"INT8": SIGNED_CHAR, "INT16": SHORT, "INT32": INT, "INT64": LONG}
LIMITS |= {"UINT8": UNSIGNED_CHAR, "UINT16": UNSIGNED_SHORT, "UINT32": UNSIGNED, "UINT64": UNSIGNED_LONG}


def promoted(kind: Integer) -> Integer:
    """The type of a limit: that of its own type in arithmetic."""
    return INT if kind.size < INT.size else kind


STREAMS = ("stdin", "stdout", "stderr")
CONSTANTS: dict[str, tuple[float, Type]] = {
    "true": (1, INT),
    "false": (0, INT),
    "NULL": (0, Pointer(VOID)),
    "EOF": (-1, INT),
    "EXIT_SUCCESS": (0, INT),
    "EXIT_FAILURE": (1, INT),
    "CHAR_BIT": (8, INT),
    "RAND_MAX": (INT.high, INT),
    "NAN": (math.nan, FLOAT),
    "INFINITY": (math.inf, FLOAT),
    "HUGE_VAL": (math.inf, DOUBLE),
    "M_PI": (math.pi, DOUBLE),
    "M_E": (math.e, DOUBLE),
    **{name: (number, Pointer(FILE)) for number, name in enumerate(STREAMS, 1)},
    **{f"{name}_MAX": (kind.high, promoted(kind)) for name, kind in LIMITS.items()},
    **{f"{name}_MIN": (kind.low, promoted(kind)) for name, kind in LIMITS.items() if kind.signed},
}
