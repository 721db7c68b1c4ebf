"""WebAssembly: no registers, but a stack, as CPython's bytecode has one. A browser makes machine code of it."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from labs.descent.one_line.machine.code import POINTERS, Instruction
from labs.descent.one_line.scalar import Value

CODES = {"add": 0x92, "sub": 0x93, "mul": 0x94, "neg": 0x8C}


def compiled(root: Value, place: int) -> Iterator[Instruction]:
    """Writes the result to element ``place`` of y."""
    yield Instruction("local.get 3", b"\x20\x03", root)
    yield from computed(root)
    yield Instruction(f"f32.store {4 * place}" if place else "f32.store", bytes([0x38, 2, 4 * place]), root, "y")
    yield Instruction("end", b"\x0b", root)


def computed(value: Value) -> Iterator[Instruction]:
    match value.op:
        case "load":
            base, far = POINTERS.index(value.name), 4 * value.place
            yield Instruction(f"local.get {base}", bytes([0x20, base]), value)
            yield Instruction(f"f32.load {far}" if far else "f32.load", bytes([0x2A, 2, far]), value, value.key)
        case "const":
            yield Instruction(f"f32.const {value.number:.9g}", b"\x43" + struct.pack("<f", value.number), value)
        case "relu":
            yield from computed(value.inputs[0])
            yield Instruction("f32.const 0", b"\x43\x00\x00\x00\x00", value)
            yield Instruction("f32.max", b"\x97", value)
        case _:
            for each in value.inputs:
                yield from computed(each)
            yield Instruction(f"f32.{value.op}", bytes([CODES[value.op]]), value)
