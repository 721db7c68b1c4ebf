"""The functions of the C library that a program may call, by their types."""

from __future__ import annotations

from labs.models.c.types import CHAR, INT, UNSIGNED_LONG, VOID, Function, Pointer, Type

ANY, TEXT = Pointer(VOID), Pointer(CHAR)


def _of(returns: Type, *parameters: Type, variadic: bool = False) -> Function:
    return Function(returns, parameters, variadic)


LIBRARY: dict[str, Function] = {
    "malloc": _of(ANY, UNSIGNED_LONG),
    "calloc": _of(ANY, UNSIGNED_LONG, UNSIGNED_LONG),
    "realloc": _of(ANY, ANY, UNSIGNED_LONG),
    "free": _of(VOID, ANY),
    "printf": _of(INT, TEXT, variadic=True),
    "puts": _of(INT, TEXT),
    "putchar": _of(INT, INT),
    "strlen": _of(UNSIGNED_LONG, TEXT),
    "strcpy": _of(TEXT, TEXT, TEXT),
    "strcat": _of(TEXT, TEXT, TEXT),
    "strcmp": _of(INT, TEXT, TEXT),
    "memcpy": _of(ANY, ANY, ANY, UNSIGNED_LONG),
    "memmove": _of(ANY, ANY, ANY, UNSIGNED_LONG),
    "memset": _of(ANY, ANY, INT, UNSIGNED_LONG),
    "memcmp": _of(INT, ANY, ANY, UNSIGNED_LONG),
    "abs": _of(INT, INT),
    "exit": _of(VOID, INT),
    "abort": _of(VOID),
}
