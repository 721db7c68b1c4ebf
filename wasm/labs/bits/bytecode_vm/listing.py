"""A code object as a list of instructions, with their places in the source and what catches exceptions."""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import CodeType
from typing import Any

from labs.bits.bytecode_vm.trouble import RefusedError

VERSION = sys.version_info.minor  # of the Python whose instructions these are
MOST = 400  # instructions of one code object


@dataclass(frozen=True)
class Instruction:
    offset: int
    name: str
    arg: int
    value: Any
    """What ``arg`` stands for: a name, a constant, the offset that a jump leads to."""
    says: str
    """The same in words, as ``dis`` prints it."""
    span: tuple[int, int, int, int]
    """Line and column of its first character and of the one after its last, columns from 0; zeros if unknown."""


@dataclass(frozen=True)
class Guard:
    """While an instruction from ``start`` up to ``end`` runs, an exception goes to ``handler``."""

    start: int
    end: int
    handler: int
    depth: int
    """How many values stay on the stack."""
    keeps_place: bool
    """Whether the offset of the instruction that raised goes below the exception."""


class Listing:
    def __init__(self, code: CodeType, source: str) -> None:
        self.code, self.name = code, code.co_name
        lines = source.split("\n")
        found = dis.get_instructions(code)
        self.instructions = [instruction(each, lines) for each in found if each.opname != "CACHE"]
        if len(self.instructions) > MOST:
            raise RefusedError(
                f"{self.name} has {len(self.instructions)} instructions; make it shorter than {MOST}"
            )

    @cached_property
    def index(self) -> dict[int, int]:
        """Offset -> place in the list."""
        return {each.offset: n for n, each in enumerate(self.instructions)}

    @cached_property
    def guards(self) -> list[Guard]:
        numbers = varints(self.code.co_exceptiontable)
        found = []
        for start in numbers:
            length, handler, depth = next(numbers), next(numbers), next(numbers)
            guard = Guard(2 * start, 2 * (start + length), 2 * handler, depth >> 1, bool(depth & 1))
            found.append(guard)
        return found

    def guard(self, offset: int) -> Guard | None:
        return next((each for each in self.guards if each.start <= offset < each.end), None)


def instruction(found: dis.Instruction, lines: list[str]) -> Instruction:
    place = found.positions
    span = (0, 0, 0, 0)
    if place and place.lineno and place.end_lineno and place.end_lineno <= len(lines):
        first = column(lines[place.lineno - 1], place.col_offset or 0)
        last = column(lines[place.end_lineno - 1], place.end_col_offset or 0)
        span = (place.lineno, first, place.end_lineno, last)
    says = found.argrepr or ("" if found.arg is None else str(found.arg))
    if "JUMP" in found.opname or found.opname == "FOR_ITER":  # some versions have labels here
        says = f"to {found.argval}"
    if isinstance(found.argval, CodeType):
        says = f"<code {found.argval.co_name}>"
    return Instruction(found.offset, found.opname, found.arg or 0, found.argval, says, span)


def column(line: str, in_bytes: int) -> int:
    return len(line.encode()[:in_bytes].decode(errors="ignore"))


def varints(data: bytes) -> Iterator[int]:
    """The numbers of an exception table: six bits a byte, the highest first; bit 6 says that more follow."""
    value = 0
    for byte in data:
        value = value << 6 | byte & 63
        if not byte & 64:
            yield value
            value = 0
