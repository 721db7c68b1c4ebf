"""Find what is nested too deeply before Python's parser sees it: in a browser that would end the interpreter.

A parser calls itself for every bracket and every operator that stands inside of another. Tokens say how often,
without calling anything.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator

NESTED = 60  # brackets, operators and words such as lambda, one inside of the other
INDENTED = 8
CHAINED = 20  # elif
WORDS = ("not", "lambda", "if", "else", "await", "and", "or")


def too_deep(source: str) -> tuple[int, int] | None:
    """Where it is, line and column from 1. What cannot be cut into tokens is left to the parser, which says why."""
    depth, indent, chained = 0, 0, 0
    outside: list[int] = []  # depth before each bracket that is open
    first = True  # of its line
    for token in tokens(source):
        if token.type == tokenize.NEWLINE or token.string == ";":
            depth, outside = 0, []
        elif token.string in ("(", "[", "{"):
            outside.append(depth)
            depth += 1
        elif token.string in (")", "]", "}"):
            depth = max(depth, outside.pop() + 1) if outside else depth
        elif token.string == ",":
            depth = outside[-1] + 1 if outside else 0
        elif token.type == tokenize.OP or token.string in WORDS:
            depth += 1
        indent += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
        chained = 0 if first and token.string == "if" else chained + (token.string == "elif")
        first = token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT)
        if depth > NESTED or indent > INDENTED or chained > CHAINED:
            return token.start[0], token.start[1] + 1
    return None


def tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(source).readline)
    except (tokenize.TokenError, SyntaxError):
        return
