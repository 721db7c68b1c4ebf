"""Watches a program run and draws a picture after each of its lines, and at each step of a walk back."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import NDArray

from labs.contract import Sentence
from labs.models.programs.trouble import ProgramError
from labs.models.tensor.products import Matmul
from labs.models.tensor.reductions import Reduction
from labs.models.tensor.tape import Leaf, Operation, Step
from labs.models.tensor.tensor import Tensor
from labs.models.tensor.views import View
from labs.tensors.autograd_tape import memory, tell
from labs.tensors.autograd_tape.machine import Machine
from labs.tensors.autograd_tape.portrait import Grid, Named, Painter, Record, grid, total
from labs.tensors.autograd_tape.walks import Observer, Waiting

RECORDS = 60  # on the tape at once
NAMES = 16
PICTURES = 200


class EnoughError(Exception):
    """As many pictures as are drawn."""


@dataclass(frozen=True)
class Work:
    """What was computed."""

    operations: int = 0
    arithmetic: int = 0
    """Additions, multiplications and the like, one for each number that they make."""


@dataclass(frozen=True)
class Portrait:
    """One moment of a run."""

    text: Sentence
    stage: Literal["forward", "backward"]
    line: int
    records: list[Record]
    tensors: list[Named]
    hidden: int
    """Names that are too many to be drawn."""
    now: int
    """The operation of this step, by its number; 0 in a line."""
    memory: memory.Memory
    peak: int
    most_saved: int
    forward: Work
    backward: Work
    output: str


class Tracer(Observer):
    def __init__(self, tree: ast.Module) -> None:
        self.machine = Machine(tree, self)
        self.painter = Painter()
        self.portraits: list[Portrait] = []
        self.leaves: list[Tensor] = []
        self.work: dict[str, Work] = {"forward": Work(), "backward": Work()}
        self.stage: Literal["forward", "backward"] = "forward"
        self.peak = self.most_saved = 0
        self.passed: set[Operation] = set()
        self.root: Operation | None = None
        self.waiting: Waiting = {}
        self.totals: dict[Operation, NDArray[Any]] = {}
        """Of what is on its way to each operation, before its hooks see it."""
        self._printed = 0
        self.adds = True
        self.grads: dict[Operation, str] = {}

    # -- what is seen ---------------------------------------------------------------------------------------

    def count(self, operation: Operation, inputs: Sequence[Tensor], result: Tensor) -> None:
        done = result.layout.size
        if isinstance(operation, View):
            done = 0
        elif isinstance(operation, Matmul):
            done *= 2 * inputs[0].shape[-1]
        elif isinstance(operation, Reduction):
            done = inputs[0].layout.size
        way: Literal["forward", "backward"] = "backward" if self.machine.walking else "forward"
        before = self.work[way]
        self.work[way] = Work(before.operations + 1, before.arithmetic + done)
        self.painter.lines[operation] = self.machine.line
        self.painter.shapes[operation] = result.shape

    def leaf(self, made: Tensor) -> None:
        if all(made is not each for each in self.leaves):
            self.leaves.append(made)

    def after(self, statement: ast.stmt) -> None:
        if self.machine.depth:
            return
        shown = self.stage == "backward" and isinstance(statement, ast.Expr)
        self.stage = "forward"
        self.root, self.waiting, self.passed = None, {}, set()
        if shown and len(self.machine.output) == self._printed:  # step by step
            return
        printed, self._printed = self.machine.output[self._printed :], len(self.machine.output)
        records, named, kept = self.draw(None)
        text = tell.line(statement, records, named, kept.saved, printed)
        self.keep(text, records, named, kept, statement.lineno, 0)

    def begin(self, result: Tensor, grad: Tensor, waiting: Waiting, adds: bool) -> None:
        if self.machine.depth:
            return
        self.stage = "backward"
        self.root, self.waiting, self.passed = result.origin, waiting, set()
        self.totals = {each: total(shares) for each, shares in waiting.items()}
        self.grads, self.adds = held_before(result.origin), adds
        records, named, kept = self.draw(None)
        root = self.painter.numbers[next(iter(waiting))]
        name = next(each.name for each in records if each.number == root)
        self.keep(tell.begins(root, name), records, named, kept, self.machine.line, root)

    def step(self, step: Step, waiting: Waiting) -> None:
        if self.machine.depth:
            return
        self.waiting = waiting
        records, named, kept = self.draw(step)
        given = grid(self.totals.get(step.operation, step.grad.array))
        hooked = "" if given == grid(step.grad.array) else tell.words(given)
        now = self.painter.numbers[step.operation]
        by_number = {each.number: each for each in records}
        text = tell.step(by_number[now], by_number, self.grads.get(step.operation, ""), hooked, self.adds)
        self.totals = {each: total(shares) for each, shares in waiting.items()}
        self.passed.add(step.operation)
        self.keep(text, records, named, kept, self.machine.line, now)

    # -- pictures -------------------------------------------------------------------------------------------

    def draw(self, step: Step | None) -> tuple[list[Record], list[Named], memory.Memory]:
        names: dict[str, Any] = self.machine.names.names
        tensors = [each for value in names.values() for each in memory.tensors_of(value)]
        grads = [each.grad for each in tensors if each.grad is not None]
        tape = memory.reached([*(each.origin for each in [*tensors, *grads]), self.root])
        if len(tape) > RECORDS:
            raise ProgramError(
                f"line {self.machine.line}: the tape holds {len(tape)} operations here, and {RECORDS} are drawn; "
                "make a loop shorter"
            )
        new = set(self.painter.seen(tape, self.machine.line))
        named = {name: each for name, each in names.items() if isinstance(each, Tensor)}
        kept = memory.measure(tensors, tape, self.waiting.values())
        self.peak, self.most_saved = max(self.peak, kept.total), max(self.most_saved, kept.saved)
        leaves = [each.tensor for each in tape if isinstance(each, Leaf)]
        holders = [*tensors, *leaves, *(each.grad for each in [*tensors, *leaves] if each.grad is not None)]
        owned = {id(each.storage) for each in holders}
        records = [self.record(each, step, each in new, named, owned) for each in tape]
        return records, self.painter.named(named), kept

    def record(
        self, each: Operation, step: Step | None, new: bool, names: dict[str, Tensor], owned: set[int]
    ) -> Record:
        state: Literal["", "new", "waiting", "now", "passed"] = "new" if new else ""
        gradient: Grid | None = None
        shares: list[Grid | None] = []
        if step and each is step.operation:
            state, gradient = "now", grid(step.grad.array)
            shares = [None if share is None else grid(share.array) for share in step.shares]
        elif each in self.waiting:
            state, gradient = "waiting", grid(total(self.waiting[each]))
        elif each in self.passed:
            state = "passed"
        return self.painter.record(each, names, owned, state, gradient, shares)

    def keep(
        self, text: Sentence, records: list[Record], named: list[Named], kept: memory.Memory, line: int, now: int
    ) -> None:
        self.portraits.append(
            Portrait(
                text=text,
                stage=self.stage,
                line=line,
                records=records,
                tensors=named[-NAMES:],
                hidden=max(0, len(named) - NAMES),
                now=now,
                memory=kept,
                peak=self.peak,
                most_saved=self.most_saved,
                forward=self.work["forward"],
                backward=self.work["backward"],
                output=self.machine.output,
            )
        )
        if len(self.portraits) >= PICTURES:
            raise EnoughError


def held_before(root: Operation | None) -> dict[Operation, str]:
    """What .grad of each leaf holds, in words."""
    leaves = [each for each in memory.reached([root]) if isinstance(each, Leaf) and each.tensor.grad is not None]
    return {each: tell.words(grid(each.tensor.grad.array)) for each in leaves if each.tensor.grad is not None}


def longest(portraits: Iterable[Portrait]) -> tuple[int, int]:
    """Rows that the fullest picture needs for records, and for names."""
    found = [(len(each.records), len(each.tensors)) for each in portraits]
    return max(records for records, _ in found), max(names for _, names in found)
