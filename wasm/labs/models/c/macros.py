"""What the preprocessor does before the parser sees a program: headers are taken as read, names that ``#define``
gives to tokens are replaced by them, and what an ``#if`` leaves out is left out.

The rules are those of C17, 6.10: arguments are replaced before they take their places, and what a macro stands for
is looked at again, but a name is not replaced within what it stands for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from labs.models.c.conditions import holds
from labs.models.c.tokens import KEYWORDS, Region, Token, scan
from labs.models.c.trouble import CError, Place

HEADERS = (
    "assert.h", "ctype.h", "limits.h", "math.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h",
    "string.h",
)  # fmt: skip
MOST = 20_000  # characters
MOST_STEPS = 50_000  # tokens taken up while macros are replaced: each may double what the last one stands for
MOST_DEEP = 60  # calls of macros within arguments of each other
INSTEAD = {"pragma": "leave it out", "error": "leave it out", "line": "leave it out"}
BRANCHES = ("if", "ifdef", "ifndef", "elif", "else", "endif")
INCLUDE = re.compile(r"include\s*[<\"]([^>\"]*)[>\"]\s*")
DEFINE = re.compile(r"define\s+([A-Za-z_]\w*)(\()?")
UNDEF = re.compile(r"undef\s+([A-Za-z_]\w*)\s*")
NAME = re.compile(r"\w+\s+([A-Za-z_]\w*)\s*")
PARAMETERS = re.compile(r"\s*(?:[A-Za-z_]\w*\s*(?:,\s*[A-Za-z_]\w*\s*)*)?\)")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
LEFT_OUT = re.compile(  # where nothing is compiled, a # is found only by what could hide it
    r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'
      |^[ \t]*(?P<directive>\#(?:\\\r?\n|//[^\n]*|/\*.*?\*/|[^\n])*)""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)


@dataclass(frozen=True)
class Macro:
    parameters: tuple[str, ...] | None
    """None if it is used without brackets"""
    body: tuple[Token, ...]


@dataclass
class Branch:
    """An ``#if`` that is open."""

    place: Place
    taken: bool
    """One of its groups was compiled, or is."""
    last: bool = False
    """Its ``#else`` has come."""


Marked = tuple[Token, frozenset[str]]  # a token, and the names that it came from, which are not replaced again


@lru_cache(maxsize=1)  # the parser asks for what a reader was just shown
def tokenize(source: str, most: int = MOST) -> tuple[Token, ...]:
    """All tokens that the parser sees, the last of kind ``end``. Raises ``CError``, also for more than ``most``
    characters, and for macros that stand for too much."""
    if len(source) > most:
        raise CError(f"a program may have {most:,} characters; this one has {len(source):,}", Place(1, 1))
    lines = source.splitlines() or [""]
    last = Place(len(lines) + source.endswith("\n"), 1 if source.endswith("\n") else len(lines[-1]) + 1)
    end = Token("end", "", last, len(source), len(source))
    return (*Preprocessor(source).tokens(), end)


class Preprocessor:
    def __init__(self, source: str) -> None:
        self.source = source
        self.macros: dict[str, Macro] = {}
        self.branches: list[Branch] = []
        self.steps = 0

    def tokens(self) -> Iterator[Token]:
        for token, _ in self.replaced([], self.compiled(), 0):
            yield token

    def compiled(self) -> Iterator[Token]:
        """The tokens of all groups that no ``#if`` leaves out; directives are carried out on the way."""
        at: int | None = 0
        while at is not None:
            start, at = at, None
            for token in scan(self.source, self.region(start, len(self.source))):
                if token.kind != "directive":
                    yield token
                elif (end := self.directive(token)) != token.end:
                    at = end
                    break
        if self.branches:
            raise CError("this #if has no end; close it with #endif", self.branches[-1].place)

    def region(self, start: int, end: int) -> Region:
        line, column = self.source.count("\n", 0, start) + 1, start - self.source.rfind("\n", 0, start)
        return Region(start, end, Place(line, column))

    def directive(self, token: Token) -> int:
        """Where the source goes on."""
        word, whole = said(token.text)
        if word in BRANCHES:
            return token.end if self.branch(token, word, whole) else self.left_out(token.end)
        if word == "include" and (header := INCLUDE.fullmatch(whole)):
            if header[1] not in HEADERS:
                raise CError(f"there is no <{header[1]}> here; there are {', '.join(HEADERS)}", token.place)
        elif word == "define":
            self.define(token)
        elif word == "undef" and (name := UNDEF.fullmatch(whole)):
            self.macros.pop(name[1], None)
        elif word in ("include", "undef"):
            raise CError(f"#{word} needs {'a header in < >' if word == 'include' else 'one name'}", token.place)
        elif whole:
            instead = INSTEAD.get(word, "there are #include, #define, #undef and #if")
            raise CError(f"this subset of C has no #{word}; {instead}", token.place)
        return token.end

    def branch(self, token: Token, word: str, whole: str) -> bool:
        """Whether what follows is compiled."""
        if word.startswith("if"):
            self.branches.append(Branch(token.place, self.asks(token, word, whole)))
            return self.branches[-1].taken
        if not self.branches:
            raise CError(f"this #{word} has no #if before it", token.place)
        now = self.branches[-1]
        if word == "endif":
            self.branches.pop()
            return True
        if now.last:
            raise CError(f"this #{word} comes after the #else of its #if", token.place)
        now.last = word == "else"
        if now.taken:
            return False
        now.taken = now.last or self.asks(token, word, whole)
        return now.taken

    def asks(self, token: Token, word: str, whole: str) -> bool:
        if word in ("ifdef", "ifndef"):
            name = NAME.fullmatch(whole)
            if not name:
                raise CError(f"#{word} needs one name", token.place)
            return (name[1] in self.macros) == (word == "ifdef")
        start = token.start + token.text.index(word) + len(word)
        found = list(scan(self.source, self.region(start, token.end)))
        answered: list[Marked] = []
        while found:
            if found[0].text == "defined":
                bracket = len(found) > 1 and found[1].text == "("
                if len(found) < 2 + 2 * bracket or (bracket and found[3].text != ")"):
                    raise CError("defined needs one name, such as defined(N)", found[0].place)
                asked = found[1 + bracket].text in self.macros
                answered.append((replace(found[0], kind="integer", text=str(int(asked))), frozenset()))
                del found[: 2 + 2 * bracket]
            else:
                answered.append((found.pop(0), frozenset()))
        return holds([each for each, _ in self.replaced(answered[::-1], iter(()), 0)], token.place)

    def left_out(self, start: int) -> int:
        """Where the source goes on behind what is not compiled."""
        deep = 0
        for found in LEFT_OUT.finditer(self.source, start):
            if text := found["directive"]:
                word, whole = said(text)
                deep += word in ("if", "ifdef", "ifndef")
                if deep or word not in BRANCHES:
                    deep -= word == "endif"
                    continue
                at = found.start("directive")
                token = Token("directive", text, self.region(at, at).place, at, found.end())
                if self.branch(token, word, whole):
                    return found.end()
        return len(self.source)

    def define(self, token: Token) -> None:
        found = DEFINE.search(token.text)
        if not found:
            raise CError("#define needs a name and what it stands for, such as #define N 10", token.place)
        name, bracket = found.groups()
        if name in KEYWORDS or name == "defined":
            raise CError(f"{name} is a word of C and stands for itself", token.place)
        at, parameters = token.start + found.end(), None
        if bracket:
            names = PARAMETERS.match(self.source, at, token.end)
            if not names:
                raise CError(f"the parameters of {name} are names, with commas between; ... is none", token.place)
            parameters, at = tuple(re.findall(r"\w+", names[0])), names.end()
            if len({*parameters}) < len(parameters):
                raise CError(f"two parameters of {name} have the same name", token.place)
        body = tuple(scan(self.source, self.region(at, token.end)))
        for each in body:
            if each.kind == "directive":
                raise CError("this subset of C has no # within a macro", each.place)
        known = self.macros.get(name)
        if known and (known.parameters, texts(known.body)) != (parameters, texts(body)):
            raise CError(
                f"{name} is defined already, as something else; give one of them another name", token.place
            )
        self.macros[name] = Macro(parameters, body)

    def replaced(self, ahead: list[Marked], rest: Iterator[Token], deep: int) -> Iterator[Marked]:
        """Tokens with all macros replaced, each with the place where the outermost was used: those ahead, the next
        of which is the last of the list, then the rest."""
        while marked := self.take(ahead, rest):
            token, within = marked
            macro = self.macros.get(token.text) if token.kind == "name" and token.text not in within else None
            if macro is None:
                yield marked
            elif macro.parameters is None:
                self.put(ahead, token, macro.body, within | {token.text})
            elif (bracket := self.take(ahead, rest)) is None or bracket[0].text != "(":
                ahead += [bracket] if bracket else []
                yield marked
            else:
                given, end = self.arguments(token, ahead, rest)
                self.call(ahead, replace(token, end=max(token.end, end[0].end)), given, within & end[1], deep)

    def take(self, ahead: list[Marked], rest: Iterator[Token]) -> Marked | None:
        if ahead:
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise CError(f"its macros stand for more than {MOST_STEPS:,} tokens", ahead[-1][0].place)
            return ahead.pop()
        token = next(rest, None)
        return (token, frozenset()) if token else None

    def put(self, ahead: list[Marked], used: Token, body: Sequence[Token], within: frozenset[str]) -> None:
        here = [replace(each, place=used.place, start=used.start, end=used.end) for each in body]
        ahead += [(each, within) for each in reversed(here)]

    def arguments(
        self, used: Token, ahead: list[Marked], rest: Iterator[Token]
    ) -> tuple[list[list[Marked]], Marked]:
        """What stands between the brackets, by the commas; and the bracket at the end."""
        given: list[list[Marked]] = [[]]
        deep = 0
        while marked := self.take(ahead, rest):
            text = marked[0].text
            if text == ")" and not deep:
                return given, marked
            deep += (text == "(") - (text == ")")
            if text == "," and not deep:
                given.append([])
            else:
                given[-1].append(marked)
        raise CError(f"the brackets after {used.text} have no end", used.place)

    def call(
        self, ahead: list[Marked], used: Token, given: list[list[Marked]], within: frozenset[str], deep: int
    ) -> None:
        macro = self.macros[used.text]
        names = macro.parameters or ()
        if not names and given == [[]]:
            given = []
        if len(given) != len(names):
            raise CError(f"{used.text} has {len(names)} parameters, and {len(given)} are given here", used.place)
        if deep > MOST_DEEP:
            raise CError(f"more than {MOST_DEEP} macros stand within each other's brackets", used.place)
        values = {
            name: list(self.replaced(argument[::-1], iter(()), deep + 1))
            for name, argument in zip(names, given, strict=True)
        }
        inner = within | {used.text}
        for each in reversed(macro.body):
            if each.kind == "name" and each.text in values:
                for token, hidden in reversed(values[each.text]):
                    self.put(ahead, used, [token], hidden | inner)
            else:
                self.put(ahead, used, [each], inner)


def said(directive: str) -> tuple[str, str]:
    """Its word, such as ``define``; and that with all that follows, without the #, comments and ends of lines."""
    whole = COMMENT.sub(" ", directive[1:]).replace("\\\n", " ").strip()
    return re.split(r"\W", whole, maxsplit=1)[0], whole


def texts(body: Sequence[Token]) -> list[str]:
    return [each.text for each in body]
