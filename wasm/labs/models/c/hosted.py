"""The C library of the machine: malloc and its family, printf, strings and memory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from labs.models.c import types
from labs.models.c.code import Instruction
from labs.models.c.memory import Fault, Pointer, moved

if TYPE_CHECKING:
    from labs.models.c.machine import Machine

FORMAT = re.compile(rb"%([-+ 0#]*)(\d*|\*)(?:\.(\d*|\*))?(hh|h|ll|l|z|j|t)?(.)", re.DOTALL)
MOST_OUTPUT = 100_000  # bytes
WIDTHS = {b"hh": 1, b"h": 2, b"": 4, b"l": 8, b"ll": 8, b"z": 8, b"j": 8, b"t": 8}


def call_library(machine: Machine, call: Instruction, given: list[Any], kinds: list[types.Type]) -> Any:
    """Carry out a call of a library function; its value."""
    memory = machine.memory
    match call.name:
        case "malloc":
            return allocate(machine, call, given[0])
        case "calloc":
            pointer = allocate(machine, call, given[0] * given[1])
            if pointer.block:
                pointer.block.data[:] = bytes(pointer.block.size)
                pointer.block.known[:] = b"\1" * pointer.block.size
            return pointer
        case "realloc":
            return reallocate(machine, call, *given)
        case "free":
            return release(machine, call, given[0])
        case "printf":
            return put(machine, formatted(machine, given, kinds))
        case "puts":
            return put(machine, memory.text(given[0]) + b"\n")
        case "putchar":
            put(machine, bytes([given[0] % 256]))
            return given[0]
        case "strlen":
            return len(memory.text(given[0]))
        case "strcpy" | "strcat":
            at = given[0] if call.name == "strcpy" else moved(given[0], len(memory.text(given[0])))
            memory.write(at, memory.text(given[1]) + b"\0")
            return given[0]
        case "strcmp":
            left, right = memory.text(given[0]), memory.text(given[1])
            return (left > right) - (left < right)
        case "memcpy" | "memmove":
            if call.name == "memcpy" and abs(int(given[0]) - int(given[1])) < given[2] and given[2]:
                raise Fault("overlap", "memcpy between places that overlap; memmove may do that")
            memory.copy(given[0], given[1], given[2])
            return given[0]
        case "memset":
            if given[2]:
                memory.write(given[0], bytes([given[1] % 256]) * given[2])
            return given[0]
        case "memcmp":
            left, right = memory.read(given[0], given[2]), memory.read(given[1], given[2])
            return (left > right) - (left < right)
        case "abs":
            if given[0] == types.INT.low:
                raise Fault("signed overflow", f"abs({given[0]}) does not fit into int")
            return abs(given[0])
        case "exit":
            machine.exit = given[0] % 256
        case "abort":
            raise Fault("abort", "the program called abort")
    return None


def allocate(machine: Machine, call: Instruction, size: int) -> Pointer:
    try:
        block = machine.memory.add("heap", size, 16, "malloc", None, call.place)
    except Fault:
        return Pointer(0, None)  # as the standard has it: there is no more
    return Pointer(block.start, block)


def release(machine: Machine, call: Instruction, pointer: int) -> None:
    if not pointer:
        return
    block = pointer.block if isinstance(pointer, Pointer) else machine.memory.block_at(pointer)
    if block is None or block.segment != "heap":
        raise Fault(
            "bad free", f"free of {block.name if block else hex(pointer)}, which malloc did not give", block
        )
    if block.state == "freed":
        raise Fault("double free", f"free of {block.words()}, which are free already", block)
    if pointer != block.start:
        raise Fault("bad free", f"free of a pointer {int(pointer) - block.start} bytes into {block.words()}", block)
    machine.memory.release(block, "freed", call.place)


def reallocate(machine: Machine, call: Instruction, pointer: int, size: int) -> Pointer:
    made = allocate(machine, call, size)
    if pointer and made:
        old = pointer.block if isinstance(pointer, Pointer) else machine.memory.block_at(pointer)
        if old is not None and old.segment == "heap" and old.state == "live":
            machine.memory.copy(made, pointer, min(old.size, size))
        release(machine, call, pointer)
    return made


def put(machine: Machine, data: bytes) -> int:
    machine.output += data
    if len(machine.output) > MOST_OUTPUT:
        raise Fault("too much output", f"stopped after {MOST_OUTPUT:,} bytes of output")
    return len(data)


def formatted(machine: Machine, given: list[Any], kinds: list[types.Type]) -> bytes:
    template, values = machine.memory.text(given[0]), list(zip(given[1:], kinds[1:], strict=True))
    out, at = bytearray(), 0

    def take(what: str) -> tuple[Any, types.Type]:
        if not values:
            raise Fault("format", f"printf has no argument left for {what}")
        return values.pop(0)

    for found in FORMAT.finditer(template):
        out += template[at : found.start()]
        at = found.end()
        flags, width, precision, length, letter = found.groups()
        if letter == b"%":
            out += b"%"
            continue
        name = found[0].decode(errors="replace")
        width = str(take("*")[0]).encode() if width == b"*" else width
        precision = str(take("*")[0]).encode() if precision == b"*" else precision
        out += one(machine, name, (flags, width, precision, length or b"", letter), *take(name))
    return bytes(out + template[at:])


def one(machine: Machine, name: str, parts: tuple[bytes, ...], value: Any, kind: types.Type) -> bytes:
    """One value as printf writes it. Raises ``Fault`` if it is not of the type that the letter wants."""
    flags, width, precision, length, letter = parts
    dot = b"" if precision is None else b"." + precision
    wants = {b"d": "i", b"i": "i", b"u": "i", b"x": "i", b"X": "i", b"o": "i", b"c": "i", b"s": "p", b"p": "p"}
    want = wants.get(letter, "f" if letter in b"feEgGF" else "")
    if not want:
        raise Fault("format", f"printf knows no {name}")
    is_one = {"i": isinstance(kind, types.Integer), "p": isinstance(kind, types.Pointer), "f": kind == types.DOUBLE}
    fits = not isinstance(kind, types.Integer) or kind.size == max(WIDTHS[length], 4) or letter == b"c"
    if not is_one[want] or (want == "i" and not fits):
        raise Fault("format", f"printf wants another type for {name} than {kind}")
    if letter == b"p":
        shown = f"{int(value):#x}".encode() if value else b"(nil)"
        return bytes(b"%%%s%ss" % (flags, width) % shown)
    if letter == b"s":
        return bytes(b"%%%s%s%ss" % (flags, width, dot) % machine.memory.text(value))
    if letter == b"c":
        return bytes(b"%%%s%sc" % (flags, width) % (value % 256))
    if want == "f":
        return bytes(b"%%%s%s%s%s" % (flags, width, dot, letter) % value)
    size = WIDTHS[length]
    exact = types.Integer("", size, signed=letter in b"di").wrap(int(value))
    return bytes(b"%%%s%s%s%s" % (flags, width, dot, b"d" if letter in b"iu" else letter) % exact)
