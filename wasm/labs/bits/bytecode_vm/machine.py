"""The machine: a loop that executes one instruction after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from labs.bits.bytecode_vm import compute, flow, variables
from labs.bits.bytecode_vm.accept import compile_python
from labs.bits.bytecode_vm.listing import VERSION, Instruction
from labs.bits.bytecode_vm.state import Frame, State
from labs.bits.bytecode_vm.trouble import RefusedError

EFFECTS = variables.EFFECTS | compute.EFFECTS | flow.EFFECTS


@dataclass
class Did:
    """One instruction, done: what it took off the stack of its frame, and how many values it put there."""

    frame: Frame
    depth: int
    instruction: Instruction
    popped: list[Any]
    pushed: int
    called: Frame | None
    raised: BaseException | None
    """The exception that began or went on here."""
    result: Any
    """What the frame gave back, if it ended."""

    @property
    def jumped(self) -> bool:
        return self.frame.next != self.frame.at + 1


class Machine(State):
    def __init__(self, source: str) -> None:
        super().__init__(source)
        if VERSION not in flow.LOOP_END:
            raise RefusedError(f"the instructions of Python 3.{VERSION} are not known here; use 3.11 to 3.14")
        self.failure: BaseException | None = None
        """What ended the program, if it did not end by itself."""
        self.frames.append(Frame(self.listing(compile_python(source)), program=self.globals))

    def run(self) -> Iterator[Did]:
        """Everything that happens, until the program ends or an exception leaves it."""
        while self.frames:
            frame = self.frames[-1]
            frame.at = frame.next
            frame.next += 1
            instruction = frame.listing.instructions[frame.at]
            before, depth = list(frame.stack), len(self.frames) - 1
            frame.stack.low = len(before)
            effect = EFFECTS.get(instruction.name)
            if effect is None:
                raise RefusedError(f"line {frame.line}: the instruction {instruction.name} is not taken here")
            raised = None
            try:
                effect(self, frame, instruction)
            except RefusedError as refused:
                raise RefusedError(f"line {frame.line}: {refused}") from None
            except Exception as problem:  # the program's own: it goes where the program catches it
                raised = problem
                self.unwind(problem)
            low = frame.stack.low
            called = self.frames[-1] if len(self.frames) > depth + 1 else None
            yield Did(frame, depth, instruction, before[low:], len(frame.stack) - low, called, raised, frame.result)

    def unwind(self, problem: BaseException) -> None:
        """Look for a handler, from the innermost frame outwards; a frame without one ends."""
        while self.frames:
            frame = self.frames[-1]
            offset = frame.listing.instructions[frame.at].offset
            if guard := frame.listing.guard(offset):
                frame.stack.cut(guard.depth)
                if guard.keeps_place:
                    frame.stack.append(offset)
                frame.stack.append(problem)
                frame.jump(guard.handler)
                return
            self.frames.pop()
        self.failure = problem
