"""From instructions to Python functions, once for each function of a program, so that running them is fast.

A temporary that is used once, with nothing between that could change what it sees, is computed where it is used:
``sum += a[i] * 3`` becomes one function that calls others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from labs.models.c import access, calculate
from labs.models.c.access import Get
from labs.models.c.code import Address, Constant, Instruction, Operand, Routine, Temporary
from labs.models.c.hosted import call_library
from labs.models.c.memory import Fault, Pointer
from labs.models.c.types import Pointer as PointerType

if TYPE_CHECKING:
    from labs.models.c.machine import Frame, Machine

Step = Callable[["Frame"], object]
EFFECTS = {"store", "copy", "call", "return", "jump", "branch", "label", "live", "dead", "constant", "statement"}


class Decoder:
    def __init__(self, machine: Machine, routine: Routine) -> None:
        self.machine, self.routine = machine, routine
        self.uses = Counter(
            each.number for it in routine.body for each in it.operands if isinstance(each, Temporary)
        )
        self.pending: dict[int, Get] = {}
        """Temporaries that are computed where they are used."""
        self.labels: dict[int, int] = {}

    def steps(self) -> list[Step | Instruction]:
        """What to do one after the other; statements stand as they are, for callers that stop there."""
        made: list[Step | Instruction] = []
        for n, it in enumerate(self.routine.body):
            if it.op == "label":
                self.labels[it.label] = len(made)
            elif it.op == "statement":
                made.append(it)
            elif it.op in EFFECTS:
                made.append(self.effect(it))
            else:
                assert it.result
                number, get = it.result.number, self.compute(it)
                if self.uses[number] == 1 and self.used_in_time(n, number):
                    self.pending[number] = get
                else:
                    made.append(kept(number, get))
        return made

    def used_in_time(self, at: int, number: int) -> bool:
        """Whether nothing that has an effect comes between a temporary and its one use."""
        for it in self.routine.body[at + 1 :]:
            if any(isinstance(each, Temporary) and each.number == number for each in it.operands):
                return True
            if it.op in EFFECTS:
                return False
        return False

    def get(self, operand: Operand) -> Get:
        match operand:
            case Temporary(number=number):
                return self.pending.pop(number, None) or (lambda frame: frame.temporaries[number])
            case Address(of=of, local=True):
                return access.address(of)
            case Address(of=of) if of not in self.machine.globals:
                function = Pointer(self.machine.lows[of], None)
                return lambda frame: function
            case Address(of=of):
                block = self.machine.globals[of]
                pointer = Pointer(block.start, block)
                return lambda frame: pointer
            case Constant(value=value, type=kind):
                constant = Pointer(int(value), None) if isinstance(kind, PointerType) else value
                return lambda frame: constant
        raise AssertionError(operand)

    def compute(self, it: Instruction) -> Get:
        if it.op == "load":
            where = it.operands[0]
            if isinstance(where, Address) and where.local:
                slot = self.machine.slots[self.routine.name][where.of]
                return access.load_variable(self.machine.memory, it.place, it.type, slot)
            return access.load(self.machine.memory, it.place, it.type, self.get(where))
        gets = [self.get(each) for each in it.operands]
        if it.op == "offset":
            checked = it.length and self.machine.memory.checked
            return access.within(gets[0], gets[1], it) if checked else access.offset(gets[0], gets[1], it.size)
        if it.op == "distance":
            return access.distance(self.machine.memory, it.place, gets[0], gets[1], it.size)
        return calculate.operation(it, gets)

    def effect(self, it: Instruction) -> Step:
        machine = self.machine
        match it.op:
            case "jump":
                return self.jump(it.label)
            case "branch":
                return self.branch(self.get(it.operands[0]), it.label, it.other)
            case "store":
                return access.store(machine.memory, it.place, it.type, *map(self.get, it.operands))
            case "copy":
                to, source = map(self.get, it.operands)
                return placed(it, lambda frame: machine.memory.copy(to(frame), source(frame), it.size))
            case "return":
                value = self.get(it.operands[0]) if it.operands else lambda frame: None
                return lambda frame: machine.leave(value(frame), it)
            case "live":
                slot = machine.slots[self.routine.name][it.name]
                return placed(it, lambda frame: machine.begin(frame, slot))
            case "dead":
                return lambda frame: machine.memory.release(frame.blocks[it.name], "ended", it.place)
            case "constant":
                return lambda frame: setattr(frame.blocks[it.name], "constant", True)
        return self.call(it)

    def jump(self, label: int) -> Step:
        labels = self.labels

        def jump(frame: Frame) -> None:
            frame.at = labels[label]

        return jump

    def branch(self, condition: Get, yes: int, no: int) -> Step:
        labels = self.labels

        def branch(frame: Frame) -> None:
            frame.at = labels[yes if condition(frame) else no]

        return branch

    def call(self, it: Instruction) -> Step:
        machine, gets = self.machine, [self.get(each) for each in it.operands]
        if not it.name:
            pointer, *rest = gets
            expected = it.operands[0].type.to  # type: ignore[union-attr]

            def follow(frame: Frame) -> None:
                to = machine.pointed(pointer(frame), expected)  # type: ignore[arg-type]
                machine.enter(to, [get(frame) for get in rest], it.result, it)

            return placed(it, follow)
        routine, kinds = machine.unit.routines.get(it.name), [each.type for each in it.operands]

        def enter(frame: Frame) -> None:
            assert routine
            machine.enter(routine, [get(frame) for get in gets], it.result, it)

        def call(frame: Frame) -> None:
            found = call_library(machine, it, [get(frame) for get in gets], kinds)
            if it.result and machine.exit is None:
                frame.temporaries[it.result.number] = found

        return placed(it, enter if routine else call)


def kept(number: int, get: Get) -> Step:
    def keep(frame: Frame) -> None:
        frame.temporaries[number] = get(frame)

    return keep


def placed(it: Instruction, step: Step) -> Step:
    """With the place of the instruction in what it raises, unless a part of it has said so."""

    def run(frame: Frame) -> Any:
        try:
            return step(frame)
        except Fault as fault:
            fault.place = fault.place or it.place
            raise

    return run
