"""Memory machine: a C program runs statement by statement over a memory whose every byte can be seen.

An interpreter for a subset of C keeps calls on a stack, pieces of malloc on a heap, and strings and globals beside
them, each at the address where Linux would have it. Every pointer remembers what it was made to point to, so that
the first step beyond it is found, as a sanitizer would; unchecked, the machine does what the hardware does instead.

Reading order: `lessons` are programs to begin with, `cells` reads memory as its types say, `portrait` draws it at
one moment, `leaks` finds what nobody can free any more, `tell` says what a step did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Annotated, Literal

from labs.bits.memory_machine.leaks import leaked
from labs.bits.memory_machine.lessons import LESSONS
from labs.bits.memory_machine.portrait import Call, Painter, Piece, Portrait
from labs.bits.memory_machine.tell import tell
from labs.contract import Event, Interval, Label, LabError, Sentence, Text, counted, say
from labs.models.c.lower import compile_c
from labs.models.c.machine import Machine
from labs.models.c.memory import Block, Fault
from labs.models.c.trouble import CError

MOST_STEPS = 2_000_000  # of the machine, between pictures and all together
MOST_OUTPUT = 2_000  # characters that a picture repeats

POSTER = 5


@dataclass(frozen=True)
class Params:
    source: Annotated[
        str,
        Text(4000, language="c", examples=LESSONS, listed=True),
        Label("Program", help="A subset of C, with what a first course uses of its library."),
    ] = LESSONS["swap"]
    typed: Annotated[str, Text(1000), Label("Typed input", help="What getchar, fgets and scanf read.")] = ""
    begin: Annotated[
        int,
        Interval(ge=0, le=100_000),
        Label("Begin at", unit="statements", help="Run this many without a picture."),
    ] = 0
    pictures: Annotated[int, Interval(ge=10, le=2000), Label("Pictures", help="Stop after this many.")] = 300
    unchecked: Annotated[
        bool,
        Label(
            "Leave memory unchecked",
            help="Do what the hardware does with a bad pointer.",
            group="Mistakes",
            main=True,
        ),
    ] = False


@dataclass(frozen=True)
class Trouble:
    """What the program did that C does not define."""

    what: str
    says: str
    line: int
    block: int
    """The piece of memory concerned, by number; -1 if none."""
    made: int
    """The line where that was made, 0 if there is none."""
    freed: int
    """The line where it was freed or ended, 0 if it was not."""


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The program just before a statement, or at its end."""

    kind: Literal["picture"] = "picture"
    stage: str
    """The function that is running; "end" or "stopped" in the last picture."""
    statement: int
    """How many statements have been executed."""
    line: int
    """Of the statement that comes next; 0 after the last."""
    span: tuple[int, int]
    """Its first character in the program, and the one after its last."""
    done: int
    """The line of the statement that was executed last; 0 before the first."""
    calls: list[Call]
    globals: list[Piece]
    heap: list[Piece]
    gone: list[Piece]
    """Variables that are no more, to which a pointer still leads."""
    hidden: int
    """Pieces of memory that are too many to be listed."""
    room: tuple[int, int]
    """Rows that the fullest picture of this run needs for the stack, and for all the rest."""
    output: str
    trouble: Trouble | None
    unnoticed: Trouble | None
    """Unchecked: what a check would have stopped the program for at this statement."""
    leaked_bytes: int
    leaked_pieces: int
    exit: int | None


def run(params: Params) -> Iterator[Picture]:
    try:
        unit = compile_c(params.source)
        typed = params.typed.encode()
        if typed and not typed.endswith(b"\n"):
            typed += b"\n"  # as the Enter key does
        machine = Machine(unit, not params.unchecked, typed)
        first = stop_of(Machine(unit, typed=typed)) if params.unchecked else None
    except CError as error:
        raise LabError(f"{str(error.place).capitalize()}: {error.message}.") from error
    except Fault as fault:
        raise LabError(f"The program cannot begin: {fault.message}.") from fault
    yield from with_room(list(pictures(params, machine, first)))


def pictures(params: Params, machine: Machine, unnoticed: tuple[int, Trouble] | None) -> Iterator[Picture]:
    painter = Painter(machine)
    before: Portrait | None = None
    done = statement = shown = printed = 0
    steps = machine.steps(MOST_STEPS)
    while True:
        trouble: Trouble | None = None
        try:
            at = next(steps, None)
        except Fault as fault:
            at, trouble = None, describe(fault)
        if at is not None and statement < params.begin:
            statement, done, printed = statement + 1, at.place.line, len(machine.output)
            continue
        lost = leaked(machine) if machine.exit is not None else []
        now = painter.paint(frozenset(block.number for block in lost))
        line = at.place.line if at else 0
        missed = unnoticed[1] if unnoticed and unnoticed[0] == statement else None
        words = tell(before, now, done if before else line, line, bytes(machine.output[printed:]))
        if missed and not trouble:
            words = say("{}, which went unnoticed: {}.", words.removesuffix("."), missed.says)
        if trouble:
            words = say("Line {} stops the program: {}.", trouble.line, trouble.says)
        elif machine.exit is not None:
            words = ending(words, machine.exit, lost)
        elif at and shown + 1 >= params.pictures:
            words = say(
                "The pictures end here, after {}, and the program would go on.", counted(statement, "statement")
            )
        yield Picture(
            text=words,
            stage="stopped" if trouble else machine.frames[-1].routine.name if machine.exit is None else "end",
            statement=statement,
            line=line,
            span=at.span if at else (0, 0),
            done=done,
            **{field.name: getattr(now, field.name) for field in fields(now)},
            room=(0, 0),
            output=bytes(machine.output[-MOST_OUTPUT:]).decode("utf-8", "replace"),
            trouble=trouble,
            unnoticed=missed,
            leaked_bytes=sum(block.size for block in lost),
            leaked_pieces=len(lost),
            exit=machine.exit,
        )
        shown += 1
        if at is None or shown >= params.pictures:
            return
        before, done, printed, statement = now, line, len(machine.output), statement + 1


def stop_of(machine: Machine) -> tuple[int, Trouble] | None:
    """After how many statements a checked machine stops, and for what; None if it does not."""
    statements = 0
    try:
        for _ in machine.steps(MOST_STEPS):
            statements += 1
    except Fault as fault:
        return statements, describe(fault)
    return None


def describe(fault: Fault) -> Trouble:
    block: Block | None = fault.block
    return Trouble(
        what=fault.kind,
        says=fault.message,
        line=fault.place.line if fault.place else 0,
        block=block.number if block else -1,
        made=block.made.line if block and block.made else 0,
        freed=block.gone.line if block and block.gone else 0,
    )


def ending(words: str, code: int, lost: list[Block]) -> Sentence:
    words = say("{}, and the program ends with {}", words.removesuffix("."), code)
    if not lost:
        return say("{}.", words)
    size = sum(block.size for block in lost)
    return say("{}: {} in {} of the heap leaked.", words, counted(size, "byte"), counted(len(lost), "piece"))


def with_room(drawn: list[Picture]) -> Iterator[Picture]:
    """The same, each with the room that the fullest needs: a figure then stays as high as it is."""
    room = (max(map(stack_rows, drawn)), max(map(other_rows, drawn)))
    for picture in drawn:
        yield replace(picture, room=room)


def stack_rows(picture: Picture) -> int:
    """A heading over the stack, over each call, and over what is gone; a row for each cell."""
    listed = sum(1 + bool(call.skipped) + rows(call.pieces) for call in picture.calls)
    return 1 + listed + bool(picture.gone) + rows(picture.gone)


def other_rows(picture: Picture) -> int:
    """A heading over the globals, over the heap, and over each piece of it; a row for each cell."""
    listed = bool(picture.globals) + rows(picture.globals)
    return listed + 1 + len(picture.heap) + rows(picture.heap)


def rows(pieces: list[Piece]) -> int:
    return sum(len(piece.cells) + bool(piece.more) for piece in pieces)
