"""Is an index affine: a sum of loop variables, each times a number, plus a number? Each is judged with its reason.

With a remainder or a whole quotient by a number it is still decidable, and called quasi-affine. A symbol may be
added; as a factor it makes an index semi-affine, which the affine dialect of MLIR does not take.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from labs.compilers.slicing_fusion.program import Expr, Nest, Program

Kind = Literal["affine", "quasi-affine", "semi-affine", "not affine"]
ORDER: tuple[Kind, ...] = ("affine", "quasi-affine", "semi-affine", "not affine")


@dataclass(frozen=True)
class Index:
    kind: Kind
    why: str
    factors: dict[str, int] = field(default_factory=dict)
    """Of each loop variable; of an affine index alone."""
    rest: int = 0
    symbols: dict[str, int] = field(default_factory=dict)
    """What is added of each symbol."""

    @property
    def decidable(self) -> bool:
        return self.kind in ("affine", "quasi-affine")


def worst(kinds: Iterable[Kind]) -> Kind:
    return max(kinds, key=ORDER.index, default="affine")


class Judge:
    """Of the indices of one nest."""

    def __init__(self, program: Program, nest: Nest) -> None:
        self.program, self.variables = program, nest.variables

    def index(self, expr: Expr) -> Index:
        match expr.sign:
            case "number":
                return self._number(expr)
            case "name":
                return self._name(expr)
            case "read":
                return Index("not affine", f"{expr.text} is known only when the program runs")
            case "neg":
                return self._scaled(self.index(expr.parts[0]), -1)
            case "+" | "-":
                return self._sum(expr)
            case "*":
                return self._product(expr)
            case "//" | "%":
                return self._divided(expr)
            case "/":
                return Index("not affine", f"{expr.text} may fall between two elements; whole quotients are //")
            case _:
                return Index("not affine", f"{expr.text} is no sum of multiples of loop variables")

    def _number(self, expr: Expr) -> Index:
        if not expr.number.is_integer():
            return Index("not affine", f"{expr.text} is no whole number")
        return Index("affine", f"{expr.text} is a number", rest=int(expr.number))

    def _name(self, expr: Expr) -> Index:
        if expr.name in self.variables:
            return Index("affine", f"{expr.name} is a loop variable", {expr.name: 1})
        if expr.name in self.program.symbols:
            return Index("affine", f"{expr.name} is a symbol, and only added", symbols={expr.name: 1})
        return Index("affine", f"{expr.name} is a number", rest=self.program.numbers[expr.name])

    def _scaled(self, one: Index, by: int) -> Index:
        if one.kind != "affine":
            return one
        return self._affine(summed((one.factors, by)), by * one.rest, summed((one.symbols, by)))

    def _sum(self, expr: Expr) -> Index:
        left, right = (self.index(part) for part in expr.parts)
        by = 1 if expr.sign == "+" else -1
        kind = worst((left.kind, right.kind))
        if kind != "affine":
            return Index(kind, left.why if left.kind == kind else right.why)
        factors = summed((left.factors, 1), (right.factors, by))
        symbols = summed((left.symbols, 1), (right.symbols, by))
        return self._affine(factors, left.rest + by * right.rest, symbols)

    def _affine(self, factors: dict[str, int], rest: int, symbols: dict[str, int]) -> Index:
        why = "loop variables and numbers, added up" if factors else "a number"
        if any(abs(factor) > 1 for factor in factors.values()):
            why = "loop variables times numbers, added up"
        if symbols:
            why += f", and the symbol{'s' * (len(symbols) > 1)} {' and '.join(symbols)}, which may be added"
        return Index("affine", why, factors, rest, symbols)

    def _product(self, expr: Expr) -> Index:
        left, right = (self.index(part) for part in expr.parts)
        kind = worst((left.kind, right.kind))
        if kind in ("semi-affine", "not affine"):
            return Index(kind, left.why if left.kind == kind else right.why)
        for one, other in ((left, right), (right, left)):
            if one.kind == "affine" and not one.factors and not one.symbols:
                return self._scaled(other, one.rest)
        if any(each.kind == "affine" and not each.factors for each in (left, right)):
            symbol = next(name for each in (left, right) for name in each.symbols)
            return Index("semi-affine", f"{symbol} is a factor, and known only when the program runs")
        names = [part.text for part in expr.parts]
        return Index("not affine", f"{names[0]} times {names[1]}: a product of loop variables is not linear")

    def _divided(self, expr: Expr) -> Index:
        left, right = (self.index(part) for part in expr.parts)
        kind = worst((left.kind, right.kind))
        if kind in ("semi-affine", "not affine"):
            return Index(kind, left.why if left.kind == kind else right.why)
        if right.kind != "affine" or right.factors:
            return Index("not affine", f"{expr.text} divides by a loop variable")
        if right.symbols:
            return Index("semi-affine", f"{expr.text} divides by a symbol, known only when the program runs")
        if right.rest <= 0:
            return Index("not affine", f"{expr.text} does not divide by a positive number")
        what = "the remainder" if expr.sign == "%" else "the whole quotient"
        return Index("quasi-affine", f"{what} by {right.rest} can be written with one more integer variable")


def summed(*parts: tuple[dict[str, int], int]) -> dict[str, int]:
    """Multiples by name, each part of them times a number; what comes to nothing is left out."""
    total: dict[str, int] = {}
    for factors, by in parts:
        for name, factor in factors.items():
            total[name] = total.get(name, 0) + by * factor
    return {name: factor for name, factor in total.items() if factor}
