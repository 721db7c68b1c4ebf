"""Reading and writing memory, as functions of a frame. What is plainly right is done at once; the rest is asked of
``Memory``, which says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import TYPE_CHECKING, Any

from labs.models.c import types
from labs.models.c.code import Instruction, Slot
from labs.models.c.memory import Block, Fault, Memory, Pointer, moved
from labs.models.c.rounding import rounded
from labs.models.c.trouble import Place

if TYPE_CHECKING:
    from labs.models.c.machine import Frame

Get = Callable[["Frame"], Any]
LETTERS = {1: "b", 2: "h", 4: "i", 8: "q"}
FLOATS: dict[types.Type, str] = {types.FLOAT: "<f", types.DOUBLE: "<d"}


def form(kind: types.Type) -> Struct:
    """How a number lies in memory."""
    if isinstance(kind, types.Integer):
        letter = LETTERS[kind.size]
        return Struct("<" + (letter if kind.signed else letter.upper()))
    return Struct(FLOATS.get(kind, "<Q"))


def address(key: str) -> Get:
    def get(frame: Frame) -> Pointer:
        block = frame.blocks[key]
        return Pointer(block.start, block)

    return get


def offset(base: Get, count: Get, size: int) -> Get:
    return lambda frame: moved(base(frame), count(frame) * size)


def within(base: Get, count: Get, it: Instruction) -> Get:
    """As ``offset``, in an array, which it may not leave for another part of the same variable."""
    size, beyond = it.size, it.length * it.size

    def get(frame: Frame) -> Pointer:
        start, by = base(frame), count(frame) * size
        pointer = moved(start, by)
        block = pointer.block
        if not 0 <= by < beyond and block is not None and block.start <= pointer < block.end:
            array = f"an array of {it.length} items"
            fault = Fault(
                "out of bounds",
                f"index {by // size} leads out of {array} to another part of {block.words()}",
                block,
            )
            fault.place = it.place
            raise fault
        return pointer

    return get


def distance(memory: Memory, place: Place, left: Get, right: Get, size: int) -> Get:
    def get(frame: Frame) -> int:
        one, other = left(frame), right(frame)
        if memory.checked and block_of(one) is not block_of(other):
            fault = Fault("pointers", "the distance of two pointers into different blocks is not defined")
            fault.place = place
            raise fault
        return (int(one) - int(other)) // size

    return get


def block_of(pointer: int) -> Block | None:
    return pointer.block if isinstance(pointer, Pointer) else None


def load(memory: Memory, place: Place, kind: types.Type, where: Get) -> Get:
    unpack, size, pointing = form(kind).unpack_from, kind.size, isinstance(kind, types.Pointer)
    odd, boolean = kind.align - 1, kind == types.BOOL

    def get(frame: Frame) -> Any:
        pointer = where(frame)
        try:
            if pointer & odd:
                memory.refuse_misaligned(pointer, size, "read", kind)
            if pointing:
                return memory.read_pointer(pointer)
            block = block_of(pointer)
            if block is not None and block.state == "live" and not boolean:
                at = pointer - block.start
                if 0 <= at <= block.size - size and 0 not in block.known[at : at + size]:
                    return unpack(block.data, at)[0]
            found = unpack(memory.read(pointer, size))[0]
            if boolean and found > 1 and memory.checked:
                raise Fault("bool", f"a bool holds {found}, and can only be 0 or 1")
            return found
        except Fault as fault:
            fault.place = fault.place or place
            raise

    return get


def load_variable(memory: Memory, place: Place, kind: types.Type, slot: Slot) -> Get:
    """Of what lies at the start of a variable; a number that is the whole of it is read at once."""
    key, slow = slot.key, load(memory, place, kind, address(slot.key))
    if isinstance(kind, types.Pointer) or kind == types.BOOL or slot.type.size != kind.size:
        return slow
    unpack = form(kind).unpack

    def get(frame: Frame) -> Any:
        block = frame.blocks[key]
        return slow(frame) if 0 in block.known else unpack(block.data)[0]

    return get


def store(memory: Memory, place: Place, kind: types.Type, where: Get, value: Get) -> Get:
    pack_into, pack, size = form(kind).pack_into, form(kind).pack, kind.size
    pointing, narrow, odd = isinstance(kind, types.Pointer), kind == types.FLOAT, kind.align - 1

    def put(frame: Frame) -> None:
        pointer, given = where(frame), value(frame)
        try:
            if pointer & odd:
                memory.refuse_misaligned(pointer, size, "write", kind)
            if pointing:
                memory.write_pointer(pointer, given)
                return
            if narrow:
                given = rounded(given, kind)
            block = block_of(pointer)
            if block is not None and block.state == "live" and not block.constant:
                at = pointer - block.start
                if 0 <= at <= block.size - size:
                    pack_into(block.data, at, given)
                    block.written(at, at + size)
                    return
            memory.write(pointer, pack(given))
        except Fault as fault:
            fault.place = fault.place or place
            raise

    return put
