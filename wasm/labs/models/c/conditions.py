"""What an ``#if`` asks: whether an expression in whole numbers is not zero (C17, 6.10.1)."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence

from labs.models.c.tokens import PRECEDENCE, Token
from labs.models.c.trouble import CError, Place

MOST_DEEP = 60
MOST = 400  # tokens: what computes a sum calls itself for each of its terms
Number = Callable[[], int]


def holds(tokens: Sequence[Token], place: Place) -> bool:
    """Whether the expression is not zero, whose macros are replaced and whose ``defined`` are answered already.

    Raises ``CError``, with the place of the directive where the expression ends too early.
    """
    if len(tokens) > MOST:
        raise CError(f"this #if is too long: it has {len(tokens):,} tokens, and may have {MOST}", place)
    reading = Reading(tokens, place)
    number = reading.binary(1, 0)
    if reading.at < len(tokens):
        raise CError(f"#if cannot read {tokens[reading.at].text} here", tokens[reading.at].place)
    return number() != 0


class Reading:
    def __init__(self, tokens: Sequence[Token], place: Place) -> None:
        self.tokens, self.place, self.at = tokens, place, 0

    def binary(self, lowest: int, deep: int) -> Number:
        left = self.unary(deep)
        while self.at < len(self.tokens) and PRECEDENCE.get(self.tokens[self.at].text, 0) >= lowest:
            sign = self.next()
            left = combined(sign, left, self.binary(PRECEDENCE[sign.text] + 1, deep))
        return left

    def unary(self, deep: int) -> Number:
        token = self.next()
        if deep > MOST_DEEP:
            raise CError("this #if is too deep; say it in fewer brackets", token.place)
        if token.text == "(":
            inner = self.binary(1, deep + 1)
            if (end := self.next()).text != ")":
                raise CError(f"#if expects ) here, not {end.text}", end.place)
            return inner
        if token.text in ("!", "-", "+", "~"):
            number = self.unary(deep + 1)
            signs: dict[str, Callable[[int], int]] = {"!": operator.not_, "-": operator.neg, "+": operator.pos}
            return lambda: wrapped(signs.get(token.text, operator.invert)(number()))
        value = literal(token)
        return lambda: value

    def next(self) -> Token:
        if self.at == len(self.tokens):
            raise CError("#if ends where a number is missing, such as in #if N > 10", self.place)
        self.at += 1
        return self.tokens[self.at - 1]


def combined(sign: Token, left: Number, right: Number) -> Number:
    """What stands right of ``||`` and ``&&`` is computed only where it counts."""
    match sign.text:
        case "||":
            return lambda: int(bool(left() or right()))
        case "&&":
            return lambda: int(bool(left() and right()))
        case "/" | "%":
            return lambda: divided(sign, left(), right())
        case "<<" | ">>":
            return lambda: shifted(sign, left(), right())
    does = {
        "|": operator.or_, "^": operator.xor, "&": operator.and_, "==": operator.eq, "!=": operator.ne,
        "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge, "+": operator.add,
        "-": operator.sub, "*": operator.mul,
    }[sign.text]  # fmt: skip
    return lambda: wrapped(int(does(left(), right())))


def divided(sign: Token, left: int, right: int) -> int:
    if right == 0:
        raise CError(f"{left} {sign.text} 0: division by zero", sign.place)
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return wrapped(quotient if sign.text == "/" else left - quotient * right)


def shifted(sign: Token, left: int, right: int) -> int:
    if not 0 <= right < 64:
        raise CError(f"{left} {sign.text} {right}: a shift by 0 to 63 bits is defined", sign.place)
    return wrapped(left << right if sign.text == "<<" else left >> right)


def literal(token: Token) -> int:
    if token.kind in ("name", "keyword"):
        return 0  # a name that is no macro
    if token.kind == "character":
        return token.data[0] - 256 * (token.data[0] > 127)
    digits = token.text.rstrip("lL")
    if token.kind != "integer" or "u" in digits.lower():
        raise CError(f"#if compares signed whole numbers; {token.text} is none", token.place)
    octal = re.fullmatch(r"0[0-7]+", digits)
    value = int(digits, 8) if octal else int(digits, 0)
    if value >= 1 << 63:
        raise CError(f"{token.text} does not fit into 64 bits", token.place)
    return value


def wrapped(value: int) -> int:
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)
