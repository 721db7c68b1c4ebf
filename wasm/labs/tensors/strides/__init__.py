"""Strides and views: which bytes a tensor reads, and when they have to be copied.

A chain of operations is followed one by one. After each of them stand the shape, the strides and the offset, the
bytes of the storage, and which of them the tensor reads; at the end it is walked through, element by element.

Reading order: `chain` reads the operations, `follow` does them one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Annotated, Literal

import numpy as np

from labs.contract import Event, Int32, Interval, Label, LabError, Sentence, Text, Uint8, counted, joined, say
from labs.models.arrays import ints
from labs.tensors.strides.chain import ChainError, Step, read
from labs.tensors.strides.follow import Library, Outcome, Read, follow, said

LINE = 64  # bytes of a cache line
EXAMPLES = {
    "transpose": "arange(24).reshape(4, 6).T",
    "transpose_then_reshape": "arange(24).reshape(2, 3, 4).transpose(0, 2).reshape(6, 4)",
    "every_second_column": "arange(24).reshape(4, 6)[:, ::2]",
    "contiguous": "arange(24).reshape(4, 6).T.contiguous()",
    "flip": "arange(24).reshape(4, 6).flip(1)",
    "expand": "arange(6).reshape(6, 1).expand(6, 4)",
    "view_refuses": "arange(24).reshape(4, 6).T.view(24)",
    "windows": "arange(12).unfold(0, 4, 2)",
    "diagonal": "arange(36).reshape(6, 6).as_strided((6,), (7,), 0)",
    "eight_rows": "arange(64).reshape(8, 8)",
    "eight_columns": "arange(64).reshape(8, 8).T",
    "attention_heads": "arange(48).reshape(3, 2, 8)[:, 1].reshape(3, 4, 2).transpose(0, 1)",
}

POSTER = 3


@dataclass(frozen=True)
class Params:
    chain: Annotated[
        str,
        Text(most=200, examples=EXAMPLES),
        Label(
            "Chain",
            help="Begins with arange(n); then reshape, view, T, transpose, permute, [i, a:b:c], flip, expand, …",
        ),
    ] = EXAMPLES["transpose"]
    dtype: Annotated[
        Literal["uint8", "int16", "int32", "int64", "float16", "float32", "float64"], Label("Type")
    ] = "float32"
    library: Annotated[
        Library, Label("Rules of", help="NumPy has negative strides; PyTorch has none, and copies instead.")
    ] = "PyTorch"
    element: Annotated[
        int, Interval(ge=0, le=63), Label("Element", help="The one whose place is computed, counted row by row.")
    ] = 7


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """A tensor after one operation, or on the way through it."""

    kind: Literal["picture"] = "picture"
    stage: Literal["storage", "operation", "refused", "walk", "end"]
    operation: str
    """As it is written."""
    begin: int
    end: int
    """Where it is written in the chain."""
    outcome: Outcome
    """A view reads the same bytes, a copy others; ``same`` is the tensor itself."""
    why: str
    shape: list[int]
    strides: list[int]
    """In elements."""
    offset: int
    """In elements."""
    contiguous: bool
    shape_before: list[int]
    strides_before: list[int]
    blocked: list[int]
    """Two dimensions of the tensor before that would have to be read as one; else empty."""
    storage: int
    """The storage's number: 0 at first, 1 more after each copy."""
    itemsize: int
    """Bytes"""
    bytes: Uint8
    """[places × itemsize] the storage, as it is in memory"""
    numbers: list[str]
    """[places] what the bytes of each place stand for"""
    places: Int32
    """[elements] where each element is read, the last index fastest"""
    at: int | None
    """The element whose place is worked out."""
    index: list[int]
    """Of that element."""
    walked: int
    """Elements that the walk has read."""
    lines: int
    """Cache lines that hold what was walked over; before the walk, what the tensor reads."""
    fetches: int
    """How often the walk came into another line than it was in."""
    copied: int
    """Bytes that were copied so far."""


def run(params: Params) -> Iterator[Picture]:
    shown, copied = None, 0
    try:
        for step, tensor in follow(chain := read(params.chain), params.dtype, params.library):
            copied += tensor.numbers.nbytes if tensor.outcome == "copy" else 0
            shown = picture(params, step, tensor, shown, copied, (chain.begin, chain.end))
            yield shown
    except ChainError as problem:
        raise LabError(f"Column {problem.column} of the chain: {problem}.") from None
    if shown and shown.outcome != "refused" and shown.places.size:
        yield from walk(shown)


def picture(
    params: Params, step: Step | None, tensor: Read, before: Picture | None, copied: int, first: tuple[int, int]
) -> Picture:
    layout, size = tensor.layout, tensor.layout.size
    begin, end = (step.begin, step.end) if step else first
    places = ints(layout.places())
    at = min(params.element, size - 1) if size else None
    itemsize = tensor.numbers.itemsize
    shown = Picture(
        text=say(""),
        stage="storage" if step is None else "refused" if tensor.outcome == "refused" else "operation",
        operation=params.chain[begin:end],
        begin=begin,
        end=end,
        outcome=tensor.outcome,
        why=tensor.why,
        shape=[*layout.shape],
        strides=[*layout.strides],
        offset=layout.offset,
        contiguous=layout.contiguous,
        shape_before=before.shape if before else [],
        strides_before=before.strides if before else [],
        blocked=[*(tensor.blocked or ())],
        storage=tensor.storage,
        itemsize=itemsize,
        bytes=np.frombuffer(tensor.numbers.tobytes(), np.uint8),
        numbers=[f"{number:g}" for number in tensor.numbers.tolist()],
        places=places,
        at=at,
        index=index(layout.shape, at),
        walked=0,
        lines=len(set((places * itemsize // LINE).tolist())),
        fetches=0,
        copied=copied,
    )
    return replace(shown, text=tell(shown))


def index(shape: tuple[int, ...] | list[int], element: int | None) -> list[int]:
    if element is None:
        return []
    *_, found = (each for each, _ in zip(product(*map(range, shape)), range(element + 1), strict=False))
    return [*found]


def walk(shown: Picture) -> Iterator[Picture]:
    """Through the elements, the last index fastest: where each lies, and how often that is in another line."""
    line = (shown.places * shown.itemsize // LINE).tolist()
    places = shown.places.tolist()
    fetches = 0
    for at, place in enumerate(places):
        fetches += at == 0 or line[at] != line[at - 1]
        now = replace(
            shown,
            stage="walk",
            at=at,
            index=index(shown.shape, at),
            walked=at + 1,
            lines=len({*line[: at + 1]}),
            fetches=fetches,
        )
        jump = say(", {}", said_jump(place - places[at - 1])) if at else ""
        where = say("Element {} is number {} of the storage{}", element(now), place, jump)
        new = say("cache line {}", line[at]) if at == 0 or line[at] != line[at - 1] else "the same cache line"
        yield replace(now, text=say("{}: {}.", where, new))
    jumps = {b - a for a, b in pairwise(places)}
    even = say("always {}", said_jump(*jumps)) if len(jumps) == 1 else "in uneven steps"
    way = even if jumps else "which is one alone"
    text = say(
        "Reading {} row by row, {}, enters another cache line {}; {} would hold them all.",
        counted(len(places), "element"),
        way,
        counted(fetches, "time"),
        counted(len({*line}), "line"),
    )
    yield replace(now, stage="end", text=text, at=shown.at, index=shown.index)


def element(shown: Picture) -> Sentence:
    return say("[{}]", joined(", ", map(str, shown.index)))


def said_jump(by: int) -> Sentence:
    return say("{} {}", counted(abs(by), "place"), "on" if by > 0 else "back") if by else say("the one just read")


def tell(shown: Picture) -> Sentence:
    if shown.stage == "storage":
        size = shown.bytes.size
        return say("{} lie in {} bytes, one after the other.", counted(len(shown.numbers), "number"), size)
    how = say("shape {}, strides {}, offset {}", said(shown.shape), steps(shown), shown.offset)
    name = shown.operation
    if shown.outcome == "copy":
        return say("After {} it is a copy of {} bytes: {}.", name, shown.bytes.size, shown.why)
    if shown.outcome == "refused":
        return say("The operation {} is refused: {}.", name, shown.why)
    what = "is the same tensor" if shown.outcome == "same" else "is a view"
    return say("After {} it {}, {}: {}.", name, what, how, shown.why)


def steps(shown: Picture) -> Sentence:
    """The strides; a dimension of length 1 never steps, and libraries write down different ones for it."""
    words = [str(stride) if n != 1 else "any" for n, stride in zip(shown.shape, shown.strides, strict=True)]
    return say("({}{})", ", ".join(words), "," * (len(words) == 1))
