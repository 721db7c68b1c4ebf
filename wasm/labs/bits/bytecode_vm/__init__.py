"""Bytecode: what CPython makes of a function, executed one instruction at a time.

The compiler is the real one of the Python that runs this; what it makes differs from version to version, and both
are shown. Executing it is our own machine's work, so nothing that a reader types is ever run by Python itself.
Each event is the picture after one instruction: the listing, the stacks of all open calls, their variables.

Reading order: `accept` says which programs are taken, `listing` disassembles what the running interpreter's
compiler makes of one, `limits` bounds every value, `hosted` holds the built-in functions and methods that may be
called, `machine` executes one instruction after the other; what each of them does stands in `variables`,
`compute` and `flow`.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from labs.bits.bytecode_vm.examples import EXAMPLES
from labs.bits.bytecode_vm.hosted import Walk
from labs.bits.bytecode_vm.listing import Listing
from labs.bits.bytecode_vm.machine import Machine
from labs.bits.bytecode_vm.show import show
from labs.bits.bytecode_vm.state import NULL, Cell, Frame
from labs.bits.bytecode_vm.tell import tell
from labs.bits.bytecode_vm.trouble import RefusedError
from labs.contract import Axes, Event, Int32, Label, LabError, Text, say

SHOWS_PYTHON = True
POSTER = 31
MOST = 400  # instructions


@dataclass(frozen=True)
class Params:
    source: Annotated[
        str,
        Text(2000, language="python", examples=EXAMPLES, listed=True),
        Label("Program", help="Functions, loops, lists, dictionaries, text; no classes and no imports."),
    ] = EXAMPLES["a loop"]


@dataclass(frozen=True)
class Value:
    text: str
    type: str
    object: int
    """Which list or dictionary this is, counted from 1; 0 for values that cannot change."""


@dataclass(frozen=True)
class Open:
    """A call that has not returned; the first is the program itself."""

    name: str
    line: int
    names: list[str]
    values: list[Value]
    stack: list[Value]
    """The topmost last."""


@dataclass(frozen=True, kw_only=True)
class Step(Event):
    """After one instruction."""

    kind: Literal["step"] = "step"
    stage: str
    """The function that it belongs to."""
    python: str
    """Version of the Python whose instructions these are."""
    source: str
    instructions: list[str]
    """Names of the instructions of this function."""
    arguments: list[str]
    offsets: Int32
    """[instructions] bytes from the beginning"""
    spans: Annotated[Int32, Axes(instruction=None, edge=("line", "column", "last line", "last column"))]
    """[instructions, 4] line, column, last line, column after the last; lines from 1, columns from 0"""
    targets: Int32
    """[instructions] where a jump leads, as a place in this list; else -1"""
    at: int
    """The instruction just executed, as a place in this list."""
    calls: list[Open]
    depth: int
    """Whose instruction it was, as a place in ``calls``; ``calls`` ends before it if that call just returned."""
    taken: list[Value]
    """What it took off the stack, the topmost last."""
    put: int
    """How many of the topmost values it put there."""
    output: str
    executed: int
    outcome: Literal["", "ended", "raised", "stopped"] = ""


def run(params: Params) -> Iterator[Step]:
    try:
        yield from steps(params)
    except RefusedError as refused:
        message = str(refused)
        raise LabError(f"{message[:1].upper()}{message[1:]}.") from None


def steps(params: Params) -> Iterator[Step]:
    machine = Machine(params.source)
    known: list[Any] = []  # mutable values, in the order in which they were first seen
    tables: dict[int, tuple[Int32, Int32, Int32]] = {}
    for executed, did in enumerate(machine.run(), 1):
        listing = did.frame.listing
        offsets, spans, targets = tables.setdefault(id(listing), table(listing))
        text, outcome = tell(machine, did), "ended"
        if machine.frames:
            outcome = "stopped" if executed == MOST else ""
            if outcome:
                text = say("{}, and here, after {} instructions, the figure stops.", text[:-1], MOST)
        elif machine.failure:
            outcome = "raised"
        yield Step(
            text=text,
            stage=listing.name.strip("<>"),
            python=platform.python_version(),
            source=params.source,
            instructions=[each.name for each in listing.instructions],
            arguments=[each.says[:32] for each in listing.instructions],
            offsets=offsets,
            spans=spans,
            targets=targets,
            at=did.frame.at,
            calls=[opened(frame, known) for frame in machine.frames],
            depth=did.depth,
            taken=[value(each, known) for each in did.popped],
            put=did.pushed,
            output=machine.output,
            executed=executed,
            outcome=outcome,  # type: ignore[arg-type]
        )
        if outcome == "stopped":
            return


def table(listing: Listing) -> tuple[Int32, Int32, Int32]:
    each = listing.instructions
    targets = [
        listing.index.get(one.value, -1) if "JUMP" in one.name or one.name == "FOR_ITER" else -1 for one in each
    ]
    return (
        np.array([one.offset for one in each], np.int32),
        np.array([one.span for one in each], np.int32),
        np.array(targets, np.int32),
    )


def opened(frame: Frame, known: list[Any]) -> Open:
    names = {name: each.value if isinstance(each, Cell) else each for name, each in frame.names.items()}
    names = {name: each for name, each in names.items() if each is not NULL}
    return Open(
        name=frame.listing.name.strip("<>"),
        line=frame.line,
        names=list(names),
        values=[value(each, known) for each in names.values()],
        stack=[value(each, known) for each in frame.stack],
    )


def value(found: Any, known: list[Any]) -> Value:
    number = 0
    if isinstance(found, list | dict):
        number = next((n for n, each in enumerate(known, 1) if each is found), 0)
        if not number:
            known.append(found)
            number = len(known)
    kind = "iterator" if isinstance(found, Walk) else type(found).__name__
    return Value(show(found), kind.lower() if kind in ("Function", "Builtin", "Method") else kind, number)
