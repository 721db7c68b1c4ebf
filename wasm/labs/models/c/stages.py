"""The four pictures of the front end: tokens, tree, three-address code, values; labs begin with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from typing import Literal

from labs.contract import Event, LabError, Sentence, joined, say
from labs.models.c import listing
from labs.models.c.code import Unit
from labs.models.c.listing import Branch, Line, Part, Piece, Valued
from labs.models.c.lower import lower
from labs.models.c.parse import parse
from labs.models.c.trouble import CError


@dataclass(frozen=True, kw_only=True)
class Tokens(Event):
    """The text, cut into words."""

    kind: Literal["tokens"] = "tokens"
    source: str
    tokens: list[Piece]


@dataclass(frozen=True, kw_only=True)
class Tree(Event):
    """What belongs to what."""

    kind: Literal["tree"] = "tree"
    source: str
    nodes: list[Branch]
    """In the order of the program, each before its children."""


@dataclass(frozen=True, kw_only=True)
class Code(Event):
    """One operation a line, every variable in memory."""

    kind: Literal["code"] = "code"
    source: str
    code: list[Line]


@dataclass(frozen=True, kw_only=True)
class Values(Event):
    """Static single assignment: every value has one name, and every name one value."""

    kind: Literal["values"] = "values"
    source: str
    code: list[Line]
    blocks: list[Part]
    values: list[Valued]
    promoted: list[str]
    """The variables that live in values now and no longer in memory, as function.variable."""


Front = Tokens | Tree | Code | Values
NAMES = {"mark": "mark", "name": "name", "keyword": "keyword", "integer": "number", "floating": "number"}


def refusal(error: CError) -> LabError:
    return LabError(f"{str(error)[0].upper()}{str(error)[1:]}.")


def front(source: str) -> Generator[Front, None, Unit]:
    """The four pictures, and the program. Raises ``LabError``, late: a text without a tree has tokens."""
    try:
        pieces = listing.pieces(source)
        if pieces:
            yield Tokens(text=tell_tokens(source, pieces), source=source, tokens=pieces)
        program = parse(source)
        nodes = list(listing.branches(program))
        if nodes:
            yield Tree(text=tell_tree(pieces, nodes), source=source, nodes=nodes)
        unit = lower(source, program)
    except CError as error:
        raise refusal(error) from None
    if not unit.routines:
        raise LabError("There is no function here: write one, such as int f(int a) { return a + 1; }.")
    code = listing.lines(unit)
    yield Code(text=tell_code(nodes, code), source=source, code=code)
    yield values(unit, code)
    return unit


def values(unit: Unit, code: list[Line]) -> Values:
    found = listing.values(unit)
    promoted = [f"{form.routine.name}.{slot.key}" for form in found.forms for slot in form.promoted if slot.name]
    named = sum(bool(slot.name) for form in found.forms for slot in form.routine.slots)
    phis = sum(len(each) for form in found.forms for each in form.phis)
    text = say(
        "{} of {} need no place in memory: {} become {}, with {} where paths meet.",
        len(promoted),
        count(named, "variable"),
        instructions(code),
        len(found.lines),
        count(phis, "phi"),
    )
    return Values(
        text=text, source=unit.source, code=code, blocks=found.parts, values=found.lines, promoted=promoted
    )


def tell_tokens(source: str, pieces: list[Piece]) -> Sentence:
    kinds = Counter(NAMES.get(each.kind, "text") for each in pieces)
    parts = joined(", ", (count(number, kind) for kind, number in kinds.most_common()))
    return say("{} are cut into {}: {}.", count(len(source), "character"), count(len(pieces), "token"), parts)


def tell_tree(pieces: list[Piece], nodes: list[Branch]) -> Sentence:
    deep = max(each.depth for each in nodes) + 1
    size = say("{}, {} deep", count(len(nodes), "node"), deep)
    return say("{} become a tree of {}: what binds more tightly lies deeper.", count(len(pieces), "token"), size)


def tell_code(nodes: list[Branch], code: list[Line]) -> Sentence:
    memory = sum(each.op in ("load", "store") for each in code)
    return say(
        "{} become {} that do one thing each, {} of which only load or store a variable.",
        count(len(nodes), "node"),
        instructions(code),
        memory,
    )


def instructions(code: list[Line]) -> str:
    return count(sum(each.op != "label" for each in code), "instruction")


def count(number: int, noun: str) -> Sentence:
    return say("{:,} {}{}", number, noun, "s" * (number != 1))
