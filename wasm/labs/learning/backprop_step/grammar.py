"""Reads what a reader types: lines such as ``h = tanh(w*x + b)``, the last of which is the result.

A line whose right side holds no name is an input with its value, and so is a name that has no line: it begins at 1.
Nothing is evaluated but numbers among themselves. Each operation is a node, in the order in which it is computed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from labs.learning.backprop_step.operations import FUNCTIONS, OPERATIONS
from labs.models.lines import LineReader, Token
from labs.models.tensor.tape import no_grad
from labs.models.tensor.tensor import tensor

DEEPEST = 40  # brackets within brackets: the parser calls itself for each
BEGIN = 1.0
LETTER = "A-Za-z_α-ωΑ-Ω"
TOKEN = re.compile(
    rf"""(?P<space>[ \t\r]+|\#.*)
       | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
       | (?P<name>[{LETTER}][{LETTER}0-9]*)
       | (?P<sign>\*\*|[-+*/(),=])""",
    re.VERBOSE | re.ASCII,
)
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

Argument = int | float
"""A node, by its number, or a number as it was typed: the type says which."""


class ExpressionError(ValueError):
    """What was typed cannot be read; the message says where, and what to change."""


@dataclass
class Node:
    name: str
    """The reader's, or v with a number."""
    operation: str = ""
    """Nothing for an input."""
    arguments: tuple[Argument, ...] = ()
    start: float = 0.0
    """The value of an input, as it was typed."""

    @property
    def sources(self) -> Iterator[int]:
        return (each for each in self.arguments if isinstance(each, int))


@dataclass
class Graph:
    nodes: list[Node] = field(default_factory=list)
    result: int = -1

    @property
    def inputs(self) -> dict[str, int]:
        return {node.name: number for number, node in enumerate(self.nodes) if not node.operation}

    @property
    def edges(self) -> list[tuple[int, int]]:
        """From each node to each that computes with it, in the order of what is computed."""
        return [(source, number) for number, node in enumerate(self.nodes) for source in node.sources]


def read(text: str) -> Graph:
    """The graph of a whole text. Raises ``ExpressionError``."""
    return _Reader(text).graph


class _Reader(LineReader):
    pattern, error = TOKEN, ExpressionError

    def __init__(self, text: str) -> None:
        super().__init__()
        self.graph = Graph()
        self.scope: dict[str, Argument] = {}
        self.given: dict[str, int] = {}  # the line that gave a name its value
        lines = [(number, self.cut(number, line)) for number, line in enumerate(text.split("\n"), 1)]
        lines = [(number, tokens) for number, tokens in lines if len(tokens) > 1]
        if not lines:
            raise ExpressionError("Write an expression, such as tanh(w*x + b)")
        for number, tokens in lines:
            self.begin(number, tokens)
            self.graph.result = self._statement(last=number == lines[-1][0])

    def unknown(self, sign: str) -> str:
        if sign == "^":
            return "for a power write **"
        if sign in "[{]}":
            return f"{sign} means nothing here; use round brackets"
        return f"{sign!r} means nothing here; use + - * / ** ( ) and names"

    # -- lines ----------------------------------------------------------------------------------------------

    def _statement(self, last: bool) -> int:
        name, named = self.token, self.token.kind == "name" and self.tokens[1].text == "="
        if named:
            if name.text in FUNCTIONS:
                self.fail(f"{name.text} is a function here; use another name")
            if name.text in self.given:
                self.fail(f"{name.text} already has a value, from line {self.given[name.text]}; use another name")
            if name.text in self.scope:
                self.fail(f"{name.text} was used above this line; move the line up")
            self.at = 2
        elif not last:
            self.fail("this value is not used; put a name before it, such as h = …, or make it the last line")
        known = len(self.graph.nodes)
        found = self._sum()
        if self.token.kind != "end":
            self.fail(self._misplaced())
        if named:
            self.given[name.text] = self.line
            if isinstance(found, float):
                found = self._input(name.text, found)
            elif found >= known and self.graph.nodes[found].operation:
                self.graph.nodes[found].name = name.text
            self.scope[name.text] = found
        if isinstance(found, float):
            self.fail("there is no input here; give a number a name, such as x = 2, and compute with that", 1)
        return found

    def _misplaced(self) -> str:
        if self.token.text == ")":
            return "this bracket closes nothing; remove it, or open one before it"
        if self.token.text == "=":
            return "only a name may stand before ="
        if self.token.kind == "sign":
            return f"{self.token.text} cannot stand here"
        before = self.tokens[self.at - 1].text
        after = self.token.text
        return f"an operator is missing between {before} and {after}; to multiply, write {before}*{after}"

    # -- expressions, from what binds least -----------------------------------------------------------------

    def _sum(self) -> Argument:
        found = self._product()
        while sign := self.take("+", "-"):
            found = self._node("add" if sign.text == "+" else "sub", found, self._product())
        return found

    def _product(self) -> Argument:
        found = self._signed()
        while sign := self.take("*", "/"):
            found = self._node("mul" if sign.text == "*" else "div", found, self._signed())
        return found

    def _signed(self) -> Argument:
        if self.take("-"):
            return self._node("neg", self._deeper(self._signed))
        return self._power()

    def _power(self) -> Argument:
        """``-x**2`` is −(x²), and ``x**-y**2`` is x^(−(y²)), as in Python."""
        base = self._atom()
        if not self.take("**"):
            return base
        exponent = self._deeper(self._signed)
        if isinstance(exponent, float) and exponent == 2:
            return self._node("square", base)
        return self._node("pow", base, exponent)

    def _atom(self) -> Argument:
        token = self.token
        if token.kind == "number":
            number = float(self.next().text)
            if not math.isfinite(number):
                self.fail(f"{token.text} is too large", token.column)
            return number
        if token.kind == "name":
            self.next()
            if self.token.text == "(":
                return self._call(token)
            if token.text in FUNCTIONS:
                self.fail(f"{token.text} is a function; write {token.text}(…)", token.column)
            if token.text not in self.scope:
                self.scope[token.text] = self._input(token.text, BEGIN)
            return self.scope[token.text]
        if self.take("("):
            found = self._deeper(self._sum)
            self._close()
            return found
        what = f"{token.text} stands" if token.text else "the line ends"
        self.fail(f"{what} where a number, a name or a bracket should come")

    def _call(self, name: Token) -> Argument:
        if name.text not in FUNCTIONS:
            self.fail(f"there is no function {name.text}; there are {', '.join(FUNCTIONS)}", name.column)
        self.next()
        found = [self._deeper(self._sum)]
        while self.take(","):
            found.append(self._deeper(self._sum))
        self._close()
        if len(found) != (wanted := FUNCTIONS[name.text]):
            expected = "one value" if wanted == 1 else "two values with a comma between"
            self.fail(f"{name.text} takes {expected}, and here are {len(found)}", name.column)
        return self._node(name.text, *found)

    def _close(self) -> None:
        if not self.take(")"):
            self.fail("a bracket is not closed; write ) here" if self.token.kind == "end" else self._misplaced())

    def _deeper(self, rule: Callable[[], Argument]) -> Argument:
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail(f"this is nested more than {DEEPEST} levels deep; give a part of it its own line")
        found = rule()
        self.depth -= 1
        return found

    # -- nodes ----------------------------------------------------------------------------------------------

    def _input(self, name: str, start: float) -> int:
        self.graph.nodes.append(Node(name, start=start))
        return len(self.graph.nodes) - 1

    def _node(self, operation: str, *arguments: Argument) -> Argument:
        if all(isinstance(each, float) for each in arguments):
            with no_grad(), np.errstate(all="ignore"):
                found = float(OPERATIONS[operation].compute(*(tensor(each) for each in arguments)).item())
            if not math.isfinite(found):
                self.fail("these numbers have no finite result; change one of them", 1)
            return found
        name = f"v{len(self.graph.nodes) + 1}".translate(SUBSCRIPTS)
        self.graph.nodes.append(Node(name, operation, arguments))
        return len(self.graph.nodes) - 1
