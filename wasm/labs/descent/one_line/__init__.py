"""One line, all the way down: a line of Python, followed from its source to the bits of one number of its result.

The line is the reader's, and so are the numbers. Nine levels are one picture: syntax tree and bytecode, the calls
that PyTorch's dispatcher sees, bytes in memory, the tape, fused loops, the steps of the kernel, machine code for
four processors, 32 bits, and the clock. Whatever stands there about the chosen element has that element's colours.

Reading order: `given` reads the numbers (`models.one_line` the line), and `scalar` follows one element back to
them. Then a part for each level: `python`, `memory`, `tape`, `compiled`, `kernel` and `nests`, `machine`, `bits`,
`clock`; `models.one_line.call` has the calls.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np

from labs.contract import Event, Interval, Label, Sentence, Text
from labs.descent.one_line import tell
from labs.descent.one_line.bits import Bits, bits
from labs.descent.one_line.clock import Clock, clock
from labs.descent.one_line.compiled import Fused, Row, Written, compiled
from labs.descent.one_line.given import Floats, given
from labs.descent.one_line.kernel import Lanes, Step, Touch, lanes, lines, steps, touches
from labs.descent.one_line.machine.all import MACHINES
from labs.descent.one_line.machine.code import CrowdedError
from labs.descent.one_line.memory import Stored, View, short, stored, views
from labs.descent.one_line.nests import Nest, nests
from labs.descent.one_line.python import Branch, Instruction, bytecode, listed, tree
from labs.descent.one_line.scalar import Value, evaluated, follow
from labs.descent.one_line.tape import Gradient, Tape, Taped, kept
from labs.models.one_line.call import Call, calls, table
from labs.models.one_line.line import EXAMPLES, SHAPES, TIMED, Line, Shape, read
from labs.models.programs.trouble import ProgramError, as_advice
from labs.models.tensor.tensor import tensor

SHOWS_PYTHON = True
ASKS = ("descent/line_clock", "line")  # where there is a server, it answers for two of the levels


@dataclass(frozen=True)
class Params:
    line: Annotated[
        str,
        Text(most=80, examples=EXAMPLES),
        Label("Line", help="One name, =, and +, -, *, @, relu(…), .T, brackets and numbers.", main=True),
    ] = TIMED
    element: Annotated[
        int,
        Interval(ge=0, le=11),
        Label(
            "Element of the result",
            help="Counted row by row; the last one if the result has fewer.",
            main=True,
        ),
    ] = 6
    x: Annotated[str, Text(most=80), Label("x", help="2 rows of 3 numbers", group="Numbers")] = (
        "1.5 -0.5 2; 0.1 3 -1"
    )
    w: Annotated[str, Text(most=120), Label("w", help="3 rows of 4 numbers", group="Numbers")] = (
        "0.5 1 -1 0.25; -2 0.3 0.7 1; 1 -0.5 0.2 2"
    )
    b: Annotated[str, Text(most=60), Label("b", help="4 numbers", group="Numbers")] = "0.1 -0.2 0.3 0"


@dataclass(frozen=True)
class Assembled:
    """One instruction of a processor."""

    text: str
    bytes: str
    """In hexadecimal, in the order of memory"""
    key: str
    """The input's number that it reads, such as x3; y where it writes the result; else empty"""


@dataclass(frozen=True)
class Machine:
    """The chosen element as a function of one processor."""

    name: str
    rows: list[Assembled]
    size: int
    """Bytes"""


@dataclass(frozen=True, kw_only=True)
class Cut(Event):
    """The whole way down, for one element."""

    kind: Literal["cut"] = "cut"
    line: str
    target: str
    """What the result is called"""
    index: list[int]
    """Of the chosen element"""
    place: int
    """Of the chosen element, counted row after row"""
    value: str
    """The chosen element, in the fewest digits that read back as its bits"""
    says: list[str]
    """[levels] a sentence for each"""
    python: str
    """Version of the Python whose tree and instructions these are"""
    torch: str
    """Version of the PyTorch that was asked for schemas and kernels"""
    tree: list[Branch]
    code: list[Instruction]
    listed: int
    """Instructions that ``dis`` lists, with those that keep a place, prepare the call, or return"""
    calls: list[Call]
    stored: list[Stored]
    """The inputs, and the result last"""
    views: list[View]
    tape: list[Taped]
    kept: int
    """Bytes that the tape keeps, each storage counted once"""
    gradients: list[Gradient]
    graph: list[Row]
    loops: list[Written]
    kernels: int
    saved: int
    """Bytes that fusion keeps out of memory: written and read again if each operation had its own kernel"""
    why_compiler: str
    """Why there are no loops; empty where there are"""
    nests: list[Nest]
    """The loops of a vector kernel, and where in them the chosen element is"""
    steps: list[Step]
    touches: list[Touch]
    lines: int
    """Cache lines that the element touches"""
    lanes: Lanes
    machines: list[Machine]
    why_machine: str
    """Why there is no machine code; empty where there is"""
    bits: Bits
    clock: Clock
    timed: bool
    """Whether the clock's line is this one"""


def run(params: Params) -> Iterator[Cut]:
    with as_advice():
        line = read(params.line)
    inputs = {name: given(name, getattr(params, name)) for name in ("x", "w", "b")}
    yield cut(line, inputs, params.element)


def cut(line: Line, inputs: dict[str, Floats], element: int) -> Cut:
    result = evaluated(line.root, inputs)
    place = min(element, result.size - 1)
    index = tuple(int(each) for each in np.unravel_index(place, result.shape))
    root = follow(line.root, index, inputs)
    touched = touches(root, place)
    fused, why_compiler = loops(line)
    machines, why_machine = machine_code(line, index)
    tape, gradients = Tape(line, inputs).back(index)
    picture = Cut(
        text=Sentence(""),
        line=line.source,
        target=line.target,
        index=list(index),
        place=place,
        value=short(root.number),
        says=[],
        python=platform.python_version(),
        torch=table()["torch"],
        tree=tree(line),
        code=bytecode(line),
        listed=listed(line),
        calls=calls(line),
        stored=[
            *(stored(name, tensor(each), path(touched, name)) for name, each in inputs.items()),
            stored(line.target, tensor(result), [place]),
        ],
        views=views(line, inputs),
        tape=tape,
        kept=kept(line),
        gradients=gradients,
        graph=fused.rows,
        loops=fused.loops,
        kernels=fused.kernels,
        saved=fused.saved,
        why_compiler=why_compiler,
        nests=nests(line, index),
        steps=steps(root),
        touches=touched,
        lines=lines(touched),
        lanes=lanes(result, index),
        machines=machines,
        why_machine=why_machine,
        bits=bits(root),
        clock=clock(),
        timed=line.source == TIMED,
    )
    return replace(picture, text=tell.whole(picture), says=tell.levels(picture))


def path(touched: list[Touch], name: str) -> list[int]:
    return sorted(each.place for each in touched if each.name == name)


def loops(line: Line) -> tuple[Fused, str]:
    try:
        return compiled(line), ""
    except ProgramError as wrong:
        return Fused([], [], 0, 0), f"The compiler does not take this line: {wrong}."


@lru_cache(maxsize=16)
def machine_code(line: Line, index: Shape) -> tuple[list[Machine], str]:
    """For every processor, or for none, and then why. Instructions hold addresses, not what is stored there."""
    place = int(np.ravel_multi_index(index, line.root.shape))
    root = follow(line.root, index, {name: np.ones(shape, np.float32) for name, shape in SHAPES.items()})
    try:
        return [machine(name, root, place) for name in MACHINES], ""
    except CrowdedError:
        return [], "More numbers wait here at the same time than the eight registers that are used."


def machine(name: str, root: Value, place: int) -> Machine:
    rows = [Assembled(each.text, each.data.hex(" "), each.key) for each in MACHINES[name](root, place)]
    return Machine(name, rows, sum(len(bytes.fromhex(each.bytes)) for each in rows))
