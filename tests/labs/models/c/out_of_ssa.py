"""Programs in SSA form back in three-address code, so that the machine of the one runs the other.

A phi becomes a variable that each block before stores into, and that the block of the phi loads from.
"""

from __future__ import annotations

from dataclasses import replace

from labs.models.c import ssa
from labs.models.c.code import Address, Instruction, Operand, Routine, Slot, Temporary, Unit
from labs.models.c.types import Pointer


def program(unit: Unit) -> Unit:
    made = Unit(unit.source, unit.globals)
    for name, routine in unit.routines.items():
        made.routines[name] = back(ssa.convert(routine))
    return made


def back(form: ssa.Form) -> Routine:
    old = form.routine
    promoted = {slot.key for slot in form.promoted}
    slots = [slot for slot in old.slots if slot.parameter or slot.key not in promoted]
    joins = {phi.result.number: Slot(f"phi.{phi.result.number}", "", phi.result.type, old.place)
             for phis in form.phis for phi in phis}  # fmt: skip
    made = Routine(old.name, old.type, old.place, old.span, [*slots, *joins.values()])
    put = made.body.append
    some = Instruction("statement", old.place, old.span, old.type)
    for slot in made.slots:
        if not slot.parameter:
            put(replace(some, op="live", name=slot.key))
    for key, value in form.arguments.items():
        put(load(some, next(slot for slot in slots if slot.key == key), value))
    for block, phis, body in zip(form.blocks, form.phis, form.bodies, strict=True):
        put(replace(some, op="label", label=block.number + 1))
        for phi in phis:
            put(load(some, joins[phi.result.number], phi.result))
        for _, each in body[:-1]:
            put(each)
        for way in block.successors:
            for phi in form.phis[way.number]:
                value = phi.sources[block.number]
                if not isinstance(value, ssa.Undefined):
                    put(store(some, joins[phi.result.number], value))
        ways = [way.number + 1 for way in block.successors] or [0]
        put(replace(body[-1][1], label=ways[0], other=ways[-1]))
    return made


def load(some: Instruction, slot: Slot, into: Temporary) -> Instruction:
    return replace(some, op="load", type=slot.type, result=into, operands=(address(slot),))


def store(some: Instruction, slot: Slot, value: Operand) -> Instruction:
    return replace(some, op="store", type=slot.type, operands=(address(slot), value))


def address(slot: Slot) -> Address:
    return Address(slot.key, local=True, type=Pointer(slot.type))
