"""A program of loop nests, as `grammar` reads it: expressions, loops, and what each nest writes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


class ProgramError(ValueError):
    """The program cannot be read; the message says where, and what to change."""


@dataclass(frozen=True)
class Expr:
    """An operation on others. ``sign`` is +, −, *, /, //, % or a function's name; ``number``, ``name`` and ``read``
    are leaves."""

    sign: str
    parts: tuple[Expr, ...] = ()
    number: float = 0.0
    name: str = ""
    text: str = ""
    """As it was typed."""
    place: tuple[int, int] = (0, 0)
    """Line and column, from 1."""

    def walk(self) -> Iterator[Expr]:
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(frozen=True)
class Loop:
    name: str
    low: Expr
    high: Expr
    """The first value that it does not take."""


@dataclass(frozen=True)
class Nest:
    line: int
    loops: tuple[Loop, ...]
    target: Expr
    """Where it writes: a read's twin."""
    value: Expr
    how: str
    """=, += or max="""
    text: str

    @property
    def array(self) -> str:
        return self.target.name

    @property
    def variables(self) -> list[str]:
        return [loop.name for loop in self.loops]

    @property
    def reads(self) -> list[Expr]:
        """Of arrays, those inside of an index included, in the order in which they are written down."""
        return [each for root in (self.target.parts, (self.value,)) for part in root for each in reads(part)]


def reads(expr: Expr) -> list[Expr]:
    return [each for each in expr.walk() if each.sign == "read"]


@dataclass
class Program:
    nests: list[Nest] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    symbols: set[str] = field(default_factory=set)
    """Names of numbers that are known only when the program runs."""
    kept: set[str] = field(default_factory=set)
