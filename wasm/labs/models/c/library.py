"""The functions of the C library that a program may call, by their types."""

from __future__ import annotations

from labs.models.c.characters import CHARACTERS
from labs.models.c.known import ANY, TEXT, takes
from labs.models.c.maths import MATHS
from labs.models.c.sorting import SORTING
from labs.models.c.strings import STRINGS
from labs.models.c.types import FILE, INT, UNSIGNED, UNSIGNED_LONG, VOID, Function, Pointer

KNOWN = STRINGS | CHARACTERS | MATHS
"""Those that need memory alone. The others are `hosted`."""
STREAM = Pointer(FILE)
LIBRARY: dict[str, Function] = (
    {name: each.type for name, each in KNOWN.items()}
    | SORTING
    | {
        "strtok": takes(TEXT, TEXT, TEXT),
        "malloc": takes(ANY, UNSIGNED_LONG),
        "calloc": takes(ANY, UNSIGNED_LONG, UNSIGNED_LONG),
        "realloc": takes(ANY, ANY, UNSIGNED_LONG),
        "strdup": takes(TEXT, TEXT),
        "free": takes(VOID, ANY),
        "printf": takes(INT, TEXT, variadic=True),
        "fprintf": takes(INT, STREAM, TEXT, variadic=True),
        "sprintf": takes(INT, TEXT, TEXT, variadic=True),
        "snprintf": takes(INT, TEXT, UNSIGNED_LONG, TEXT, variadic=True),
        "puts": takes(INT, TEXT),
        "fputs": takes(INT, TEXT, STREAM),
        "putchar": takes(INT, INT),
        "getchar": takes(INT),
        "fgets": takes(TEXT, TEXT, INT, STREAM),
        "scanf": takes(INT, TEXT, variadic=True),
        "sscanf": takes(INT, TEXT, TEXT, variadic=True),
        "rand": takes(INT),
        "srand": takes(VOID, UNSIGNED),
        "assert": takes(VOID, INT),
        "exit": takes(VOID, INT),
        "abort": takes(VOID),
    }
)
