"""Reads a program of loop nests, one a line: ``for i in 1..n-1: A[i] = X[i-1] + X[i] + X[i+1]``.

``n = 16`` names a number, ``symbol n = 16`` one that a compiler would not know; ``keep A`` says that A is wanted at
the end, too. Nothing is evaluated here, and nothing that a reader writes is ever run as Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, NoReturn

from labs.compilers.slicing_fusion.program import Expr, Loop, Nest, Program, ProgramError
from labs.models.lines import SAME, LineReader, Token

FUNCTIONS = {"exp": 1, "tanh": 1, "relu": 1, "sqrt": 1, "abs": 1, "min": 2, "max": 2}
# Brackets within brackets, and terms of one sum: functions that call themselves walk through both.
DEEPEST, LONGEST = 20, 20
MOST_NESTS, MOST_LOOPS, MOST_INDICES = 6, 4, 3
LARGEST = 4096
TOKEN = re.compile(
    r"(?P<space>[ \t\r]+|#.*)|(?P<number>\d+(?:\.(?!\.)\d*)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>\.\.|//|\+=|[-+*/%()\[\],:=])",
    re.ASCII,
)


def read(text: str) -> Program:
    """A whole program. Raises ``ProgramError``."""
    reader = _Reader()
    for number, line in enumerate(text.split("\n"), 1):
        reader.line_of(number, line)
    reader.finish()
    return reader.program


class _Reader(LineReader):
    pattern, error = TOKEN, ProgramError

    def __init__(self) -> None:
        super().__init__()
        self.program = Program()
        self.keeping: list[tuple[str, int, int]] = []
        self.source = ""
        self.loops: list[Loop] = []
        self.part: Literal["bounds", "index", "value"] = "value"
        """Of a nest, that is being read."""

    def line_of(self, number: int, line: str) -> None:
        self.source, self.loops = line.translate(SAME), []
        self.begin(number, self.cut(number, line))
        if len(self.tokens) == 1:
            return
        if self.token.text == "for":
            self._nest()
        elif self.token.text == "keep":
            self._keep()
        else:
            self._number()
        if self.token.kind != "end":
            self.fail(f"{self.token.text} cannot stand here")

    def _expect(self, sign: str, where: str) -> None:
        if not self.take(sign):
            self.fail(f"expected {sign} {where}, found {self.token.text or 'the end of the line'}")

    def _name(self, what: str) -> Token:
        if self.token.kind != "name":
            self.fail(f"expected {what}, found {self.token.text or 'the end of the line'}")
        if self.token.text in FUNCTIONS or self.token.text in ("for", "in", "keep", "symbol"):
            self.fail(f"{self.token.text} has a meaning of its own; take another name")
        return self.next()

    # -- lines ----------------------------------------------------------------------------------------------

    def _number(self) -> None:
        symbol = self.token.text == "symbol"
        self.at += symbol
        name = self._name("for, keep, or the name of a number")
        if self.token.text == "[":
            self.fail(f"put a loop before it, such as for i in 0..16: {name.text}[i] = …", name.column)
        if name.text in self.program.numbers:
            self.fail(f"{name.text} has its number already", name.column)
        self._expect("=", f"after {name.text}")
        number = self.next()
        if number.kind != "number" or "." in number.text or not 1 <= int(number.text) <= LARGEST:
            self.fail(f"{name.text} has to be a whole number from 1 to {LARGEST:,}", number.column)
        self.program.numbers[name.text] = int(number.text)
        self.program.symbols |= {name.text} if symbol else set()

    def _keep(self) -> None:
        self.next()
        name = self._name("the name of an array")
        self.keeping.append((name.text, self.line, name.column))

    def _nest(self) -> None:
        if len(self.program.nests) == MOST_NESTS:
            self.fail(f"{MOST_NESTS} nests are the most; leave one out")
        self.next()
        while True:
            self._loop()
            if not self.take(","):
                break
        self._expect(":", "after the loops")
        self.part = "value"
        name = self._name("the array that is written")
        if self.token.text != "[":
            self.fail(f"{name.text} needs an index in brackets, such as {name.text}[{self.loops[0].name}]")
        target = self._read(name)
        how = self._how()
        value = self._sum()
        nest = Nest(self.line, tuple(self.loops), target, value, how, self.source.split("#")[0].strip())
        for other in self.program.nests:
            if other.array == nest.array:
                self.fail(f"{nest.array} is written on line {other.line}, too; give this one another name", 1)
        self.program.nests.append(nest)

    def _how(self) -> str:
        if self.take("+="):
            return "+="
        if self.token.text == "max" and self.tokens[self.at + 1].text == "=":
            self.at += 2
            return "max="
        self._expect("=", "after what is written, or += or max=")
        return "="

    def _loop(self) -> None:
        if len(self.loops) == MOST_LOOPS:
            self.fail(f"{MOST_LOOPS} loops are the most")
        name = self._name("the variable of a loop")
        if name.text in self.program.numbers or name.text in [loop.name for loop in self.loops]:
            self.fail(f"{name.text} is taken; give the loop another variable", name.column)
        if self.token.text != "in":
            self.fail(f"expected in after {name.text}, as in for {name.text} in 0..16")
        self.next()
        if self.token.text == "range":
            self.fail(f"loops say from where to where they run; write for {name.text} in 0..16")
        self.part = "bounds"
        low = self._sum()
        self._expect("..", "between the bounds, as in 0..16")
        self.loops.append(Loop(name.text, low, self._sum()))

    def finish(self) -> None:
        nests = self.program.nests
        if len(nests) < 2:
            raise ProgramError("Write two nests at least: one that makes an array, and one that reads it")
        written = {nest.array for nest in nests}
        for name, line, column in self.keeping:
            if name not in written:
                raise ProgramError(f"Line {line}, column {column}: no line writes {name}, so it is kept anyway")
            self.program.kept.add(name)

    # -- expressions, from what binds least -----------------------------------------------------------------

    def _made(self, sign: str, parts: tuple[Expr, ...], begin: int) -> Expr:
        last = self.tokens[self.at - 1]
        text = self.source[begin - 1 : last.column - 1 + len(last.text)]
        return Expr(sign, parts, text=text, place=(self.line, begin))

    def _sum(self) -> Expr:
        return self._left(self._product, "+", "-")

    def _product(self) -> Expr:
        return self._left(self._signed, "*", "/", "//", "%")

    def _left(self, part: Callable[[], Expr], *signs: str) -> Expr:
        begin = self.token.column
        found, terms = part(), 1
        while sign := self.take(*signs):
            terms += 1
            if terms > LONGEST:
                self.fail(f"more than {LONGEST} terms; put some of them into a nest of their own", sign.column)
            found = self._made(sign.text, (found, part()), begin)
        return found

    def _signed(self) -> Expr:
        begin = self.token.column
        if not self.take("-"):
            return self._atom()
        self._deeper()
        found = self._made("neg", (self._signed(),), begin)
        self.depth -= 1
        return found

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail("this is nested too deeply; write it in fewer brackets")

    def _atom(self) -> Expr:
        token = self.token
        if token.kind == "number":
            self.next()
            if float(token.text) > 1e6:
                self.fail(f"{token.text} is too large", token.column)
            return Expr("number", number=float(token.text), text=token.text, place=(self.line, token.column))
        if self.take("("):
            self._deeper()
            found = self._sum()
            self._expect(")", "to close the bracket")
            self.depth -= 1
            return Expr(
                found.sign, found.parts, found.number, found.name, f"({found.text})", (self.line, token.column)
            )
        if token.kind == "name" and token.text in FUNCTIONS:
            return self._call()
        name = self._name("a number, a name or a bracket")
        if self.token.text == "[":
            return self._read(name)
        if name.text not in self.program.numbers and name.text not in [loop.name for loop in self.loops]:
            self._unknown(name)
        return Expr("name", name=name.text, text=name.text, place=(self.line, name.column))

    def _unknown(self, name: Token) -> NoReturn:
        what, line = name.text, f"{name.text} = 16 on a line above"
        if self.token.text == "(":
            self.fail(f"{what} is no function here; these are: {', '.join(FUNCTIONS)}", name.column)
        loop = self.loops[-1].name if self.loops else ""
        instead = {
            "bounds": f"write {line}",
            "index": f"give it a loop, such as for {loop} in 0..16, {what} in 0..16, or write {line}",
            "value": f"write {what}[{loop}] if it is an array, or {line}",
        }
        self.fail(f"{what} is no loop variable and no number; {instead[self.part]}", name.column)

    def _call(self) -> Expr:
        name = self.next()
        self._expect("(", f"after {name.text}")
        parts = self._listed(")", f"to close {name.text}")
        if len(parts) != FUNCTIONS[name.text]:
            self.fail(f"{name.text} takes {FUNCTIONS[name.text]}, not {len(parts)}", name.column)
        return self._made(name.text, parts, name.column)

    def _read(self, name: Token) -> Expr:
        self._expect("[", f"after {name.text}")
        around, self.part = self.part, "index"
        parts = self._listed("]", f"to close the index of {name.text}")
        self.part = around
        if len(parts) > MOST_INDICES:
            self.fail(f"{name.text} has {len(parts)} indices; {MOST_INDICES} are the most", name.column)
        made = self._made("read", parts, name.column)
        return Expr("read", made.parts, name=name.text, text=made.text, place=made.place)

    def _listed(self, close: str, what: str) -> tuple[Expr, ...]:
        self._deeper()
        parts = [self._sum()]
        while self.take(","):
            parts.append(self._sum())
        self._expect(close, what)
        self.depth -= 1
        return tuple(parts)
