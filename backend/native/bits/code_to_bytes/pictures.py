"""The pictures of the back half: LLVM's code after each pass, machine code, assembly, bytes, a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from labs.contract import Event, Uint8
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


def tell_written(code: list[Line], ir: list[Spot]) -> str:
    return (
        f"{count(len(code), 'line')} of three-address code become {count(len(ir), 'line')} for LLVM, in which "
        "every variable still has a place in memory."
    )


def tell_pass(each: dumps.Pass, number: int, passes: int) -> str:
    gone = sum(line.change == "gone" for line in each.lines)
    new = sum(line.change == "new" for line in each.lines)
    why = f": {KNOWN[each.name]}" if each.name in KNOWN else ""
    return f"Change {number} of {passes}, by {each.name}: {count(gone, 'line')} out, {new} in{why}."


def tell_stage(stage: dumps.MachineStage) -> str:
    lines = sum(not line.text.endswith(":") for line in stage.lines)
    return f"{count(lines, 'machine instruction')}: {STAGES[stage.name]}."


def tell_assembly(rows: list[Row], target: str, level: str) -> str:
    lines = sum(not row.text.endswith(":") for row in rows)
    if target == "PTX":
        return (
            f"{count(lines, 'line')} of PTX at {level}: text is all there is, and the driver of the graphics card "
            "makes machine code of it when the program is loaded."
        )
    return f"The assembly for {target} at {level} has {count(lines, 'instruction')}."


def tell_bytes(rows: list[Row], data: bytes, target: str, level: str, early: bool) -> str:
    sizes = [row.size for row in rows if row.size and not row.text.endswith((" local", " locals"))]
    each = f"{min(sizes)} to {max(sizes)} bytes" if min(sizes) < max(sizes) else f"{min(sizes)} bytes"
    told = f"{count(len(sizes), 'instruction')} are {count(len(data), 'byte')}, {each} an instruction"
    if early:
        return f"{told}: this is what the optimiser was given, and nothing of what {level} made of it is in here."
    return f"{told}: all that is left of the program for {target}."


def tell_run(found: Answer, size: int) -> str:
    call = f"{found.called}({', '.join(found.arguments)})"
    if found.fault:
        return f"There is no answer to compare for {call}: {found.fault}."
    value = f" returns {found.value}" if found.value else " comes to its end"
    return f"The interpreter says that {call}{value}; a module of {size} bytes, run by your browser, has to agree."
