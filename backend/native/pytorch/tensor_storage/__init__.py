"""Storage and views: which bytes a program's tensors share, what keeps them alive, and which version they have.

The program runs on torch, statement by statement. After each one torch is asked for every tensor's storage, offset
and strides, for the version of its numbers, and for what autograd has saved for the way back; what torch refuses is
shown with its own message.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Label, Sentence, Text, say
from labs.models.programs.accept import parse
from labs.models.programs.trouble import StoppedError, as_advice, refuse

from native.models.messages import first_sentence
from native.pytorch.tensor_storage.examples import EXAMPLES
from native.pytorch.tensor_storage.pictures import Look, Save, Storage, View

MOST = 12  # tensors in one picture
POSTER = 5


@dataclass(frozen=True)
class Params:
    program: Annotated[
        str,
        Text(1200, language="python", examples=EXAMPLES, listed=True),
        Label("Program", help="PyTorch tensors: views, operators, in-place changes, backward(), del."),
    ] = EXAMPLES["views"]


@dataclass(frozen=True, kw_only=True)
class Memory(Event):
    """Storages and tensors after a statement."""

    kind: Literal["memory"] = "memory"
    stage: Literal["running", "stopped"]
    line: int
    """Of the statement that was executed"""
    bytes: int
    """Of all storages together"""
    storages: list[Storage]
    views: list[View]
    saves: list[Save]
    error: str
    """What torch said instead of executing the line"""


def run(params: Params) -> Iterator[Memory]:
    with as_advice():
        yield from look_on(params.program)


def look_on(program: str) -> Iterator[Memory]:
    """Raises ``ProgramError`` for a program that is not taken."""
    tree = parse(program)
    from native.models.torch_programs.machine import Machine
    from native.pytorch.tensor_storage.memory import Watcher
    from native.pytorch.tensor_storage.tell import told

    machine, watcher = Machine(tree), Watcher()
    before = watcher.look({})
    try:
        for statement in machine.run():
            now = watcher.look(machine.names)
            if len(now.views) > MOST:
                raise refuse(
                    statement, f"at most {MOST} tensors are drawn; use fewer names, or del those not needed"
                )
            yield picture(now, statement.lineno, told(before, now))
            before = now
    except StoppedError as stopped:
        now = watcher.look(machine.names)
        said = Sentence.plain(first_sentence(stopped.message))
        yield picture(now, stopped.line, say("Torch says: {}", said), error=stopped.message)


def picture(look: Look, line: int, text: Sentence, error: str = "") -> Memory:
    return Memory(
        text=text,
        stage="stopped" if error else "running",
        line=line,
        bytes=sum(each.bytes for each in look.storages),
        storages=look.storages,
        views=look.views,
        saves=look.saves,
        error=error,
    )
