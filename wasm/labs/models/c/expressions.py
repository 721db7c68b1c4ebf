"""Expressions, by precedence climbing; and constant ones, such as the length of an array, with their value."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from fractions import Fraction

from labs.models.c import tree, types
from labs.models.c.constants import CONSTANTS
from labs.models.c.cursor import LONGEST, Cursor, shown
from labs.models.c.rounding import nearest
from labs.models.c.tokens import PRECEDENCE, Token
from labs.models.c.trouble import CError

ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")


class Expressions(Cursor, ABC):
    """The parser of expressions. Types in casts and sizeof are for the class that knows declarations."""

    @abstractmethod
    def starts_type(self, token: Token) -> bool:
        """Whether a type can begin with this token."""

    @abstractmethod
    def type_name(self) -> types.Type:
        """The type in a cast or in sizeof."""

    @abstractmethod
    def compound(self, first: Token, kind: types.Type) -> tree.Expression:
        """A list in braces behind a type in brackets."""

    def expression(self) -> tree.Expression:
        """With commas."""
        first = self.token
        left = self.assignment()
        while self.take(","):
            left = tree.Binary(first.place, (0, 0), ",", left, self.assignment())
            left = tree.Binary(first.place, self.span(first), ",", left.left, left.right)
        return left

    def assignment(self) -> tree.Expression:
        first = self.token
        self.deeper()
        left = self.choice()
        if op := self.take(*ASSIGNMENTS):
            value = self.assignment()
            name = op.text if op.text == "=" else op.text[:-1]
            left = tree.Assign(op.place, self.span(first), name, left, value)
        self.depth -= 1
        return left

    def choice(self) -> tree.Expression:
        first = self.token
        condition = self.binary(1)
        if not (mark := self.take("?")):
            return condition
        yes = self.expression()
        self.expect(":", "between the two values of ?:")
        no = self.choice()
        return tree.Choice(mark.place, self.span(first), condition, yes, no)

    def binary(self, lowest: int) -> tree.Expression:
        first = self.token
        left, length = self.unary(), 0
        while self.token.kind == "mark" and PRECEDENCE.get(self.token.text, 0) >= lowest:
            op, length = self.next(), length + 1
            if length > LONGEST:
                self.fail(f"more than {LONGEST} operators in a row; compute it in several statements", op)
            right = self.binary(PRECEDENCE[op.text] + 1)
            left = tree.Binary(op.place, self.span(first), op.text, left, right)
        return left

    def unary(self) -> tree.Expression:
        first = self.token
        self.deeper()
        found = self._unary(first)
        self.depth -= 1
        return found

    def _unary(self, first: Token) -> tree.Expression:
        if op := self.take("+", "-", "~", "!", "*", "&"):
            operand = self.unary()
            return tree.Unary(op.place, self.span(first), op.text, operand)
        if op := self.take("++", "--"):
            operand = self.unary()
            return tree.Step(op.place, self.span(first), op.text, operand, before=True)
        if self.take("sizeof"):
            if self.sees("(") and self.starts_type(self.following()):
                self.next()
                kind = self.type_name()
                self.expect(")", "after the type in sizeof")
                return tree.SizeOf(first.place, self.span(first), kind)
            operand = self.unary()
            return tree.SizeOf(first.place, self.span(first), operand, self.kind_of(operand))
        if self.sees("(") and self.starts_type(self.following()):
            self.next()
            to = self.type_name()
            self.expect(")", "after the type of a cast")
            if self.sees("{"):
                return self.postfix(first, self.compound(first, to))
            operand = self.unary()
            return tree.Cast(first.place, self.span(first), to, operand)
        return self.postfix(first, self.primary())

    def postfix(self, first: Token, found: tree.Expression) -> tree.Expression:
        while op := self.take("[", ".", "->", "++", "--", "("):
            if op.text == "[":
                index = self.expression()
                self.expect("]", "after the index")
                found = tree.Index(op.place, self.span(first), found, index)
            elif op.text == "(":
                found = self.call(first, found)
            elif op.text in ("++", "--"):
                found = tree.Step(op.place, self.span(first), op.text, found, before=False)
            else:
                member = self.name(f"the name of a member after {op.text!r}")
                found = tree.Access(member.place, self.span(first), found, member.text, op.text == "->")
        return found

    def call(self, first: Token, function: tree.Expression) -> tree.Expression:
        arguments: list[tree.Expression] = []
        while not self.sees(")"):
            arguments.append(self.assignment())
            if not self.take(","):
                break
        self.expect(")", "after the arguments")
        name = function.name if isinstance(function, tree.Name) else ""
        if name == "assert" and not self.declared("assert"):  # a macro, which takes whatever can be true
            for op in "!!":
                arguments = [tree.Unary(each.place, each.span, op, each) for each in arguments]
        return tree.Call(first.place, self.span(first), name, tuple(arguments), None if name else function)

    def primary(self) -> tree.Expression:
        token = self.next()
        here = (token.place, self.span(token))
        if token.kind == "name":
            meaning = self.scope.meaning(token.text)
            if isinstance(meaning, int):
                return tree.Constant(*here, meaning, types.INT)
            if token.text in CONSTANTS and meaning is None and not self.declared(token.text):
                return tree.Constant(*here, *CONSTANTS[token.text])
            return tree.Name(*here, token.text)
        if token.kind in ("integer", "floating", "character"):
            return tree.Constant(*here, *number(token))
        if token.kind == "string":
            data = token.data
            while self.token.kind == "string":  # neighbours are one string
                data += self.next().data
            return tree.Text(token.place, self.span(token), data)
        if token.text == "(":
            inside = self.expression()
            self.expect(")", "to close the bracket")
            return inside
        self.at -= token.kind != "end"
        self.fail(f"expected a value, found {shown(token)}", token)

    def declared(self, name: str) -> bool:
        scope = self.scope
        while scope and name not in scope.names:
            scope = scope.outer  # type: ignore[assignment]
        return scope is not None

    def kind_of(self, node: tree.Expression) -> types.Type | None:
        """The type of what has a place in memory, if it is known by now."""
        match node:
            case tree.Name(name=name):
                return self.scope.kind(name)
            case tree.Text(data=data):
                return types.Array(types.CHAR, len(data) + 1)
            case tree.Index(base=base) | tree.Unary(op="*", operand=base):
                kind = self.kind_of(base)
                return kind.to if kind and isinstance(kind := types.decay(kind), types.Pointer) else None
            case tree.Access(base=base, member=name, arrow=arrow):
                kind = self.kind_of(base)
                if arrow and isinstance(kind, types.Pointer):
                    kind = kind.to
                found = kind.member(name) if isinstance(kind, types.Struct) else None
                return found.type if found else None
        return None

    def constant(self, what: str, instead: str = "") -> int:
        """An expression whose value is known now. ``what`` says where it stands."""
        first = self.token
        self.deeper()
        found = self.choice()
        self.depth -= 1
        try:
            return evaluate(found)
        except ZeroDivisionError:
            self.fail(f"{what} divides by zero", first)
        except NotConstantError:
            self.fail(f"{what} must be a whole number that is known before the program runs{instead}", first)


class NotConstantError(Exception):
    pass


def number(token: Token) -> tuple[int | float, types.Type]:
    """The value of a constant, and the first type of the standard's list that holds it."""
    if token.kind == "character":
        return types.CHAR.wrap(token.data[0]), types.INT
    if token.kind == "floating":
        real = types.FLOAT if token.text[-1] in "fF" else types.DOUBLE
        if token.text[-1] in "lL":
            raise CError("this subset of C has no long double; leave the L out", token.place)
        return floating(token.text.rstrip("fFlL"), real), real
    digits, suffix = re.fullmatch(r"(.*?)([uUlL]*)", token.text).groups()  # type: ignore[union-attr]
    if suffix.lower() not in ("", "u", "l", "ul", "lu", "ll", "ull", "llu"):
        raise CError(f"a number cannot end in {suffix}", token.place)
    base = {"0x": 16, "0b": 2}.get(digits[:2].lower(), 8 if digits[0] == "0" else 10)
    value = int(digits[2:] if base in (2, 16) else digits, base)
    ladder: list[types.Integer] = [types.INT, types.UNSIGNED, types.LONG, types.UNSIGNED_LONG]
    if "l" in suffix.lower():
        ladder = ladder[2:]
    if "u" in suffix.lower():
        ladder = [each for each in ladder if not each.signed]
    elif base == 10:
        ladder = [each for each in ladder if each.signed]
    for kind in ladder:
        if value <= kind.high:
            return value, kind
    raise CError(f"{token.text} does not fit into any type", token.place)


def floating(text: str, kind: types.Floating) -> float:
    """The number nearest to what is written, in tens or, behind 0x, in sixteens."""
    hexadecimal = text[:2].lower() == "0x"
    try:
        value = float.fromhex(text) if hexadecimal else float(text)
    except OverflowError:
        return math.inf
    if kind == types.DOUBLE or not value or math.isinf(value):
        return value
    if not hexadecimal:
        return nearest(Fraction(text), kind)
    digits, exponent = re.split("[pP]", text[2:])
    whole, _, part = digits.partition(".")
    return nearest(Fraction(int(whole + part, 16)) * Fraction(2) ** (int(exponent) - 4 * len(part)), kind)


def evaluate(found: tree.Expression) -> int:
    """Raises ``NotConstantError``, or ``ZeroDivisionError``."""
    return typed(found)[0]


def typed(found: tree.Expression) -> tuple[int, types.Integer]:
    match found:
        case tree.Constant(value=int(value), type=types.Integer() as kind):
            return value, kind
        case tree.SizeOf(of=of, known=known):
            counted = of if isinstance(of, types.KINDS) else known
            if counted and counted.size:
                return counted.size, types.UNSIGNED_LONG
        case tree.Cast(type=types.Integer() as to, operand=operand):
            return to.wrap(typed(operand)[0]), to
        case tree.Choice():
            return typed(found.yes if typed(found.condition)[0] else found.no)
        case tree.Unary(op="+" | "-" | "~" | "!" as op, operand=operand):
            value, kind = typed(operand)
            kind = types.INT if op == "!" else types.promote(kind)  # type: ignore[assignment]
            return kind.wrap({"+": value, "-": -value, "~": ~value, "!": not value}[op]), kind
        case tree.Binary(op="&&" | "||" as op):
            left = typed(found.left)[0]
            decided = bool(left) == (op == "||")
            return int(bool(left) if decided else bool(typed(found.right)[0])), types.INT
        case tree.Binary(op=op) if op != ",":
            return arithmetic(op, typed(found.left), typed(found.right))
    raise NotConstantError


def arithmetic(
    op: str, left: tuple[int, types.Integer], right: tuple[int, types.Integer]
) -> tuple[int, types.Integer]:
    """Of integers, after the usual conversions; a result that does not fit wraps around."""
    if op in ("<<", ">>"):
        kind = types.promote(left[1])
        assert isinstance(kind, types.Integer)
        shift = right[0] % kind.bits
        return kind.wrap(left[0] << shift if op == "<<" else left[0] >> shift), kind
    both = types.common(left[1], right[1])
    assert isinstance(both, types.Integer)
    a, b = both.wrap(left[0]), both.wrap(right[0])
    compared = {"==": a == b, "!=": a != b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}
    if op in compared:
        return int(compared[op]), types.INT
    if op in ("/", "%"):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)  # towards zero
        return both.wrap(quotient if op == "/" else a - quotient * b), both
    return both.wrap({"+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b}[op]), both
