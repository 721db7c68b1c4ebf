"""The names that headers give to numbers, with the types that x86-64 Linux gives them."""

from __future__ import annotations

from labs.models.c.types import (
    CHAR,
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


CONSTANTS: dict[str, tuple[int, Type]] = {
    "true": (1, INT),
    "false": (0, INT),
    "NULL": (0, Pointer(VOID)),
    "EOF": (-1, INT),
    "EXIT_SUCCESS": (0, INT),
    "EXIT_FAILURE": (1, INT),
    "CHAR_BIT": (8, INT),
    **{f"{name}_MAX": (kind.high, promoted(kind)) for name, kind in LIMITS.items()},
    **{f"{name}_MIN": (kind.low, promoted(kind)) for name, kind in LIMITS.items() if kind.signed},
}
