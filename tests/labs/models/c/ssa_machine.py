"""Runs programs in SSA form: the machine of the three-address code, with values in the place of variables."""

from __future__ import annotations

from labs.models.c import ssa
from labs.models.c.access import Get
from labs.models.c.arithmetic import Value
from labs.models.c.code import Instruction, Operand, Routine, Temporary, Unit
from labs.models.c.decode import Decoder, Step
from labs.models.c.machine import Frame, Machine
from labs.models.c.memory import Fault


class PlainDecoder(Decoder):
    """Every instruction stays a step of its own."""

    def used_in_time(self, at: int, number: int) -> bool:
        return False


class PlainMachine(Machine):
    decoder = PlainDecoder


class SsaDecoder(PlainDecoder):
    def __init__(self, machine: SsaMachine, routine: Routine) -> None:
        super().__init__(machine, routine)
        self.ssa = machine
        machine.decoders[routine.name] = self

    def jump(self, label: int) -> Step:
        return lambda frame: self.ssa.go(frame, 0)

    def branch(self, condition: Get, yes: int, no: int) -> Step:
        return lambda frame: self.ssa.go(frame, 0 if condition(frame) else -1)

    def get(self, operand: Operand) -> Get:
        return undefined if isinstance(operand, ssa.Undefined) else super().get(operand)


def undefined(frame: Frame) -> Value:
    raise Fault("uninitialised", "read before anything was written")


class SsaMachine(Machine):
    decoder = SsaDecoder  # type: ignore[assignment]

    def __init__(self, unit: Unit) -> None:
        self.forms = {name: ssa.convert(routine) for name, routine in unit.routines.items()}
        self.bodies = {name: flat(form) for name, form in self.forms.items()}
        kept = Unit(unit.source, unit.globals)
        for name, (body, _) in self.bodies.items():
            old = unit.routines[name]
            kept.routines[name] = Routine(old.name, old.type, old.place, old.span, old.slots, body)
        self.decoders: dict[str, SsaDecoder] = {}
        self.came: dict[int, int] = {}  # number of the frame -> of the block it is in
        super().__init__(kept)

    def enter(
        self, routine: Routine, arguments: list[Value], into: Temporary | None, call: Instruction | None
    ) -> None:
        super().enter(routine, arguments, into, call)
        frame, form = self.frames[-1], self.forms[routine.name]
        self.came[frame.number] = 0
        for slot, value in zip(routine.parameters, arguments, strict=True):
            if slot.key in form.arguments:
                frame.temporaries[form.arguments[slot.key].number] = value
        promoted = {slot.key for slot in form.promoted}
        for slot in routine.slots:  # the marks of where a variable lives are gone: it lives as long as the call
            if slot.key not in promoted and not slot.parameter:
                self.begin(frame, slot)

    def go(self, frame: Frame, way_out: int) -> None:
        """Leave the block that the call is in for one of those that follow."""
        name = frame.routine.name
        form, starts = self.forms[name], self.bodies[name][1]
        block = form.blocks[self.came[frame.number]]
        way = block.successors[way_out].number
        phis = form.phis[way]
        values = [self.peek(frame, phi.sources[block.number]) for phi in phis]  # all at once
        for phi, value in zip(phis, values, strict=True):
            if value is None:
                frame.temporaries.pop(phi.result.number, None)
            else:
                frame.temporaries[phi.result.number] = value
        self.came[frame.number], frame.at = way, starts[way]

    def peek(self, frame: Frame, operand: ssa.Value) -> Value | None:
        if isinstance(operand, ssa.Undefined):
            return None
        if isinstance(operand, Temporary):
            return frame.temporaries.get(operand.number)
        return self.decoders[frame.routine.name].get(operand)(frame)


def flat(form: ssa.Form) -> tuple[list[Instruction], list[int]]:
    body: list[Instruction] = []
    starts = []
    for each in form.bodies:
        starts.append(len(body))
        body += [instruction for _, instruction in each]
    return body, starts
