"""From code to bytes: a C program all the way to machine code, through the compiler LLVM.

The first stages are our own: tokens, tree, three-address code, static single assignment. Then LLVM takes over.
Every pass that changes the code is a picture, with what went and what came; after them the stages of the code
generator, the assembly, and the bytes. Whatever a stage shows knows where it comes from, down to the characters of
the source. In the end the last function is linked into a WebAssembly module, for the reader's browser to run beside
the answer of an interpreter.

Reading order: `text` writes LLVM IR from three-address code, with `operators`, `names` and `data`; `worker` runs
LLVM in a process of its own, `dumps` reads what it prints on the way, `known` says what its passes do, `pictures`
shows it all, beside the interpreter's `answer`. The IR that reaches LLVM is always our own front end's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from labs.contract import Interval, Label, LabError, Text
from labs.models.c import listing
from labs.models.c.code import Unit
from labs.models.c.functions import EXAMPLES
from labs.models.c.listing import Line
from labs.models.c.stages import Code, Tokens, Tree, Values, front, refusal
from labs.models.c.trouble import CError

from native.bits.code_to_bytes import answer, dumps, pictures
from native.bits.code_to_bytes.pictures import Assembly, Bytes, MachineCode, Pass, Row, Run, Spot
from native.bits.code_to_bytes.text import module
from native.bits.code_to_bytes.worker import Made, Order, Worker
from native.models.llvm import assembly
from native.models.llvm.targets import TARGETS, Name
from native.models.llvm.wasm import link

FRONT = "bits/code_front"  # computes the first pictures in the browser, while the server is on its way
POSTER = 25
MOST = 1500  # instructions of three-address code


@dataclass(frozen=True)
class Params:
    source: Annotated[str, Text(most=4000, language="c", examples=EXAMPLES, listed=True), Label("Program")] = (
        EXAMPLES["sum"]
    )
    target: Annotated[Name, Label("Machine", help="The instruction set that the code is compiled to.")] = "x86-64"
    level: Annotated[
        Literal["O0", "O1", "O2", "O3"], Label("Level", help="How hard the optimiser tries; at O0, not at all.")
    ] = "O2"
    a: Annotated[int, Interval(ge=-1000, le=1000), Label("First argument", group="Run the last function on")] = 12
    b: Annotated[int, Interval(ge=-1000, le=1000), Label("Second argument", group="Run the last function on")] = 8
    early: Annotated[
        bool,
        Label(
            "Bytes from before the passes",
            help="The machine code is made from what the optimiser was given, not from what it made of it.",
            group="Mistakes",
        ),
    ] = False


def run(params: Params) -> Iterator[Tokens | Tree | Code | Values | Pass | MachineCode | Assembly | Bytes | Run]:
    unit = yield from front(params.source)
    code = listing.lines(unit)
    if len(code) > MOST:
        raise LabError(
            f"This program has {len(code):,} instructions, and {MOST:,} may go to LLVM: take a part of it."
        )
    native = start(unit, params, params.target)
    browser = native if params.target == "WebAssembly" else start(unit, params, "WebAssembly", quiet=True)
    made = native.made
    yield from passes(unit, code, made)
    yield from machine(unit, code, made, browser, params)


def start(unit: Unit, params: Params, target: Name, quiet: bool = False) -> Worker:
    """LLVM at work for a machine."""
    level = int(params.level[1:])
    try:
        text = module(unit, frames=level == 0 or params.early, narrow=TARGETS[target].narrow)
    except CError as error:
        raise refusal(error) from None
    return Worker(Order(text, TARGETS[target], level, params.early, quiet))


def passes(unit: Unit, code: list[Line], made: Made) -> Iterator[Pass]:
    """The code as it was written, and after each pass that changed it."""
    found = list(dumps.passes(made.before, made.passes))
    ir = [Spot(line.text, line.place, "same") for _, line in dumps.code_of(made.before)]
    here: dict[str, Any] = {"source": unit.source, "code": code, "passes": len(found)}
    yield Pass(text=pictures.tell_written(code, ir), ir=ir, name="", of="", number=0, **here)
    for number, each in enumerate(found, 1):
        ir = [Spot(line.text, line.place, line.change) for line in each.lines]
        told = pictures.tell_pass(each, number, len(found))
        yield Pass(text=told, ir=ir, name=each.name, of=each.of, number=number, **here)


def machine(
    unit: Unit, code: list[Line], made: Made, browser: Worker, params: Params
) -> Iterator[MachineCode | Assembly | Bytes | Run]:
    """From the last of LLVM's code to a module that runs."""
    target, level = params.target, params.level
    listed = dumps.code_of(made.after)
    index = {number: n for n, (number, _) in enumerate(listed)}
    ir = [Spot(line.text, line.place, "same") for _, line in listed]
    here: dict[str, Any] = {"source": unit.source, "code": code, "ir": ir}
    for stage in dumps.machine_stages(made.machine):
        rows = [Row(line.text, index.get(line.place, -1)) for line in stage.lines]
        told = pictures.tell_stage(stage)
        yield MachineCode(text=told, stage=stage.name, by=stage.passes, rows=rows, **here)
    found = assembly.read(made.assembly, TARGETS[target])
    rows = [Row(row.text, index.get(row.place, -1)) for _, row in found]
    yield Assembly(text=pictures.tell_assembly(rows, target, level), rows=rows, **here)
    data = b""
    if made.object:
        placed = assembly.place_bytes(found, made.assembly, TARGETS[target], made.object)
        data = placed.data
        rows = [Row(row.text, index.get(row.place, -1), row.address, row.size) for row in placed.rows]
        told = pictures.tell_bytes(rows, data, target, level, params.early)
        yield Bytes(text=told, rows=rows, data=np.frombuffer(data, np.uint8), **here)
    answered = answer.ask(unit, (params.a, params.b))
    routine = answer.called(unit)
    linked = link(browser.made.object, routine.name) if not answer.cannot(routine, 2) else b""
    yield Run(
        text=pictures.tell_run(answered, len(linked)),
        rows=rows,
        data=np.frombuffer(data, np.uint8),
        module=np.frombuffer(linked, np.uint8),
        function=routine.name,
        arguments=answered.arguments,
        parameters=[str(kind) for kind in routine.type.parameters],
        returns=str(routine.type.returns),
        answer=answered.value,
        fault=answered.fault,
        **here,
    )
