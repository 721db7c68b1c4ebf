"""A tape: a few lines of tensor code, what each of them records for the way back, and the way back.

An interpreter for a subset of Python runs the lines on our own tensor library, under PyTorch's names. Each
operation is a record on the tape: from which operations its inputs came, and what it saved for its derivative. The
walk back is shown operation by operation. At the end each number that wants a gradient is moved a little, and the
program run again, to see whether the tape was right.

Reading order: `values` says what a name can stand for and how large it may become, `functions` and `expressions`
what can be called, `bind` with what; `evaluate`, `walks` and `machine` run a program. `memory` finds who keeps
which bytes alive, `portrait` draws the tape at one moment, `reasons` and `tell` say it in words, `tracer` puts
them together while a program runs; `compare` moves every weight a little and looks what becomes of the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from labs.contract import Event, Label, Sentence, Text, counted, say
from labs.models.programs.accept import parse
from labs.models.programs.trouble import ProgramError, StoppedError, as_advice
from labs.models.tensor import tape
from labs.tensors.autograd_tape import compare
from labs.tensors.autograd_tape.examples import EXAMPLES
from labs.tensors.autograd_tape.portrait import Grid, Named, Record, grid
from labs.tensors.autograd_tape.tell import plainly, several
from labs.tensors.autograd_tape.tracer import PICTURES, EnoughError, Portrait, Tracer, longest

CLOSE = 1e-5  # of the larger of both, or of 1

POSTER = 10


@dataclass(frozen=True)
class Params:
    source: Annotated[
        str,
        Text(2000, language="python", examples=EXAMPLES, listed=True),
        Label("Program", help="Tensors, operators, in-place changes, short loops and functions, as in PyTorch."),
    ] = EXAMPLES["layer"]


@dataclass(frozen=True)
class Trouble:
    """What the library refused."""

    says: str
    line: int
    record: int
    """The operation that could not go on, by its number; 0 if it was none on the tape."""


@dataclass(frozen=True)
class Checked:
    """A gradient, and what moving each number a little says of it."""

    name: str
    tape: Grid | None
    moved: Grid | None
    agree: bool | None
    """None where they cannot be compared."""


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """The tape after a line, or at one step of a walk back."""

    kind: Literal["picture"] = "picture"
    stage: Literal["forward", "backward", "done", "stopped"]
    line: int
    """That was executed, or that walks back."""
    records: list[Record]
    """What can be walked to, in the order in which it was written."""
    tensors: list[Named]
    hidden: int
    """Names that are too many to be drawn."""
    now: int
    """The operation of this step, by its number; 0 if this is the picture after a line."""
    named_bytes: int
    """In tensors that have a name."""
    saved_bytes: int
    """For the way back, even if a name keeps them, too."""
    most_saved_bytes: int
    """The most that was saved at once so far."""
    tape_bytes: int
    """That nothing but the tape keeps alive."""
    gradient_bytes: int
    """In .grad."""
    flowing_bytes: int
    """In gradients on their way."""
    peak_bytes: int
    """The most of all four together so far."""
    forward_operations: int
    backward_operations: int
    forward_arithmetic: int
    """Numbers made, each by an addition, a multiplication or the like."""
    backward_arithmetic: int
    output: str
    room: tuple[int, int]
    """Rows that the fullest picture of this run needs for the tape, and for names."""
    most_bytes: int
    """The most of all bytes at once in this run."""
    trouble: Trouble | None
    checks: list[Checked]
    """In the last picture: each leaf that has a gradient."""


def run(params: Params) -> Iterator[Picture]:
    with as_advice():
        yield from pictures(params)


def pictures(params: Params) -> Iterator[Picture]:
    tree = parse(params.source)
    tracer = Tracer(tree)
    trouble, enough = None, False
    try:
        with tape.watched(tracer.count):
            tracer.machine.run()
    except StoppedError as stopped:
        trouble = Trouble(plainly(stopped.message), stopped.line, culprit(tracer))
    except EnoughError:
        enough = True
    if not tracer.portraits:
        raise ProgramError(
            f"line {trouble.line}: {trouble.says}"
            if trouble
            else "no line of this program does anything; write one, or choose an example"
        )
    room = longest(tracer.portraits)
    last, most = tracer.portraits[-1], tracer.peak
    for portrait in tracer.portraits[:-1] if enough else tracer.portraits:
        yield picture(portrait, room, most)
    if trouble:
        yield replace(
            picture(last, room, most),
            text=stopped_at(trouble, last),
            stage="stopped",
            line=trouble.line,
            trouble=trouble,
        )
    elif enough:
        text = say("The pictures end here, after {} of them, and the program would go on.", PICTURES)
        yield replace(picture(last, room, most), text=text, stage="stopped")
    else:
        checks = list(checked(tracer))
        yield replace(picture(last, room, most), text=ending(checks, last), stage="done", checks=checks)


def picture(portrait: Portrait, room: tuple[int, int], most: int) -> Picture:
    return Picture(
        text=portrait.text,
        stage=portrait.stage,
        line=portrait.line,
        records=portrait.records,
        tensors=portrait.tensors,
        hidden=portrait.hidden,
        now=portrait.now,
        named_bytes=portrait.memory.named,
        saved_bytes=portrait.memory.saved,
        most_saved_bytes=portrait.most_saved,
        tape_bytes=portrait.memory.tape,
        gradient_bytes=portrait.memory.gradients,
        flowing_bytes=portrait.memory.flowing,
        peak_bytes=portrait.peak,
        forward_operations=portrait.forward.operations,
        backward_operations=portrait.backward.operations,
        forward_arithmetic=portrait.forward.arithmetic,
        backward_arithmetic=portrait.backward.arithmetic,
        output=portrait.output,
        room=room,
        most_bytes=most,
        trouble=None,
        checks=[],
    )


def stopped_at(trouble: Trouble, last: Portrait) -> Sentence:
    found = next((each for each in last.records if each.number == trouble.record), None)
    where = say(" at {} #{} of line {}", found.name, found.number, found.line) if found else ""
    return say("Line {} stops the program{}: {}.", trouble.line, where, trouble.says)


def culprit(tracer: Tracer) -> int:
    """A walk that was stopped is stopped by the operation that was next: of those waiting the highest."""
    if tracer.stage != "backward" or not tracer.waiting:
        return 0
    return max(tracer.painter.numbers[each] for each in tracer.waiting)


def checked(tracer: Tracer) -> Iterator[Checked]:
    names = {id(value): name for name, value in tracer.machine.names.names.items()}
    comparable = compare.comparable(tracer.machine.tree)
    work = tracer.work["forward"].operations + tracer.work["backward"].operations
    moved = compare.moved(tracer.machine.tree, tracer.leaves, work) if comparable else [None] * len(tracer.leaves)
    for leaf, found in zip(tracer.leaves, moved, strict=True):
        if leaf.grad is None:
            continue
        grad, agree = leaf.grad.array, None
        if found is not None and np.isfinite(grad).all() and np.isfinite(found).all():
            agree = bool(np.all(np.abs(found - grad) <= CLOSE * np.maximum(1, np.abs(grad))))
        yield Checked(
            name=names.get(id(leaf), "a leaf"),
            tape=grid(grad),
            moved=None if found is None else grid(found),
            agree=agree,
        )


def ending(checks: list[Checked], last: Portrait) -> Sentence:
    if not checks:
        return say("The program ends, and no tensor has a gradient.")
    names = several([f"{each.name}.grad" for each in checks])
    known = [each for each in checks if each.agree is not None]
    cost = say("{} back for {} forward", counted(last.backward.operations, "operation"), last.forward.operations)
    if not known:
        return say("The program ends with {}, after {}.", names, cost)
    agree = all(each.agree for each in known)
    verdict = "agrees" if agree else "disagrees: look for a kink, or a changed leaf"
    return say("The program ends with {}, after {}, and moving each number a little {}.", names, cost, verdict)
