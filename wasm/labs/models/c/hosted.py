"""The C library of the machine: what needs more than memory, such as the heap, the output and what is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from labs.models.c import types
from labs.models.c.code import Instruction
from labs.models.c.constants import STREAMS
from labs.models.c.library import KNOWN
from labs.models.c.memory import Fault, Pointer
from labs.models.c.printf import formatted
from labs.models.c.scanf import Typed, scanned
from labs.models.c.sorting import search, sort

if TYPE_CHECKING:
    from labs.models.c.machine import Machine

MOST_OUTPUT = 100_000  # bytes
END = -1  # EOF


def call_library(machine: Machine, call: Instruction, given: list[Any], kinds: list[types.Type]) -> Any:
    """Carry out a call of a library function; its value."""
    memory = machine.memory
    if call.name in KNOWN:
        return KNOWN[call.name].call(memory, *given)
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
        case "strdup":
            text = memory.text(given[0]) + b"\0"
            if pointer := allocate(machine, call, len(text)):
                memory.write(pointer, text)
            return pointer
        case "free":
            return release(machine, call, given[0])
        case "printf":
            return put(machine, formatted(memory, given, kinds))
        case "fprintf":
            stream(given[0], "stdout", "stderr")
            return put(machine, formatted(memory, given[1:], kinds[1:]))
        case "sprintf":
            text = formatted(memory, given[1:], kinds[1:])
            memory.write(given[0], text + b"\0")
            return len(text)
        case "snprintf":
            text = formatted(memory, given[2:], kinds[2:])
            if given[1]:
                memory.write(given[0], text[: given[1] - 1] + b"\0")
            return len(text)
        case "puts":
            return put(machine, memory.text(given[0]) + b"\n")
        case "fputs":
            stream(given[1], "stdout", "stderr")
            return put(machine, memory.text(given[0]))
        case "putchar":
            put(machine, bytes([given[0] % 256]))
            return given[0] % 256
        case "getchar":
            return next(iter(machine.typed.take(1)), END)
        case "fgets":
            stream(given[2], "stdin")
            line = machine.typed.line(given[1] - 1)
            if line:
                memory.write(given[0], line + b"\0")
            return given[0] if line else Pointer(0, None)
        case "scanf":
            return scanned(machine.typed, memory, given, kinds)
        case "sscanf":
            return scanned(Typed(memory.text(given[0])), memory, given[1:], kinds[1:])
        case "qsort":
            sort(machine, call, *given)
        case "bsearch":
            return search(machine, call, *given)
        case "strtok":
            return machine.words.next(memory, *given)
        case "rand":
            return machine.chance.next()
        case "srand":
            machine.chance.seed(given[0])
        case "assert":
            if not given[0]:
                raise Fault("abort", f"the assertion in line {call.place.line} does not hold")
        case "exit":
            machine.exit = given[0] % 256
        case "abort":
            raise Fault("abort", "the program called abort")
    return None


def stream(pointer: int, *names: str) -> None:
    """Raises ``Fault`` unless it is one of these."""
    if int(pointer) not in (STREAMS.index(name) + 1 for name in names):
        known = STREAMS[int(pointer) - 1] if 0 < pointer <= len(STREAMS) else f"the address {int(pointer):#x}"
        raise Fault("wild", f"{known} where {' or '.join(names)} is wanted")


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
