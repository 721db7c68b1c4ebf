"""Struct layout: where the fields of a struct lie, and the holes between them.

The reader writes fields in C and puts them in order. Each is placed in turn, at the next address that its alignment
allows; the end is padded so that the next item of an array is aligned, too. Then come the order that wastes least
and an array of the structs over cache lines of 64 bytes. Sizes and alignments are those of x86-64 Linux.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from labs.contract import Event, Interval, Label, LabError, Sentence, Text, counted, say
from labs.models.c.macros import MOST
from labs.models.c.parse import Parser
from labs.models.c.trouble import CError
from labs.models.c.types import Array, Struct, Type, packed

LINE = 64  # bytes of a cache line
MOST_FIELDS, MOST_BYTES = 16, 256
PACKS = {"natural": 16, "pack_4": 4, "pack_2": 2, "pack_1": 1}
EXAMPLES = {
    "mixed": "char tag; double x; int id; char flag;",
    "sorted": "double x; int id; char tag; char flag;",
    "particle": "char kind; float place[3]; bool alive; double energy; short tag;",
    "node": "bool used; struct node *next; short key; void *value;",
    "nested": "char c; struct { short s; char d; } inner; long total;",
}


@dataclass(frozen=True)
class Params:
    fields: Annotated[
        str,
        Text(most=200, examples=EXAMPLES),
        Label("Fields", help="In C, in order: a type, a name and a semicolon each."),
    ] = EXAMPLES["mixed"]
    packing: Annotated[
        Literal["natural", "pack_4", "pack_2", "pack_1"],
        Label("Alignment", help="As each type requires it, or at most this many bytes: #pragma pack."),
    ] = "natural"
    items: Annotated[int, Interval(ge=1, le=16), Label("Items in the array")] = 8
    no_holes: Annotated[
        bool, Label("Add up the sizes", group="Mistakes", help="Takes sizeof for the sum of the fields.")
    ] = False
    no_tail: Annotated[
        bool, Label("No padding at the end", group="Mistakes", help="Ends the struct after its last field.")
    ] = False


@dataclass(frozen=True)
class Field:
    """One field. What has no place yet has no offset."""

    name: str
    type: str
    source: str
    """Its declaration."""
    size: int
    align: int
    offset: int | None
    hole: int
    """Bytes left empty before it."""
    misaligned: bool
    """Whether it lies where its type does not allow it, in the first struct of an array."""


@dataclass(frozen=True, kw_only=True)
class Layout(Event):
    """A struct on its way into memory; ``stage`` says how far."""

    kind: Literal["layout"] = "layout"
    stage: Literal["place", "end", "best", "array"]
    fields: list[Field]
    at: int | None = None
    """The field that is being placed."""
    end: int
    """The first byte after the fields placed so far."""
    align: int
    """Of the struct: that of its strictest field."""
    tail: int
    """Bytes of padding at the end; 0 before they are known."""
    size: int
    """sizeof"""
    payload: int
    """Bytes that hold something: the sizes of the fields, less the holes within them."""
    wasted: int
    """Bytes of the struct that hold nothing."""
    best: list[str]
    """The declarations in the order that wastes least, strictest alignment first."""
    best_size: int
    items: int
    lines: int
    """Cache lines that the array touches, from an address that is a multiple of 64."""
    crossing: list[int]
    """Items that lie in more than one cache line."""
    misaligned: int
    """Fields of the array that lie where their type does not allow it."""


def run(params: Params) -> Iterator[Layout]:
    sources, members = parse(params.fields)
    pack = 1 if params.no_holes else PACKS[params.packing]
    made, best = Struct("record"), Struct("record")
    members = [(name, packed(kind, PACKS[params.packing])) for name, kind in members]
    made.define(members, pack)
    order = sorted(range(len(members)), key=lambda i: -members[i][1].align)
    best.define([members[i] for i in order], PACKS[params.packing])
    end = made.members[-1].offset + made.members[-1].type.size
    size = end if params.no_tail else made.size
    if size > MOST_BYTES:
        raise LabError(f"This struct has {size:,} bytes; leave fields out until it has {MOST_BYTES} at most.")
    strict = PACKS[params.packing]
    wants = [min(member.type.align, strict) for member in made.members]
    fields, holes, free = [], [], 0
    for source, member, want in zip(sources, made.members, wants, strict=True):
        holes.append(member.offset - free)
        free = member.offset + member.type.size
        kind = re.sub(r"^(struct|union)$", r"\1 { … }", str(member.type))
        fields.append(Field(member.name, kind, source, member.type.size, want, None, 0, False))
    placed = [
        replace(each, offset=member.offset, hole=hole, misaligned=member.offset % each.align != 0)
        for each, member, hole in zip(fields, made.members, holes, strict=True)
    ]
    payload = sum(held(member.type) for member in made.members)
    starts = [item * size for item in range(params.items)]
    shown = Layout(
        stage="place",
        text=say(""),
        fields=fields,
        end=0,
        align=max(wants),
        tail=0,
        size=size,
        payload=payload,
        wasted=size - payload,
        best=[sources[i] for i in order],
        best_size=best.size,
        items=params.items,
        lines=-(-params.items * size // LINE),
        crossing=[i for i, start in enumerate(starts) if start // LINE != (start + size - 1) // LINE],
        misaligned=sum((start + (f.offset or 0)) % f.align != 0 for start in starts for f in placed),
    )
    for at, each in enumerate(placed):
        after = (each.offset or 0) + each.size
        yield replace(shown, text=tell_place(each), at=at, fields=placed[: at + 1] + fields[at + 1 :], end=after)
    shown = replace(shown, fields=placed, end=end)
    shown = replace(shown, stage="end", tail=size - end, text=tell_end(shown))
    yield shown
    yield replace(shown, stage="best", text=tell_best(shown))
    yield replace(shown, stage="array", text=tell_array(shown))


def parse(fields: str) -> tuple[list[str], list[tuple[str, Type]]]:
    """The declarations, one a field, and their names and types."""
    try:
        parser = Parser(f"struct record {{\n{fields.strip()}\n}};", MOST)
        parser.program()
    except CError as error:
        raise LabError(f"Column {error.place.column} of the fields: {error.message}.") from None
    found = parser.scope.struct("record")
    assert found
    if len(found.members) > MOST_FIELDS:
        raise LabError(f"{len(found.members)} fields are more than can be drawn; leave {MOST_FIELDS} at most.")
    members = [(member.name, member.type) for member in found.members]
    sources = declarations(fields)
    if len(sources) != len(members):
        raise LabError("Write each field as a declaration of its own, such as int a; int b; in place of int a, b;.")
    return sources, members


def declarations(fields: str) -> list[str]:
    """The fields as they were written; a ; within braces belongs to a struct."""
    found, depth, begun = [], 0, 0
    for i, mark in enumerate(fields):
        depth += (mark == "{") - (mark == "}")
        if mark == ";" and depth == 0:
            found.append(" ".join(fields[begun : i + 1].split()))
            begun = i + 1
    return found


def held(kind: Type) -> int:
    """Bytes of a type that are not padding."""
    if isinstance(kind, Array):
        return held(kind.of) * max(kind.length, 0)
    if not isinstance(kind, Struct):
        return kind.size
    return (max if kind.union else sum)(held(member.type) for member in kind.members)


def tell_place(each: Field) -> Sentence:
    name = each.name if "{" in each.source else each.source.removesuffix(";")
    what = say("The field {} has {} and goes to offset {}", name, counted(each.size, "byte"), each.offset)
    if each.misaligned:
        return say("{}, which is not a multiple of {} as its type requires.", what, each.align)
    if each.hole:
        return say(
            "{}, the next multiple of {}, with {} of padding before it.",
            what,
            each.align,
            counted(each.hole, "byte"),
        )
    return say("{}, a multiple of {}: nothing is lost.", what, each.align)


def tell_end(shown: Layout) -> Sentence:
    size = say("sizeof is {}", shown.size)
    if shown.size % shown.align:
        return say("The struct ends at byte {}: {}, which is not a multiple of {}.", shown.end, size, shown.align)
    tail = shown.size - shown.end
    more = (
        say("it takes {} more to reach the next multiple of {}", counted(tail, "byte"), shown.align)
        if tail
        else "no padding is added"
    )
    return say(
        "The fields end at byte {}, and {}: {}, of which {} hold data.", shown.end, more, size, shown.payload
    )


def tell_best(shown: Layout) -> Sentence:
    if shown.best_size == shown.size:
        return say("No order of these fields is smaller than {}.", counted(shown.size, "byte"))
    if shown.best_size > shown.size:
        return say("Correctly laid out, no order is smaller than {}.", counted(shown.best_size, "byte"))
    saved = 1 - shown.best_size / shown.size
    return say(
        "Sorted by alignment the fields take {} bytes instead of {}, {:.0%} less.",
        shown.best_size,
        shown.size,
        saved,
    )


def tell_array(shown: Layout) -> Sentence:
    whole = say(
        "{} items take {} bytes and {}", shown.items, shown.items * shown.size, counted(shown.lines, "cache line")
    )
    if shown.misaligned:
        return say("{}, with {} misaligned.", whole, counted(shown.misaligned, "field"))
    return say("{}; items that straddle two cache lines: {}.", whole, len(shown.crossing))
