"""Broadcasting: two or three shapes that fit though they differ, and what is read again and again.

Shapes are aligned at the right and decided dimension by dimension. What is repeated gets a stride of 0: no byte is
copied, and in the gradient what was read often is summed. Shapes that do not fit end in a picture of why.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

import numpy as np

from labs.contract import Event, Int32, Interval, Label, LabError, Sentence, Text, Uint8, joined, say
from labs.models.arrays import ints
from labs.models.tensor.layout import Layout

DRAWN = 64  # elements: beyond that only counts are shown
MOST_DIMS, LONGEST = 5, 1_000_000
ITEM = 4  # bytes of a float32

POSTER = 6


@dataclass(frozen=True)
class Params:
    a: Annotated[
        str, Text(most=40), Label("Shape of a", help="Lengths, separated by spaces; () for a single number.")
    ] = "4 1 3"
    b: Annotated[str, Text(most=40), Label("Shape of b")] = "5 1"
    c: Annotated[str, Text(most=40), Label("Shape of c", help="Type none to use only two tensors.")] = "none"
    element: Annotated[
        int,
        Interval(ge=0, le=63),
        Label("Element", help="An element of the result, counted row by row: what it reads."),
    ] = 7


@dataclass(frozen=True)
class Operand:
    """What is known of it from the beginning, and, if all fit, what is made of it."""

    name: str
    shape: list[int]
    aligned: list[int | None]
    """[dimensions of the result] its lengths, None where it has no such dimension"""
    held: str
    """Bytes that it has."""
    strides: list[int] = field(default_factory=list)
    """[dimensions of the result] in elements, 0 where it is repeated"""
    summed: list[int] = field(default_factory=list)
    """The dimensions over which its gradient is summed."""
    numbers: list[str] = field(default_factory=list)
    """[elements] empty where there are too many to be drawn"""
    bytes: Uint8 = field(default_factory=lambda: np.empty(0, np.uint8))
    """[elements × 4] the same in memory"""
    places: Int32 = field(default_factory=lambda: ints([]))
    """[elements of the result] which number each of them reads"""
    gradient: list[str] = field(default_factory=list)
    """[elements] of the sum of all that results"""
    read: str = ""
    """Bytes that are read of it."""
    times: str = ""
    """How often each of its numbers is read."""


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """All that is known is in every picture; ``stage`` says how far the story has come."""

    kind: Literal["picture"] = "picture"
    stage: Literal["align", "dimension", "refused", "strides", "read", "gradient", "cost"]
    operands: list[Operand]
    result: list[int | None]
    """Its shape, None where it is not yet decided."""
    held: str
    """Bytes of all operands."""
    dimension: int | None = None
    """The one that is decided in this step, counted from the left."""
    clash: list[int] = field(default_factory=list)
    """The operands that do not fit in this dimension."""
    drawn: bool = False
    """Whether there are few enough elements to draw them."""
    values: list[str] = field(default_factory=list)
    """[elements] of the result"""
    at: int | None = None
    """The element that is looked at."""
    elements: str = ""
    """How many the result has; empty where there is none."""
    size: str = ""
    """Bytes of the result."""
    copied: str = ""
    """Bytes that the operands would take, copied into the shape of the result; what has it already is not."""


def run(params: Params) -> Iterator[Picture]:
    texts = {"a": params.a, "b": params.b} | ({} if params.c.strip() in ("", "none") else {"c": params.c})
    shapes = {name: parse(name, text) for name, text in texts.items()}
    dims = max(map(len, shapes.values()))
    operands = [
        Operand(
            name=name,
            shape=[*shape],
            aligned=[None] * (dims - len(shape)) + [*shape],
            held=sized(math.prod(shape)),
        )
        for name, shape in shapes.items()
    ]
    pending: list[int | None] = [None] * dims
    shown = Picture(
        text=tell_align(operands),
        stage="align",
        operands=operands,
        result=pending,
        held=sized(sum(map(math.prod, shapes.values()))),
    )
    decided = [decide(operands, dimension) for dimension in range(dims)]
    fits = [n for n in decided if n is not None]
    if len(fits) == dims:
        shown = together(shown, fits, params.element)
    yield shown
    for dimension in reversed(range(dims)):
        shown = replace(shown, stage="dimension", dimension=dimension)
        if decided[dimension] is None:
            clash = [i for i, each in enumerate(operands) if each.aligned[dimension] not in (None, 1)]
            yield replace(shown, stage="refused", text=tell_clash(operands, dimension), clash=clash)
            return
        shown = replace(shown, result=[*pending[:dimension], *decided[dimension:]])
        yield replace(shown, text=tell(operands, dimension, decided[dimension]))
    shown = replace(shown, dimension=None)
    yield replace(shown, stage="strides", text=tell_strides(shown.operands))
    yield replace(shown, stage="read", text=tell_read(shown))
    yield replace(shown, stage="gradient", text=tell_gradient(shown.operands))
    cost = say("The result takes {}, and the operands {}", shown.size, shown.held)
    yield replace(
        shown,
        stage="cost",
        text=say("{}; copies of the operands in that shape would take {} more.", cost, shown.copied),
    )


def decide(operands: list[Operand], dimension: int) -> int | None:
    """The length of the result; None where the operands do not fit."""
    longer = {each.aligned[dimension] for each in operands} - {None, 1}
    return None if len(longer) > 1 else longer.pop() if longer else 1


def together(shown: Picture, shape: list[int], element: int) -> Picture:
    """What is known of operands that fit."""
    size = math.prod(shape)
    repeated = sum(each.shape != shape for each in shown.operands)
    drawn = 0 < size <= DRAWN
    at = min(element, size - 1) if drawn else None
    made = [read(each, shape, 100**i, drawn) for i, each in enumerate(shown.operands)]
    total = np.zeros(size if drawn else 0)
    for each in made if drawn else []:
        total += np.array([float(n) for n in each.numbers])[each.places]
    return replace(
        shown,
        operands=made,
        drawn=drawn,
        values=[written(value) for value in total.tolist()],
        at=at,
        elements=f"{size:,}",
        size=sized(size),
        copied=sized(size * repeated),
    )


def read(operand: Operand, shape: list[int], unit: int, drawn: bool) -> Operand:
    own = Layout.rows(operand.shape)
    layout = own.expand(shape)
    size, held = math.prod(shape), own.size
    times = size // held if held else 0
    known = replace(
        operand,
        strides=[stride if n != 1 else 0 for n, stride in zip(layout.shape, layout.strides, strict=True)],
        summed=[d for d, n in enumerate(operand.aligned) if (n is None or n == 1) and shape[d] != 1],
        read=sized(size),
        times=f"{times:,}",
    )
    if not drawn:
        return known
    numbers = unit * np.arange(1, held + 1, dtype=np.float32)
    return replace(
        known,
        numbers=[written(number) for number in numbers.tolist()],
        bytes=np.frombuffer(numbers.tobytes(), np.uint8),
        places=ints(layout.places()),
        gradient=[str(times)] * held,
    )


def parse(name: str, text: str) -> tuple[int, ...]:
    """Lengths with spaces, commas or × between them, in brackets or not."""
    inner = re.sub(r"^\s*[(\[](.*)[)\]]\s*$", r"\1", text)
    if inner == text and not text.strip():
        raise LabError(f"Give {name} a shape such as 4 1 3, or () for one number alone.")
    found = []
    for match in re.finditer(r"[^\s,×]+", inner):
        word = match.group()
        if not word.isascii() or not word.isdecimal():
            raise LabError(f"In the shape of {name}, {word!r} is no length: write whole numbers, such as 4 1 3.")
        if len(word) > 7 or int(word) > LONGEST:
            raise LabError(f"In the shape of {name}, {word} is too long: {LONGEST:,} at most.")
        found.append(int(word))
    if len(found) > MOST_DIMS:
        raise LabError(f"The shape of {name} has {len(found)} dimensions; leave {MOST_DIMS} at most.")
    return tuple(found)


def written(number: float) -> str:
    return f"{number:.0f}"


def sized(elements: int) -> str:
    """Their bytes."""
    size, units = float(elements * ITEM), ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]
    if size < 1000:
        return f"{elements * ITEM} bytes"
    while size >= 999.5 and len(units) > 1:
        size, units = size / 1000, units[1:]
    return f"{size:,.3g} {units[0]}" if size < 1e4 else f"{size:.1e} {units[0]}"


def shapes_said(operands: list[Operand]) -> Sentence:
    return joined(" and ", (say("{} {}", each.name, tuple(each.shape)) for each in operands))


def tell_align(operands: list[Operand]) -> Sentence:
    return say("The shapes {} are aligned at their last dimensions.", shapes_said(operands))


def lengths_said(operands: list[Operand], dimension: int) -> Sentence:
    return joined(
        ", ",
        (say("{} has {}", each.name, "none" if (n := each.aligned[dimension]) is None else n) for each in operands),
    )


def tell(operands: list[Operand], dimension: int, n: int | None) -> Sentence:
    lengths = [each.aligned[dimension] for each in operands]
    if all(each == n for each in lengths):
        why = say("they agree on {}", n)
    elif n == 1:
        why = say("no length is greater than 1, so it stays 1")
    else:
        repeated = [each.name for each, own in zip(operands, lengths, strict=True) if own is None or own == 1]
        why = say("it becomes {}, and {} will be read {} times along it", n, " and ".join(repeated), n)
    return say("Dimension {}: {}; {}.", dimension, lengths_said(operands, dimension), why)


def tell_clash(operands: list[Operand], dimension: int) -> Sentence:
    found = lengths_said(operands, dimension)
    return say("Dimension {} is refused: {}, two lengths that differ, and neither of them is 1.", dimension, found)


def tell_strides(operands: list[Operand]) -> Sentence:
    found = joined(" and ", (say("{} with strides {}", each.name, tuple(each.strides)) for each in operands))
    shapes = "Both shapes" if len(operands) == 2 else "All shapes"
    return say("{} become one by reading {}: a step of stride 0 reads the same number again.", shapes, found)


def tell_read(shown: Picture) -> Sentence:
    parts = [f"{each.times} times each number of {each.name}" for each in shown.operands]
    return say("The result has {} elements, and computing them reads {}.", shown.elements, " and ".join(parts))


def tell_gradient(operands: list[Operand]) -> Sentence:
    parts = []
    for each in operands:
        over = " and ".join(map(str, each.summed))
        how = f"summed over {'dimension' if len(each.summed) == 1 else 'dimensions'} {over}" if over else "as it is"
        parts.append(f"{each.name} gets it {how}, with shape {tuple(each.shape)}")
    return say("The gradient has the shape of the result: {}.", "; ".join(parts))
