"""Runs three-address code over a memory, one instruction at a time, to the first thing that C does not define."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from labs.models.c import types
from labs.models.c.access import form
from labs.models.c.arithmetic import Value
from labs.models.c.calls import lowered
from labs.models.c.chance import Chance
from labs.models.c.code import Instruction, Routine, Slot, Temporary, Unit
from labs.models.c.decode import Decoder, Step
from labs.models.c.memory import LOWS, Block, Fault, Memory, Pointer
from labs.models.c.rounding import rounded
from labs.models.c.scanf import Typed
from labs.models.c.strings import Words
from labs.models.c.trouble import Place

DEEPEST = 10_000  # calls
NAME = b"./program\0"
CODE = 0x401000  # where instructions lie, as far as return addresses tell
BOOKS = struct.Struct("<QQ")  # what a call keeps on the stack: the caller's frame pointer, and where to return to


@dataclass(eq=False)
class Frame:
    """One call that has not returned."""

    number: int
    routine: Routine
    code: list[Step | Instruction]
    top: int
    """Of the stack, before."""
    books: tuple[int, int]
    returns_to: Temporary | None
    called_from: Instruction | None
    at: int = 0
    temporaries: dict[int, Value] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)
    """The variables that exist now, by key."""


class Machine:
    """A program about to run. ``steps`` executes to the next statement; ``output`` is what it has printed, and
    ``typed`` what it may read.

    Unchecked, it does with memory what the hardware does, until that stops the program.
    """

    decoder = Decoder

    def __init__(self, unit: Unit, checked: bool = True, typed: bytes = b"") -> None:
        if "main" not in unit.routines:
            raise Fault("no main", "a program begins in main, and there is none")
        self.unit, self.memory = unit, Memory(checked)
        self.output, self.typed, self.chance = bytearray(), Typed(typed), Chance()
        self.words = Words()
        self.exit: int | None = None
        self.frames: list[Frame] = []
        self.calls = self.taken = 0
        self.globals: dict[str, Block] = {}
        self.slots = {name: {slot.key: slot for slot in routine.slots} for name, routine in unit.routines.items()}
        self.lows = {name: CODE + 0x100 * n for n, name in enumerate(unit.routines)}
        self._load()
        self.codes = {name: self.decoder(self, routine).steps() for name, routine in unit.routines.items()}
        main = unit.routines["main"]
        self.enter(main, self.arguments(len(main.parameters)), None, None)

    def _load(self) -> None:
        for each in self.unit.globals.values():
            segment = "constants" if each.constant else "variables"
            block = self.memory.add(segment, each.type.size, each.type.align, each.name, each.type, each.place)  # type: ignore[arg-type]
            block.data[:], block.known[:] = each.data, b"\1" * len(each.data)
            self.globals[each.name] = block
        for each in self.unit.globals.values():
            for offset, name, added in each.pointers:
                block = self.globals[each.name]
                if name in self.lows:
                    block.data[offset : offset + 8] = self.lows[name].to_bytes(8, "little")
                    continue
                target = self.globals[name]
                block.data[offset : offset + 8] = (target.start + added).to_bytes(8, "little")
                block.origins[offset] = target

    def arguments(self, wanted: int) -> list[Value]:
        """What main gets: the name of the program alone, as if it was started without any argument."""
        if not wanted:
            return []
        name = self.memory.add("variables", len(NAME), 1, "argv[0]", types.Array(types.CHAR, len(NAME)), None)
        name.data[:], name.known[:] = NAME, b"\1" * len(NAME)
        array = self.memory.add("variables", 16, 8, "argv", types.Array(types.Pointer(types.CHAR), 2), None)
        array.known[:] = b"\1" * 16
        self.memory.write_pointer(Pointer(array.start, array), Pointer(name.start, name))
        given: list[Value] = [1, Pointer(array.start, array), 0]
        return given[:wanted]

    # -- calls -----------------------------------------------------------------------------------------

    def enter(
        self, routine: Routine, arguments: list[Value], into: Temporary | None, call: Instruction | None
    ) -> None:
        if len(self.frames) >= DEEPEST:
            raise Fault("overflow", f"{DEEPEST:,} calls deep, where this machine ends: does the recursion?")
        self.calls += 1
        caller = self.frames[-1] if self.frames else None
        books = (caller.top - BOOKS.size, self.lows[caller.routine.name] + caller.at) if caller else (0, CODE - 16)
        top = self.memory.tops["stack"]
        frame = Frame(self.calls, routine, self.codes[routine.name], top, books, into, call)
        self.memory.tops["stack"] -= BOOKS.size
        if self.memory.tops["stack"] < LOWS["stack"]:
            raise Fault("overflow", "the stack is used up: this recursion needs too much of it")
        BOOKS.pack_into(self.memory.ram["stack"], top - BOOKS.size - LOWS["stack"], *books)
        self.frames.append(frame)
        for slot, value in zip(routine.parameters, arguments, strict=True):
            block = self.begin(frame, slot)
            if isinstance(slot.type, types.Pointer):
                self.memory.write_pointer(Pointer(block.start, block), value)  # type: ignore[arg-type]
            else:
                form(slot.type).pack_into(block.data, 0, rounded(value, slot.type))
                block.written(0, block.size)

    def begin(self, frame: Frame, slot: Slot) -> Block:
        if old := frame.blocks.get(slot.key):  # the next round of a loop: the same place, and nothing known of it
            old.state, old.gone, old.constant = "live", None, False
            old.known[:] = bytes(old.size)
            old.origins.clear()
            return old
        block = self.memory.add("stack", slot.type.size, slot.type.align, slot.name, slot.type, slot.place)
        block.frame = frame.number
        frame.blocks[slot.key] = block
        return block

    def leave(self, value: Value | None, at: Instruction) -> None:
        frame = self.frames.pop()
        kept = BOOKS.unpack_from(self.memory.ram["stack"], frame.top - BOOKS.size - LOWS["stack"])
        if kept != frame.books:
            fault = Fault("smashed", f"what {frame.routine.name} should return to was overwritten by {kept[1]:#x}")
            fault.place = at.place
            self.frames.append(frame)
            raise fault
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

    def pointed(self, pointer: int, expected: types.Function) -> Routine:
        """The function that begins at an address. Raises ``Fault``."""
        name = next((name for name, low in self.lows.items() if low == pointer), None)
        if name is None:
            where = f"at {int(pointer):#x}, where no function begins" if pointer else "through NULL"
            raise Fault("wild", f"a call {where}")
        routine = self.unit.routines[name]
        if self.memory.checked and routine.type != lowered(expected):
            raise Fault("type", f"{name} is {routine.type}, and is called as {expected}")
        return routine

    def answer(self, routine: Routine, given: list[Value], call: Instruction) -> Value:
        """What a function returns to the library, which called it."""
        depth, into = len(self.frames), Temporary(-1, routine.type.returns)
        self.enter(routine, given, into, call)
        while len(self.frames) > depth and self.exit is None:
            frame = self.frames[-1]
            step = frame.code[frame.at]
            frame.at += 1
            if not isinstance(step, Instruction):
                self.count(call.place)
                step(frame)
        return self.frames[-1].temporaries.pop(-1) if self.exit is None else 0

    def count(self, place: Place | None) -> None:
        self.taken += 1
        if self.taken > self.most:
            fault = Fault("too long", f"stopped after {self.most:,} steps; does a loop never end?")
            fault.place = place
            raise fault

    # -- execution -------------------------------------------------------------------------------------

    def run(self, most: int = 1_000_000) -> int:
        """To the end; the exit code. Raises ``Fault``."""
        for _ in self.steps(most):
            pass
        assert self.exit is not None
        return self.exit

    def steps(self, most: int = 1_000_000) -> Iterator[Instruction]:
        """Each statement, before it is executed. Raises ``Fault`` with the place where."""
        self.most = most
        statement: Instruction | None = None
        while self.exit is None:
            frame = self.frames[-1]
            step = frame.code[frame.at]
            frame.at += 1
            if isinstance(step, Instruction):
                statement = step
                yield step
                continue
            self.count(statement.place if statement else None)
            step(frame)
