"""Loop programs run by Python itself, number by number: slow, plain, and nobody else's code.

Only tests do this. A program's text is Python but for its loops, and arrays are dictionaries. What is added and
multiplied may also be symbols, which remember how they were made.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

Place = tuple[int, ...]
Cells = dict[str, dict[Place, Any]]


@dataclass(frozen=True)
class Line:
    loops: list[tuple[str, str, str]]
    array: str
    index: str
    how: str
    value: str


@dataclass(frozen=True)
class Symbol:
    made: Any

    def __add__(self, other: Any) -> Symbol:
        return Symbol(("+", self, other))

    def __sub__(self, other: Any) -> Symbol:
        return Symbol(("-", self, other))

    def __mul__(self, other: Any) -> Symbol:
        return Symbol(("*", self, other))


class Watched:
    """An array that writes down where it is read."""

    def __init__(self, name: str, cells: dict[Place, Any], log: list[tuple[str, Place]]) -> None:
        self.name, self.cells, self.log = name, cells, log

    def __getitem__(self, at: Any) -> Any:
        place = tuple(int(each) for each in (at if isinstance(at, tuple) else (at,)))
        self.log.append((self.name, place))
        return self.cells[place]


FUNCTIONS = {
    "exp": math.exp,
    "tanh": math.tanh,
    "relu": lambda x: max(x, 0.0),
    "sqrt": lambda x: math.sqrt(max(x, 0.0)),
    "abs": abs,
    "min": min,
    "max": max,
}


def lines(text: str) -> Iterator[Line]:
    for line in text.splitlines():
        match = re.match(r"for (.*?): (\w+)\[(.*?)\] (=|\+=|max=) (.*)$", line.split("#")[0].strip())
        if match:
            loops = re.findall(r"(\w+) in (.*?)\.\.(.*?)(?:,|$)", match[1])
            yield Line(loops, match[2], match[3], match[4], match[5])


def numbers(text: str) -> dict[str, int]:
    found = re.findall(r"^(?:symbol )?(\w+) = (\d+)$", text, re.MULTILINE)
    return {name: int(number) for name, number in found}


def instances(line: Line, known: dict[str, int]) -> list[dict[str, int]]:
    found: list[dict[str, int]] = [{}]
    for name, low, high in line.loops:
        found = [
            {**each, name: value}
            for each in found
            for value in range(eval(low, {**known, **each}), eval(high, {**known, **each}))
        ]
    return found


@dataclass
class Step:
    """One instance: what it reads, in order, and where it writes."""

    reads: list[tuple[str, Place]]
    write: tuple[str, Place]


def execute(
    text: str, start: Cells, order: list[tuple[int, int, int]], buffers: set[str]
) -> tuple[Cells, list[Step]]:
    """Instances in an order: (tile, nest, instance). In each tile ``buffers`` begin anew; tile −1 has none."""
    known, nests = numbers(text), [*lines(text)]
    spaces = [instances(line, known) for line in nests]
    memory = {name: dict(cells) for name, cells in start.items()}
    now, steps, overall = -1, [], memory
    for tile, nest, number in order:
        if tile != now:
            memory = overall | {name: dict(start[name]) for name in buffers}
            now = tile
        line, log = nests[nest], list[tuple[str, Place]]()
        scope = {**FUNCTIONS, **known, **spaces[nest][number]}
        scope |= {name: Watched(name, cells, log) for name, cells in memory.items()}
        at = tuple(int(each) for each in eval(f"({line.index},)", scope))
        found = eval(line.value, scope)
        cells = memory[line.array]
        if line.how == "+=":
            found = cells[at] + found
        elif line.how == "max=":
            found = max(cells[at], found)
        cells[at] = found
        steps.append(Step(log, (line.array, at)))
    return overall, steps


def straight(text: str) -> list[tuple[int, int, int]]:
    known = numbers(text)
    return [(0, nest, n) for nest, line in enumerate(lines(text)) for n in range(len(instances(line, known)))]


def places(shape: tuple[int, ...]) -> list[Place]:
    return [*product(*map(range, shape))]
