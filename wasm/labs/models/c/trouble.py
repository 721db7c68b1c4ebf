"""What is wrong with a program, and where."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """Line and column of the first character, counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


class CError(ValueError):
    """The program cannot be taken; the message says what to change, ``place`` where."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(f"{place}: {message}")
        self.message, self.place = message, place


def count(size: int) -> str:
    return f"{size} {'byte' if size == 1 else 'bytes'}"
