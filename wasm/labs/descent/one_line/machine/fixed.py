"""AArch64 and RISC-V: every instruction has four bytes, and only loads and stores know of memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.descent.one_line.machine.code import POINTERS, Instruction, Made, Registers, pattern
from labs.descent.one_line.scalar import Value

Word = tuple[str, int]
"""An instruction as text and as a number of 32 bits."""


@dataclass(frozen=True)
class AArch64:
    """Registers s0 to s7 hold numbers, x0 to x3 addresses; w8 is on hand for patterns of bits."""

    def load(self, at: int, name: str, place: int) -> Word:
        return f"ldr s{at}, {self.address(name, place)}", 0xBD400000 | place << 10 | POINTERS.index(name) << 5 | at

    def store(self, at: int, place: int) -> Word:
        return f"str s{at}, {self.address('y', place)}", 0xBD000000 | place << 10 | 3 << 5 | at

    def address(self, name: str, place: int) -> str:
        base = f"x{POINTERS.index(name)}"
        return f"[{base}, #{hex(4 * place) if place > 2 else 4 * place}]" if place else f"[{base}]"

    def constant(self, bits: int, at: int) -> Iterator[Word]:
        high, low = bits >> 16, bits & 0xFFFF
        yield f"mov w8, #{hex(high << 16) if high else 0}", 0x52A00000 | high << 5 | 8
        if low:
            yield f"movk w8, #{hex(low) if low > 9 else low}", 0x72800000 | low << 5 | 8
        yield f"fmov s{at}, w8", 0x1E270000 | 8 << 5 | at

    def operate(self, op: str, to: int, left: int, right: int) -> Word:
        name, code = {"mul": ("fmul", 0x1E200800), "add": ("fadd", 0x1E202800), "sub": ("fsub", 0x1E203800)}[op]
        return f"{name} s{to}, s{left}, s{right}", code | right << 16 | left << 5 | to

    def negate(self, at: int) -> Word:
        return f"fneg s{at}, s{at}", 0x1E214000 | at << 5 | at

    def relu(self, at: int, spare: int) -> Iterator[Word]:
        yield f"movi d{spare}, #0000000000000000", 0x2F00E400 | spare
        yield f"fmax s{at}, s{at}, s{spare}", 0x1E204800 | spare << 16 | at << 5 | at

    ret: Word = ("ret", 0xD65F03C0)


@dataclass(frozen=True)
class RiscV:
    """Registers ft0 to ft7 hold numbers, a0 to a3 addresses; t0 is on hand for patterns of bits."""

    def load(self, at: int, name: str, place: int) -> Word:
        base = POINTERS.index(name)
        return f"flw ft{at}, {4 * place}(a{base})", 4 * place << 20 | 10 + base << 15 | 2 << 12 | at << 7 | 0x07

    def store(self, at: int, place: int) -> Word:
        far = 4 * place
        word = far >> 5 << 25 | at << 20 | 13 << 15 | 2 << 12 | (far & 31) << 7 | 0x27
        return f"fsw ft{at}, {far}(a3)", word

    def constant(self, bits: int, at: int) -> Iterator[Word]:
        low = (bits & 0xFFF) - ((bits & 0x800) << 1)
        high = (bits - low) >> 12 & 0xFFFFF
        yield f"lui t0, {hex(high) if high > 9 else high}", high << 12 | 5 << 7 | 0x37
        if low:
            yield f"addiw t0, t0, {hexed(low)}", (low & 0xFFF) << 20 | 5 << 15 | 5 << 7 | 0x1B
        yield f"fmv.w.x ft{at}, t0", 0xF0000053 | 5 << 15 | at << 7

    def operate(self, op: str, to: int, left: int, right: int) -> Word:
        code = {"add": 0x00, "sub": 0x04, "mul": 0x08}[op]
        return (
            f"f{op}.s ft{to}, ft{left}, ft{right}",
            code << 25 | right << 20 | left << 15 | 7 << 12 | to << 7 | 0x53,
        )

    def negate(self, at: int) -> Word:
        return f"fneg.s ft{at}, ft{at}", 0x10 << 25 | at << 20 | at << 15 | 1 << 12 | at << 7 | 0x53

    def relu(self, at: int, spare: int) -> Iterator[Word]:
        yield f"fmv.w.x ft{spare}, zero", 0xF0000053 | spare << 7
        yield f"fmax.s ft{at}, ft{at}, ft{spare}", 0x14 << 25 | spare << 20 | at << 15 | 1 << 12 | at << 7 | 0x53

    ret: Word = ("ret", 0x00008067)


def hexed(number: int) -> str:
    sign, size = "-" * (number < 0), abs(number)
    return f"{sign}{hex(size) if size > 9 else size}"


class Compiler:
    def __init__(self, of: AArch64 | RiscV) -> None:
        self.of, self.registers = of, Registers()

    def compiled(self, root: Value, place: int) -> Iterator[Instruction]:
        """Writes the result to element ``place`` of y. Raises ``CrowdedError``."""
        at = yield from self.computed(root)
        yield said(self.of.store(at, place), root, "y")
        yield said(self.of.ret, root)

    def computed(self, value: Value) -> Made:
        """The register that holds it in the end."""
        if value.op in ("load", "const"):
            at = self.registers.take()
            if value.op == "load":
                yield said(self.of.load(at, value.name, value.place), value, value.key)
            else:
                yield from (said(word, value) for word in self.of.constant(pattern(value.number), at))
            return at
        at = yield from self.computed(value.inputs[0])
        if value.op == "neg":
            yield said(self.of.negate(at), value)
            return at
        if value.op == "relu":
            spare = self.registers.take()
            yield from (said(word, value) for word in self.of.relu(at, spare))
        else:
            spare = yield from self.computed(value.inputs[1])
            yield said(self.of.operate(value.op, at, at, spare), value)
        self.registers.give(spare)
        return at


def said(word: Word, value: Value, key: str = "") -> Instruction:
    return Instruction(word[0], word[1].to_bytes(4, "little"), value, key)
