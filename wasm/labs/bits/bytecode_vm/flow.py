"""Instructions that decide what comes next: jumps, loops, calls, returns and exceptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from labs.bits.bytecode_vm import hosted
from labs.bits.bytecode_vm.calling import Mapped, called, next_item
from labs.bits.bytecode_vm.compute import take
from labs.bits.bytecode_vm.hosted import EXCEPTIONS, Builtin, Method, Walk
from labs.bits.bytecode_vm.listing import VERSION, Instruction
from labs.bits.bytecode_vm.state import NULL, Frame, Function, State
from labs.bits.bytecode_vm.trouble import RefusedError
from labs.bits.bytecode_vm.variables import Effect
from labs.bits.bytecode_vm.variables import on as registered

EFFECTS: dict[str, Effect] = {}
# Instructions that a finished loop steps over, by version; from 3.14 on, POP_ITER follows.
LOOP_END = {11: 0, 12: 1, 13: 2, 14: 1}
DEFAULTS, NAMED_DEFAULTS, ANNOTATIONS, CELLS = 1, 2, 4, 8  # what a new function may be given
DIRECTIONS = ("", "_FORWARD", "_BACKWARD")  # 3.11 says in the name which way it goes


def on(*names: str) -> Callable[[Effect], Effect]:
    return registered(*names, into=EFFECTS)


@on("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT")
def jump(state: State, frame: Frame, did: Instruction) -> None:
    frame.jump(did.value)


@on(*(f"POP_JUMP{way}_IF_{what}" for way in DIRECTIONS for what in ("TRUE", "FALSE", "NONE", "NOT_NONE")))
def jump_if(state: State, frame: Frame, did: Instruction) -> None:
    value = frame.stack.pop()
    what = did.name.rpartition("_IF_")[2]
    found = value is None if "NONE" in what else bool(value)
    if found == (what in ("TRUE", "NONE")):
        frame.jump(did.value)


@on("JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP")
def jump_or_pop(state: State, frame: Frame, did: Instruction) -> None:
    if bool(frame.stack[-1]) == ("TRUE" in did.name):
        frame.jump(did.value)
    else:
        frame.stack.pop()


# -- loops ---------------------------------------------------------------------------------------------------


@on("GET_ITER")
def get_iter(state: State, frame: Frame, did: Instruction) -> None:
    frame.stack.append(hosted.walk(frame.stack.pop()))


@on("FOR_ITER")
def for_iter(state: State, frame: Frame, did: Instruction) -> None:
    walk = frame.stack[-1]
    assert isinstance(walk, Walk)

    def leave() -> None:
        frame.jump(did.value)
        frame.next += LOOP_END[VERSION]
        if VERSION < 14:
            frame.stack.pop()

    if isinstance(walk, Mapped):
        next_item(state, frame, walk, leave)
        return
    for value in walk:
        frame.stack.append(value)
        return
    leave()


# -- functions -----------------------------------------------------------------------------------------------


@on("MAKE_FUNCTION")
def make_function(state: State, frame: Frame, did: Instruction) -> None:
    code = frame.stack.pop()
    made = Function(code)
    for flag in (CELLS, ANNOTATIONS, NAMED_DEFAULTS, DEFAULTS):  # 3.11 and 3.12; the highest lies on top
        if did.arg & flag:
            set_attribute(made, flag, frame.stack.pop())
    frame.stack.append(made)


@on("SET_FUNCTION_ATTRIBUTE")
def set_function(state: State, frame: Frame, did: Instruction) -> None:
    made, value = frame.stack.pop(), frame.stack.pop()
    set_attribute(made, did.arg, value)
    frame.stack.append(made)


def set_attribute(made: Function, flag: int, value: Any) -> None:
    if flag == DEFAULTS:
        made.defaults = value
    elif flag == NAMED_DEFAULTS:
        made.named_defaults = value
    elif flag == CELLS:
        made.cells = value
    else:
        raise RefusedError("annotations are not taken here; leave the types out")


@on("LOAD_METHOD", "LOAD_ATTR")
def load_method(state: State, frame: Frame, did: Instruction) -> None:
    owner = frame.stack.pop()
    found = hosted.method(owner, did.value)
    called_next = did.name == "LOAD_METHOD" or "NULL|self" in did.says
    frame.stack += [found, owner] if called_next else [found]


@on("KW_NAMES")
def kw_names(state: State, frame: Frame, did: Instruction) -> None:
    frame.call_names = frame.listing.code.co_consts[did.arg]


@on("CALL", "CALL_KW")
def call(state: State, frame: Frame, did: Instruction) -> None:
    names = frame.stack.pop() if did.name == "CALL_KW" else frame.call_names
    frame.call_names = ()
    arguments = take(frame, did.arg)
    first, second = take(frame, 2)
    if first is NULL:
        callee = second
    elif second is NULL:
        callee = first
    else:  # a method and its object, or a comprehension and what it walks over
        callee = first
        if not isinstance(first, Method):
            arguments.insert(0, second)
    many = len(arguments) - len(names)
    perform(state, frame, callee, arguments[:many], dict(zip(names, arguments[many:], strict=True)))


def perform(state: State, frame: Frame, callee: Any, arguments: list[Any], named: dict[str, Any]) -> None:
    if isinstance(callee, Function):
        state.enter(callee, arguments, named)
    elif isinstance(callee, Builtin | Method):
        called(state, frame, callee, arguments, named)
    else:
        raise TypeError(f"{type(callee).__name__!r} object is not callable")


@on("RETURN_VALUE", "RETURN_CONST")
def give_back(state: State, frame: Frame, did: Instruction) -> None:
    frame.result = did.value if did.name == "RETURN_CONST" else frame.stack.pop()
    state.frames.pop()
    if frame.then:
        frame.then(frame.result)
    elif state.frames:
        state.frames[-1].stack.append(frame.result)


# -- exceptions ----------------------------------------------------------------------------------------------


@on("LOAD_ASSERTION_ERROR", "LOAD_COMMON_CONSTANT")
def load_error(state: State, frame: Frame, did: Instruction) -> None:
    if did.name == "LOAD_COMMON_CONSTANT" and did.value is not AssertionError:
        raise RefusedError(f"the instruction {did.name} {did.says} is not taken here")
    frame.stack.append(Builtin("AssertionError"))


@on("RAISE_VARARGS")
def raise_one(state: State, frame: Frame, did: Instruction) -> None:
    if did.arg == 2:
        raise RefusedError("raise … from is not taken here; leave out the cause")
    problem = frame.stack.pop() if did.arg else state.handling
    if isinstance(problem, Builtin) and problem.name in EXCEPTIONS:
        problem = EXCEPTIONS[problem.name]()
    if problem is None:
        raise RuntimeError("No active exception to reraise")
    if not isinstance(problem, Exception):
        raise TypeError("exceptions must derive from BaseException")
    raise problem


@on("PUSH_EXC_INFO")
def push_handled(state: State, frame: Frame, did: Instruction) -> None:
    problem = frame.stack.pop()
    frame.stack += [state.handling, problem]
    state.handling = problem


@on("POP_EXCEPT")
def pop_handled(state: State, frame: Frame, did: Instruction) -> None:
    state.handling = frame.stack.pop()


@on("CHECK_EXC_MATCH")
def matches(state: State, frame: Frame, did: Instruction) -> None:
    kinds = frame.stack.pop()
    several = kinds if isinstance(kinds, tuple) else (kinds,)
    if not all(isinstance(each, Builtin) and each.name in EXCEPTIONS for each in several):
        raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    frame.stack.append(isinstance(frame.stack[-1], tuple(EXCEPTIONS[each.name] for each in several)))


@on("RERAISE")
def raise_again(state: State, frame: Frame, did: Instruction) -> None:
    raise frame.stack.pop()
