"""Writing three-address code for one function: instructions, temporaries, labels, variables and their scopes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NoReturn

from labs.models.c import tree, types
from labs.models.c.code import Address, Global, Instruction, Op, Operand, Routine, Slot, Temporary, Unit
from labs.models.c.trouble import CError, Place

Found = tuple[Operand, types.Type]  # an address, and the type of what lies there
Named = Slot | Global


class Emitter:
    def __init__(self, unit: Unit, program: tree.Program, routine: Routine) -> None:
        self.unit, self.program, self.routine = unit, program, routine
        self.scopes: list[dict[str, Named]] = [{}]
        self.constants: set[int] = set()  # ids of the variables that may not be assigned to
        self.temporaries = self.labels = 0

    def fail(self, node: tree.Node, message: str) -> NoReturn:
        raise CError(message, node.place)

    # -- instructions ----------------------------------------------------------------------------------

    def append(self, instruction: Instruction) -> None:
        self.routine.body.append(instruction)

    def emit(
        self, node: tree.Node, op: Op, kind: types.Type = types.VOID, *operands: Operand,
        name: str = "", label: int = 0, other: int = 0, size: int = 0,
    ) -> None:  # fmt: skip
        """An instruction without a result."""
        self.append(Instruction(op, node.place, node.span, kind, None, operands, name, label, other, size))

    def put(
        self, node: tree.Node, op: Op, result: types.Type, *operands: Operand,
        kind: types.Type | None = None, size: int = 0, length: int = 0,
    ) -> Temporary:  # fmt: skip
        """An instruction, and the temporary that holds its result. ``kind`` is the type of the operands."""
        into = self.temporary(result)
        self.append(
            Instruction(op, node.place, node.span, kind or result, into, operands, size=size, length=length)
        )
        return into

    def temporary(self, kind: types.Type) -> Temporary:
        self.temporaries += 1
        return Temporary(self.temporaries, kind)

    def new_label(self) -> int:
        self.labels += 1
        return self.labels

    def mark(self, node: tree.Node, label: int) -> None:
        self.emit(node, "label", label=label)

    def typed(self, found: Operand, kind: types.Type) -> Operand:
        """The same bits, seen as another type."""
        return replace(found, type=kind)

    @contextmanager
    def rehearsal(self) -> Iterator[None]:
        """Whatever is written inside is forgotten: sizeof wants types, and computes nothing."""
        routine, unit = self.routine, self.unit
        before = len(routine.body), len(routine.slots), self.temporaries, self.labels, set(unit.globals)
        try:
            yield
        finally:
            del routine.body[before[0] :]
            del routine.slots[before[1] :]
            self.temporaries, self.labels = before[2:4]
            for name in set(unit.globals) - before[4]:
                del unit.globals[name]

    # -- names -----------------------------------------------------------------------------------------

    def slot(self, name: str, kind: types.Type, place: Place, parameter: bool = False) -> Slot:
        """A new variable in the frame; the second of a name gets another key."""
        taken = {slot.key for slot in self.routine.slots}
        stem = name or "_"
        key = (
            stem if stem not in taken and name else f"{stem}.{sum(k.partition('.')[0] == stem for k in taken) + 1}"
        )
        made = Slot(key, name, kind, place, parameter)
        self.routine.slots.append(made)
        return made

    def string(self, data: bytes) -> str:
        return self.unit.string(data)

    def named(self, name: str) -> Named | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return self.unit.globals.get(name)

    def find(self, node: tree.Name) -> Found:
        found = self.named(node.name)
        if found is None:
            what = "a function; call it with ( )" if node.name in self.program.declared else "not declared"
            self.fail(node, f"{node.name} is {what}")
        key = found.key if isinstance(found, Slot) else found.name
        return Address(key, isinstance(found, Slot), types.Pointer(found.type)), found.type

    def is_constant(self, name: str) -> bool:
        found = self.named(name)
        return found.constant if isinstance(found, Global) else id(found) in self.constants

    def need_complete(self, node: tree.Node, kind: types.Type) -> None:
        if isinstance(kind, types.Struct) and not kind.complete:
            self.fail(node, f"the members of {kind} are not known")
