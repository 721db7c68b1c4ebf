"""The C library of the machine: malloc and its family, strings and memory; ``printf`` formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from labs.models.c import types
from labs.models.c.code import Instruction
from labs.models.c.memory import Fault, Pointer, moved
from labs.models.c.printf import formatted

if TYPE_CHECKING:
    from labs.models.c.machine import Machine

MOST_OUTPUT = 100_000  # bytes


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
            return put(machine, formatted(memory, given, kinds))
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
            memory.fill(given[0], given[1] % 256, given[2])
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
