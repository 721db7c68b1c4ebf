"""Bounds of loops, as they stand in the text of a module: whole numbers that may hang on outer loops."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

MAP = re.compile(r"^(#map\d*) = affine_map<\(([^)]*)\)(?:\[[^\]]*\])? -> \((.*)\)>$", re.MULTILINE)


@dataclass(frozen=True)
class Linear:
    """A constant and multiples of loop variables."""

    constant: int
    of: Mapping[str, int] = field(default_factory=dict)

    def plus(self, other: Linear, times: int = 1) -> Linear:
        of = dict(self.of)
        for name, factor in other.of.items():
            of[name] = of.get(name, 0) + times * factor
        return Linear(self.constant + times * other.constant, {name: f for name, f in of.items() if f})

    def scaled(self, by: int) -> Linear:
        return Linear(0).plus(self, by)

    def __str__(self) -> str:
        terms = [name if factor == 1 else f"{factor} {name}" for name, factor in self.of.items()]
        if self.constant or not terms:
            terms.append(str(self.constant))
        return " + ".join(terms).replace("+ -", "- ")

    def at(self, values: Mapping[str, int]) -> int:
        return self.constant + sum(factor * values.get(name, 0) for name, factor in self.of.items())


Bound = tuple[Linear, ...]
"""The least of these where it ends, the largest where it begins."""


def linear(text: str, names: Mapping[str, Linear]) -> Linear | None:
    """Of an expression such as ``d0 * 2 + %arg4 - 3``; None if it is of another kind."""
    total, sign = Linear(0), 1
    for word in re.split(r" ([+-]) ", text.strip()):
        if word in ("+", "-"):
            sign = 1 if word == "+" else -1
            continue
        name, _, factor = word.partition(" * ")
        times = -sign if name.startswith("-") else sign
        name = name.removeprefix("-")
        value = Linear(int(name)) if name.isdigit() else names.get(name)
        if value is None or not re.fullmatch(r"(-?\d+)?", factor):
            return None
        total = total.plus(value, times * int(factor or 1))
    return total


@dataclass(frozen=True)
class AffineMap:
    dims: list[str]
    results: list[str]

    def of(self, arguments: list[Linear | None]) -> Bound | None:
        names = {name: value for name, value in zip(self.dims, arguments, strict=False) if value is not None}
        found = [linear(each, names) for each in self.results]
        return tuple(each for each in found if each) if all(found) else None


def maps(text: str) -> dict[str, AffineMap]:
    """The maps that a module names."""
    return {
        name: AffineMap([each.strip() for each in dims.split(",")], [each.strip() for each in results.split(",")])
        for name, dims, results in MAP.findall(text)
    }
