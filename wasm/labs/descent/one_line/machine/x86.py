"""x86-64: instructions of two to nine bytes. An operand may lie in memory, so a load and a product are one."""

from __future__ import annotations

from collections.abc import Iterator

from labs.descent.one_line.machine.code import POINTERS, Instruction, Made, Registers, pattern
from labs.descent.one_line.scalar import Value

BASES = {"x": ("rdi", 7), "w": ("rsi", 6), "b": ("rdx", 2), "y": ("rcx", 1)}
"""Where the calling convention puts the four addresses."""
CODES = {"mul": ("mulss", 0x59), "add": ("addss", 0x58), "sub": ("subss", 0x5C)}
assert tuple(BASES) == POINTERS


def compiled(root: Value, place: int) -> Iterator[Instruction]:
    """Writes the result to element ``place`` of y. Raises ``CrowdedError``."""
    registers = Registers()
    at = yield from computed(root, registers)
    text, data = memory("y", place)
    yield Instruction(f"movss dword ptr {text}, xmm{at}", b"\xf3\x0f\x11" + operand(at, data), root, "y")
    yield Instruction("ret", b"\xc3", root)


def memory(name: str, place: int) -> tuple[str, tuple[int, int]]:
    base, number = BASES[name]
    return (f"[{base} + {4 * place}]" if place else f"[{base}]"), (number, 4 * place)


def operand(register: int, of: tuple[int, int]) -> bytes:
    """The byte that names a register and an address, and the distance from that address."""
    base, distance = of
    if not distance:
        return bytes([register << 3 | base])
    return bytes([0x40 | register << 3 | base, distance])


def both(register: int, other: int) -> bytes:
    return bytes([0xC0 | register << 3 | other])


def computed(value: Value, registers: Registers) -> Made:
    """The register that holds it in the end."""
    if value.op == "load":
        at = registers.take()
        text, data = memory(value.name, value.place)
        yield Instruction(f"movss xmm{at}, dword ptr {text}", b"\xf3\x0f\x10" + operand(at, data), value, value.key)
        return at
    if value.op == "const":
        at = registers.take()
        yield from constant(pattern(value.number), at, value)
        return at
    at = yield from computed(value.inputs[0], registers)
    if value.op in CODES:
        name, code = CODES[value.op]
        other = value.inputs[1]
        if other.op == "load":
            text, data = memory(other.name, other.place)
            word = f"{name} xmm{at}, dword ptr {text}"
            yield Instruction(word, bytes([0xF3, 0x0F, code]) + operand(at, data), value, other.key)
        else:
            second = yield from computed(other, registers)
            yield Instruction(f"{name} xmm{at}, xmm{second}", bytes([0xF3, 0x0F, code]) + both(at, second), value)
            registers.give(second)
        return at
    spare = registers.take()
    if value.op == "neg":
        yield from constant(0x80000000, spare, value)
        yield Instruction(f"xorps xmm{at}, xmm{spare}", b"\x0f\x57" + both(at, spare), value)
    else:
        yield Instruction(f"xorps xmm{spare}, xmm{spare}", b"\x0f\x57" + both(spare, spare), value)
        yield Instruction(f"maxss xmm{at}, xmm{spare}", b"\xf3\x0f\x5f" + both(at, spare), value)
    registers.give(spare)
    return at


def constant(bits: int, at: int, value: Value) -> Iterator[Instruction]:
    yield Instruction(f"mov eax, {hex(bits) if bits > 9 else bits}", b"\xb8" + bits.to_bytes(4, "little"), value)
    yield Instruction(f"movd xmm{at}, eax", b"\x66\x0f\x6e" + both(at, 0), value)
