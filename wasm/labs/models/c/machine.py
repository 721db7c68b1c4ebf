"""Runs three-address code over a memory, one instruction at a time, to the first thing that C does not define."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from labs.models.c import types
from labs.models.c.arithmetic import COMPARE, Value, convert, floating, integer, rounded, whole
from labs.models.c.code import Address, Constant, Instruction, Operand, Routine, Slot, Temporary, Unit
from labs.models.c.hosted import call_library
from labs.models.c.memory import Block, Fault, Memory, Pointer

FLOATS = {types.FLOAT: "<f", types.DOUBLE: "<d"}
DEEPEST = 1000  # calls


@dataclass(eq=False)
class Frame:
    """One call that has not returned."""

    number: int
    routine: Routine
    top: int
    """Of the stack, before."""
    returns_to: Temporary | None
    called_from: Instruction | None
    at: int = 0
    temporaries: dict[int, Value] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)
    """The variables that exist now, by key."""


class Machine:
    """A program about to run. ``step`` executes to the next statement; ``output`` is what it has printed."""

    def __init__(self, unit: Unit) -> None:
        if "main" not in unit.routines:
            raise Fault("no main", "a program begins in main, and there is none")
        self.unit, self.memory = unit, Memory()
        self.output = bytearray()
        self.exit: int | None = None
        self.frames: list[Frame] = []
        self.calls = 0
        self.instructions = 0
        self.globals: dict[str, Block] = {}
        self.targets = {
            name: {each.label: n for n, each in enumerate(routine.body) if each.op == "label"}
            for name, routine in unit.routines.items()
        }
        self.slots = {name: {slot.key: slot for slot in routine.slots} for name, routine in unit.routines.items()}
        self._load()
        main = unit.routines["main"]
        arguments: list[Value] = [0 for _ in main.parameters]
        self.enter(main, arguments, None, None)

    def _load(self) -> None:
        for each in self.unit.globals.values():
            segment = "constants" if each.constant else "variables"
            block = self.memory.add(segment, each.type.size, each.type.align, each.name, each.type, each.place)  # type: ignore[arg-type]
            block.data[:], block.known[:] = each.data, b"\1" * len(each.data)
            self.globals[each.name] = block
        for each in self.unit.globals.values():
            for offset, name, added in each.pointers:
                target, block = self.globals[name], self.globals[each.name]
                block.data[offset : offset + 8] = (target.start + added).to_bytes(8, "little")
                self.memory.origins[block.start + offset] = target

    # -- calls -----------------------------------------------------------------------------------------

    def enter(
        self, routine: Routine, arguments: list[Value], into: Temporary | None, call: Instruction | None
    ) -> None:
        if len(self.frames) >= DEEPEST:
            raise Fault("overflow", f"{DEEPEST:,} calls deep: this recursion does not end")
        self.calls += 1
        frame = Frame(self.calls, routine, self.memory.tops["stack"], into, call)
        self.frames.append(frame)
        self.memory.tops["stack"] -= 16  # the return address and the caller's frame pointer
        for slot, value in zip(routine.parameters, arguments, strict=True):
            block = self.begin(frame, slot)
            self.store(Pointer(block.start, block), slot.type, value)

    def begin(self, frame: Frame, slot: Slot) -> Block:
        if old := frame.blocks.get(slot.key):  # the next round of a loop: the same place, and nothing known of it
            old.state, old.gone = "live", None
            old.known[:] = bytes(old.size)
            return old
        block = self.memory.add("stack", slot.type.size, slot.type.align, slot.name, slot.type, slot.place)
        block.frame = frame.number
        frame.blocks[slot.key] = block
        return block

    def leave(self, value: Value | None, at: Instruction) -> None:
        frame = self.frames.pop()
        for block in frame.blocks.values():
            self.memory.release(block, "ended", at.place)
        self.memory.tops["stack"] = frame.top
        if not self.frames:
            self.exit = int(value or 0) % 256
        elif frame.returns_to:
            if value is None:
                fault = Fault("no value", f"{frame.routine.name} ended without the value it promises")
                fault.place = at.place
                raise fault
            self.frames[-1].temporaries[frame.returns_to.number] = value

    # -- execution -------------------------------------------------------------------------------------

    def run(self, most: int = 1_000_000) -> int:
        """To the end; the exit code. Raises ``Fault``."""
        for _ in self.steps(most):
            pass
        assert self.exit is not None
        return self.exit

    def steps(self, most: int = 1_000_000) -> Iterator[Instruction]:
        """Each statement, before it is executed. Raises ``Fault`` with the place where."""
        while self.exit is None:
            frame = self.frames[-1]
            instruction = frame.routine.body[frame.at]
            frame.at += 1
            if instruction.op == "statement":
                yield instruction
                continue
            self.instructions += 1
            if self.instructions > most:
                raise Fault("too long", f"stopped after {most:,} instructions; does a loop never end?")
            try:
                if instruction.op == "call":
                    arguments = [self.get(each) for each in instruction.operands]
                    if routine := self.unit.routines.get(instruction.name):
                        self.enter(routine, arguments, instruction.result, instruction)
                    else:
                        given = [each.type for each in instruction.operands]
                        found = call_library(self, instruction, arguments, given)
                        if instruction.result and self.exit is None:
                            frame.temporaries[instruction.result.number] = found
                else:
                    self.execute(frame, instruction)
            except Fault as fault:
                fault.place = fault.place or instruction.place
                raise

    def execute(self, frame: Frame, it: Instruction) -> None:
        match it.op:
            case "label":
                return
            case "jump":
                frame.at = self.targets[frame.routine.name][it.label]
            case "branch":
                taken = it.label if self.get(it.operands[0]) != 0 else it.other
                frame.at = self.targets[frame.routine.name][taken]
            case "store":
                self.store(self.get(it.operands[0]), it.type, self.get(it.operands[1]))
            case "copy":
                to, source = (self.get(each) for each in it.operands)
                self.memory.copy(to, source, it.size)  # type: ignore[arg-type]
            case "return":
                self.leave(self.get(it.operands[0]) if it.operands else None, it)
            case "live":
                self.begin(frame, self.slots[frame.routine.name][it.name])
            case "dead":
                self.memory.release(frame.blocks[it.name], "ended", it.place)
            case _:
                assert it.result
                frame.temporaries[it.result.number] = self.compute(it)

    def compute(self, it: Instruction) -> Value:
        values = [self.get(each) for each in it.operands]
        assert it.result
        match it.op:
            case "load":
                return self.load(values[0], it.type)
            case "convert":
                return convert(values[0], it.type, it.result.type)
            case "negate":
                return whole(-int(values[0]), it.type) if isinstance(it.type, types.Integer) else -values[0]
            case "invert":
                assert isinstance(it.type, types.Integer)
                return whole(~int(values[0]), it.type)
            case "offset":
                return self.offset(values[0], int(values[1]) * it.size)
            case "distance":
                blocks = {id(v.block) if isinstance(v, Pointer) else 0 for v in values}
                if len(blocks) > 1:
                    raise Fault("pointers", "the distance of two pointers into different blocks is not defined")
                return (int(values[0]) - int(values[1])) // it.size
        if it.op in COMPARE:
            return int(COMPARE[it.op](*values))
        if isinstance(it.type, types.Floating):
            return rounded(floating(it.op, *map(float, values)), it.type)
        assert isinstance(it.type, types.Integer)
        return integer(it.op, int(values[0]), int(values[1]), it.type)

    def offset(self, base: Value, added: int) -> Pointer:
        block = base.block if isinstance(base, Pointer) else None
        return Pointer(int(base) + added, block)

    def get(self, operand: Operand) -> Value:
        match operand:
            case Temporary(number=number):
                return self.frames[-1].temporaries[number]
            case Address(of=of, local=local):
                block = self.frames[-1].blocks[of] if local else self.globals[of]
                return Pointer(block.start, block)
            case Constant(value=value, type=kind):
                return Pointer(int(value), None) if isinstance(kind, types.Pointer) else value
        raise AssertionError(operand)

    def load(self, pointer: Value, kind: types.Type) -> Value:
        assert isinstance(pointer, int)
        if isinstance(kind, types.Pointer):
            return self.memory.read_pointer(pointer)
        data = self.memory.read(pointer, kind.size)
        if isinstance(kind, types.Floating):
            found: float = struct.unpack(FLOATS[kind], data)[0]
            return found
        assert isinstance(kind, types.Integer)
        return int.from_bytes(data, "little", signed=kind.signed)

    def store(self, pointer: Value, kind: types.Type, value: Value) -> None:
        assert isinstance(pointer, int)
        if isinstance(kind, types.Pointer):
            self.memory.write_pointer(pointer, int(value) if not isinstance(value, Pointer) else value)
        elif isinstance(kind, types.Floating):
            self.memory.write(pointer, struct.pack(FLOATS[kind], rounded(float(value), kind)))
        else:
            self.memory.write(pointer, (int(value) % (1 << 8 * kind.size)).to_bytes(kind.size, "little"))
