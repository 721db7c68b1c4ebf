"""The pictures of the back half: LLVM's code after each pass, machine code, assembly, bytes, a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from labs.contract import Event, Sentence, Uint8, say
from labs.models.c.listing import Line
from labs.models.c.stages import count

from native.bits.code_to_bytes import dumps
from native.bits.code_to_bytes.answer import Answer
from native.bits.code_to_bytes.known import KNOWN, STAGES


@dataclass(frozen=True)
class Spot:
    """A line of LLVM's code."""

    text: str
    code: int
    """The line of three-address code that it comes from; -1 for none."""
    change: Literal["same", "new", "gone"]


@dataclass(frozen=True)
class Row:
    """A line of machine code."""

    text: str
    ir: int
    """The line of LLVM's code that it comes from; -1 for none."""
    address: int = -1
    """Of its first byte, from the start of the code; -1 for none."""
    size: int = 0


@dataclass(frozen=True, kw_only=True)
class Back(Event):
    source: str
    code: list[Line]
    ir: list[Spot]


@dataclass(frozen=True, kw_only=True)
class Pass(Back):
    """LLVM's code after a pass that changed it. The first is what our front end has written."""

    kind: Literal["pass"] = "pass"
    name: str
    of: str
    """What the pass worked on."""
    number: int
    """0 for the code as it was written."""
    passes: int
    """How many change the code in this run."""


@dataclass(frozen=True, kw_only=True)
class MachineCode(Back):
    """The code at the end of a stage of the code generator."""

    kind: Literal["machine"] = "machine"
    stage: dumps.Stage
    by: list[str]
    """The passes that end the stage."""
    rows: list[Row]


@dataclass(frozen=True, kw_only=True)
class Assembly(Back):
    """The text of the machine code."""

    kind: Literal["assembly"] = "assembly"
    rows: list[Row]


@dataclass(frozen=True, kw_only=True)
class Bytes(Back):
    """The machine code itself."""

    kind: Literal["bytes"] = "bytes"
    rows: list[Row]
    data: Uint8
    """[bytes] the code of all functions"""


@dataclass(frozen=True, kw_only=True)
class Run(Back):
    """A module for the reader's browser, and what the interpreter says that it returns."""

    kind: Literal["run"] = "run"
    rows: list[Row]
    data: Uint8
    """[bytes] the code of all functions"""
    module: Uint8
    """[bytes] a WebAssembly module that exports the function; empty if there is no call to make"""
    function: str
    arguments: list[str]
    parameters: list[str]
    """The types of the arguments."""
    returns: str
    answer: str
    """Of the interpreter, as C prints it."""
    fault: str
    """Why there is no answer."""


def tell_written(code: list[Line], ir: list[Spot]) -> Sentence:
    return say(
        "{} of three-address code become {} for LLVM, in which every variable still has a place in memory.",
        count(len(code), "line"),
        count(len(ir), "line"),
    )


def tell_pass(each: dumps.Pass, number: int, passes: int) -> Sentence:
    gone = sum(line.change == "gone" for line in each.lines)
    new = sum(line.change == "new" for line in each.lines)
    why = say(": {}", KNOWN[each.name]) if each.name in KNOWN else ""
    return say(
        "Change {} of {}, by {}: {} removed, {} added{}.", number, passes, each.name, count(gone, "line"), new, why
    )


def tell_stage(stage: dumps.MachineStage) -> Sentence:
    lines = sum(not line.text.endswith(":") for line in stage.lines)
    return say("{}: {}.", count(lines, "machine instruction"), STAGES[stage.name])


def tell_assembly(rows: list[Row], target: str, level: str) -> Sentence:
    lines = sum(not row.text.endswith(":") for row in rows)
    if target == "PTX":
        return say(
            "{} of PTX at {}: the driver of the graphics card turns this text into machine code "
            "when the program is loaded.",
            count(lines, "line"),
            level,
        )
    return say("The assembly for {} at {} has {}.", target, level, count(lines, "instruction"))


def tell_bytes(rows: list[Row], data: bytes, target: str, level: str, early: bool) -> Sentence:
    sizes = [row.size for row in rows if row.size and not row.text.endswith((" local", " locals"))]
    each = say("{} to {} bytes", min(sizes), max(sizes)) if min(sizes) < max(sizes) else say("{} bytes", min(sizes))
    told = say("{} are {}, {} each", count(len(sizes), "instruction"), count(len(data), "byte"), each)
    if early:
        return say("{}: made from what the optimiser was given, so nothing that {} did is in here.", told, level)
    return say("{}: all that is left of the program for {}.", told, target)


def tell_run(found: Answer, size: int) -> Sentence:
    call = say("{}({})", found.called, ", ".join(found.arguments))
    if found.fault:
        return say("There is no answer to compare for {}: {}.", call, found.fault)
    value = say(" returns {}", found.value) if found.value else " ends"
    return say(
        "The interpreter says that {}{}; a module of {} bytes, run by your browser, has to agree.",
        call,
        value,
        size,
    )
