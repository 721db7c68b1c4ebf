"""``<ctype.h>``: what kind of character a byte is, in the C locale."""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

from labs.models.c.known import Known, takes
from labs.models.c.memory import Fault
from labs.models.c.types import INT

PRINTED = {chr(n) for n in range(32, 127)}
KINDS: dict[str, tuple[int, set[str]]] = {
    "isupper": (1 << 8, {*string.ascii_uppercase}),
    "islower": (1 << 9, {*string.ascii_lowercase}),
    "isalpha": (1 << 10, {*string.ascii_letters}),
    "isdigit": (1 << 11, {*string.digits}),
    "isxdigit": (1 << 12, {*string.hexdigits}),
    "isspace": (1 << 13, {*string.whitespace}),
    "isprint": (1 << 14, PRINTED),
    "isgraph": (1 << 15, PRINTED - {" "}),
    "isblank": (1 << 0, {" ", "\t"}),
    "iscntrl": (1 << 1, {chr(n) for n in range(128)} - PRINTED),
    "ispunct": (1 << 2, {*string.punctuation}),
    "isalnum": (1 << 3, {*string.ascii_letters, *string.digits}),
}
"""For each question the characters, and what the C library of Linux answers for them: any number but 0 is right."""


def checked(name: str, byte: int) -> str:
    if not -1 <= byte <= 255:
        raise Fault("out of bounds", f"{name}({byte}): it takes a character from 0 to 255, or EOF")
    return chr(byte) if byte >= 0 else ""


def asked(name: str) -> Callable[[Any, int], int]:
    answer, among = KINDS[name]
    return lambda _, byte: answer if checked(name, byte) in among else 0


def changed(name: str, among: str, by: int) -> Callable[[Any, int], int]:
    return lambda _, byte: byte + by if (found := checked(name, byte)) and found in among else byte


CHARACTERS = {name: Known(takes(INT, INT), asked(name)) for name in KINDS} | {
    "toupper": Known(takes(INT, INT), changed("toupper", string.ascii_lowercase, -32)),
    "tolower": Known(takes(INT, INT), changed("tolower", string.ascii_uppercase, 32)),
}
