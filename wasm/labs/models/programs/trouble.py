"""What is wrong with a program, and where."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from labs.contract import LabError


class ProgramError(Exception):
    """The program is not taken, or not carried on with; the message says what to change."""


class TooMuchError(Exception):
    """More than is computed here; code that knows the line makes a ``ProgramError`` of it."""


class StoppedError(Exception):
    """The library refuses what a line asks for, as PyTorch would: the lesson of some programs."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message, self.line = message, line


def refuse(node: ast.AST, message: str) -> ProgramError:
    """Lines and columns count from 1."""
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
    return ProgramError(f"line {line}, column {column}: {message}")


@contextmanager
def as_advice() -> Iterator[None]:
    """What is wrong with a program reaches its reader as a ``LabError``, which is a sentence."""
    try:
        yield
    except ProgramError as wrong:
        message = str(wrong)
        raise LabError(f"{message[:1].upper()}{message[1:]}.") from None
