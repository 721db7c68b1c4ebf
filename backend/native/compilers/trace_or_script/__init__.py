"""Trace or script: a function on tensors is captured in four ways, and each is asked the same questions.

PyTorch can run a function without Python once it has written it down. Tracing runs it on an example and notes what
was done; scripting reads its source; exporting runs it on shapes without numbers; compiling watches Python's
bytecode, and notes under which conditions its notes hold. Whatever a note leaves out, it has fixed: on another
input it may answer wrongly, and say nothing.

Reading order: `functions` is what is written down, `ways` is how.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from labs.contract import Event, Interval, Label, LabError, Sentence, Text, say
from labs.models.decimals import minus

POSTER = 8  # the trace answers wrongly, and says nothing
SAYS = {
    "eager": "Python runs the function",
    "trace": "torch.jit.trace, run once on the example",
    "script": "torch.jit.script, read from the source",
    "export": "torch.export, run once on the example's shape",
    "compile": "torch.compile, from bytecode, with guards",
}


@dataclass(frozen=True)
class Params:
    program: Annotated[
        Literal["branch", "dimensions", "number", "halves", "rows", "counter"], Label("Function")
    ] = "branch"
    example: Annotated[
        int, Interval(ge=1, le=4), Label("Example", help="The input that the function is traced and exported with.")
    ] = 1
    own: Annotated[
        str,
        Text(120),
        Label("An input of yours", help="1 2 is a row, 1 2; 3 4 a matrix, 1 2 | 3 4 a stack of matrices."),
    ] = ""


@dataclass(frozen=True, kw_only=True)
class Answers(Event):
    """A function was written down, or asked once more."""

    kind: Literal["answers"] = "answers"
    stage: str
    """The way that is shown."""
    asked: int
    """The input that was asked just now; -1 before the first."""
    source: str
    """The function."""
    hangs: str
    """What its result depends on besides the numbers."""
    ways: list[str]
    says: list[str]
    """[ways] how each writes down"""
    inputs: list[str]
    example: int
    """Which of the inputs it is written down with, from 0."""
    answers: list[list[str]]
    """[ways][inputs] what came out, or why nothing did; empty as long as it was not asked"""
    verdicts: list[list[str]]
    """[ways][inputs] right, wrong, refused, or empty"""
    ran: list[list[int]]
    """[inputs][lines of the function] how often Python comes to each line; empty as long as it was not asked"""
    fixed: bool
    """Whether this way wrote down one walk through the function, that of the example."""
    code: list[str]
    """[ways] what is written down by now, or why nothing is"""
    notes: list[list[str]]
    """[ways] what PyTorch said meanwhile, and what happened"""


def run(params: Params) -> Iterator[Answers]:
    from native.compilers.trace_or_script.functions import PROGRAMS, read

    program = PROGRAMS[params.program]
    inputs = list(program.inputs)
    if own := params.own.strip():
        try:
            if read(own).numel() > 64:
                raise LabError("An input of yours: at most 64 numbers, please.")
        except ValueError as wrong:
            raise LabError(f"An input of yours: {wrong}.") from None
        inputs.append(own)
    yield from Board(params, inputs).fill()


class Board:
    def __init__(self, params: Params, inputs: list[str]) -> None:
        from native.compilers.trace_or_script import functions, ways

        self.functions, self.ways = functions, ways
        self.program, self.inputs, self.example = functions.PROGRAMS[params.program], inputs, params.example - 1
        self.answers = [["" for _ in inputs] for _ in SAYS]
        self.verdicts = [["" for _ in inputs] for _ in SAYS]
        self.code = ["" for _ in SAYS]
        self.notes: list[list[str]] = [[] for _ in SAYS]
        self.ran: list[list[int]] = [[] for _ in inputs]
        self.right: list[Any] = []
        """What Python says; None where it refuses."""

    def fill(self) -> Iterator[Answers]:
        for row, way in enumerate(SAYS):
            yield from self.ask(row, way)

    def ask(self, row: int, way: str) -> Iterator[Answers]:
        self.functions.CALLS.clear()
        try:
            with self.ways.quiet():
                captured = self.ways.WAYS[way](self.program, self.inputs[self.example])
        except Exception as refused:  # PyTorch's own, of many classes: its first line is the answer
            self.code[row] = self.ways.reason(refused)
            self.verdicts[row] = ["refused" for _ in self.inputs]
            yield self.picture(way, -1, say("{} refuses this function: {}.", way, self.code[row]))
            return
        self.code[row], self.notes[row] = captured.code(), captured.notes()
        yield self.picture(way, -1, say("{}: {}.", way, SAYS[way]))
        anew: list[str] = []
        for column, text in enumerate(self.inputs):
            before = captured.code()
            self.answer(row, column, captured.call)
            self.code[row] = captured.code()
            if before and self.code[row] != before:
                anew.append(f"Captured again for {text}")
            self.notes[row] = [*captured.notes(), *anew]
            yield self.picture(way, column, self.sentence(way, row, column))

    def answer(self, row: int, column: int, call: Callable[[Any], Any]) -> None:
        try:
            tensor = self.functions.read(self.inputs[column])
            with self.ways.quiet():
                if row == 0:
                    with self.functions.watched(self.program) as self.ran[column]:
                        found = call(tensor)
                else:
                    found = call(tensor)
        except Exception as refused:
            self.answers[row][column], self.verdicts[row][column] = self.ways.reason(refused), "refused"
            found = None
        if row == 0:
            self.right.append(found)
        if found is None:
            return
        right = self.right[column]
        same = right is not None and found.shape == right.shape and bool(found.isclose(right, equal_nan=True).all())
        self.answers[row][column], self.verdicts[row][column] = (
            self.functions.write(found),
            "right" if same else "wrong",
        )

    def sentence(self, way: str, row: int, column: int) -> Sentence:
        answer, text = self.answers[row][column], minus(self.inputs[column])
        match self.verdicts[row][column]:
            case "refused":
                return say("{} of ({}) is refused: {}.", way, text, answer)
            case "wrong":
                return say(
                    "{} of ({}) is ({}), but Python says ({}): wrong.",
                    way,
                    text,
                    minus(answer),
                    minus(self.answers[0][column]),
                )
        return say("{} of ({}) is ({}){}.", way, text, minus(answer), "" if row == 0 else ", as in Python")

    def picture(self, way: str, asked: int, text: Sentence) -> Answers:
        return Answers(
            text=text,
            stage=way,
            asked=asked,
            source=self.functions.source(self.program),
            hangs=self.program.hangs,
            ways=list(SAYS),
            says=list(SAYS.values()),
            inputs=list(self.inputs),
            example=self.example,
            answers=[list(each) for each in self.answers],
            verdicts=[list(each) for each in self.verdicts],
            ran=[list(each) for each in self.ran],
            fixed=way in ("trace", "export"),
            code=list(self.code),
            notes=[list(each) for each in self.notes],
        )
