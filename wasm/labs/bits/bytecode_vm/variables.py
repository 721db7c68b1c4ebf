"""Instructions that move values between the stack and variables, and those that only shift the stack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from labs.bits.bytecode_vm.listing import Instruction
from labs.bits.bytecode_vm.state import NULL, Cell, Frame, State

Effect = Callable[[State, Frame, Instruction], None]
EFFECTS: dict[str, Effect] = {}


def on(*names: str, into: dict[str, Effect] = EFFECTS) -> Callable[[Effect], Effect]:
    def keep(effect: Effect) -> Effect:
        into.update(dict.fromkeys(names, effect))
        return effect

    return keep


@on("RESUME", "NOP", "NOT_TAKEN", "PRECALL", "EXTENDED_ARG")
def nothing(state: State, frame: Frame, did: Instruction) -> None:
    pass


@on("LOAD_CONST", "LOAD_SMALL_INT")
def constant(state: State, frame: Frame, did: Instruction) -> None:
    frame.stack.append(did.value)


@on("PUSH_NULL")
def push_null(state: State, frame: Frame, did: Instruction) -> None:
    frame.stack.append(NULL)


@on("POP_TOP", "END_FOR", "POP_ITER")
def pop(state: State, frame: Frame, did: Instruction) -> None:
    frame.stack.pop()


@on("COPY")
def copy(state: State, frame: Frame, did: Instruction) -> None:
    frame.stack.append(frame.stack[-did.arg])


@on("SWAP")
def swap(state: State, frame: Frame, did: Instruction) -> None:
    frame.stack.swap(did.arg)


# -- of a function -------------------------------------------------------------------------------------------


@on("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_BORROW", "LOAD_CLOSURE")
def load_fast(state: State, frame: Frame, did: Instruction) -> None:
    frame.stack.append(local(frame, did.value))


@on("LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW")
def load_two(state: State, frame: Frame, did: Instruction) -> None:
    first, second = did.value
    frame.stack += [local(frame, first), local(frame, second)]


@on("LOAD_FAST_AND_CLEAR")
def load_and_clear(state: State, frame: Frame, did: Instruction) -> None:
    frame.stack.append(frame.fast.pop(did.value, NULL))


@on("STORE_FAST")
def store_fast(state: State, frame: Frame, did: Instruction) -> None:
    put(frame, did.value, frame.stack.pop())


@on("STORE_FAST_STORE_FAST")
def store_two(state: State, frame: Frame, did: Instruction) -> None:
    first, second = did.value
    put(frame, first, frame.stack.pop())
    put(frame, second, frame.stack.pop())


@on("STORE_FAST_LOAD_FAST")
def store_and_load(state: State, frame: Frame, did: Instruction) -> None:
    stored, loaded = did.value
    put(frame, stored, frame.stack.pop())
    frame.stack.append(local(frame, loaded))


@on("DELETE_FAST")
def delete_fast(state: State, frame: Frame, did: Instruction) -> None:
    local(frame, did.value)
    del frame.fast[did.value]


def put(frame: Frame, name: str, value: Any) -> None:
    if value is NULL:  # a comprehension gives back a variable that had no value
        frame.fast.pop(name, None)
    else:
        frame.fast[name] = value


def local(frame: Frame, name: str) -> Any:
    if name not in frame.fast:
        raise UnboundLocalError(f"cannot access local variable {name!r} where it is not associated with a value")
    return frame.fast[name]


# -- shared with inner functions -----------------------------------------------------------------------------


@on("MAKE_CELL")
def make_cell(state: State, frame: Frame, did: Instruction) -> None:
    frame.fast[did.value] = Cell(frame.fast.get(did.value, NULL))


@on("COPY_FREE_VARS")
def copy_free(state: State, frame: Frame, did: Instruction) -> None:
    assert frame.function
    frame.fast.update(zip(frame.listing.code.co_freevars, frame.function.cells, strict=True))


@on("LOAD_DEREF")
def load_deref(state: State, frame: Frame, did: Instruction) -> None:
    value = frame.fast[did.value].value
    if value is NULL:
        free = did.value in frame.listing.code.co_freevars
        if not free:
            raise UnboundLocalError(
                f"cannot access local variable {did.value!r} where it is not associated with a value"
            )
        raise NameError(
            f"cannot access free variable {did.value!r} where it is not associated with a value in enclosing scope"
        )
    frame.stack.append(value)


@on("STORE_DEREF")
def store_deref(state: State, frame: Frame, did: Instruction) -> None:
    frame.fast[did.value].value = frame.stack.pop()


# -- of the program ------------------------------------------------------------------------------------------


@on("LOAD_NAME")
def load_name(state: State, frame: Frame, did: Instruction) -> None:
    frame.stack.append(state.find(did.value))


@on("LOAD_GLOBAL")
def load_global(state: State, frame: Frame, did: Instruction) -> None:
    found = state.find(did.value)
    if not did.arg & 1:
        frame.stack.append(found)
    elif did.says.startswith("NULL"):  # 3.11 and 3.12 have the empty place below the function
        frame.stack += [NULL, found]
    else:
        frame.stack += [found, NULL]


@on("STORE_NAME", "STORE_GLOBAL")
def store_global(state: State, frame: Frame, did: Instruction) -> None:
    state.globals[did.value] = frame.stack.pop()


@on("DELETE_NAME", "DELETE_GLOBAL")
def delete_global(state: State, frame: Frame, did: Instruction) -> None:
    if did.value not in state.globals:
        raise NameError(f"name {did.value!r} is not defined")
    del state.globals[did.value]
