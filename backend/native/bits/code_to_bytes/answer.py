"""What the interpreter says a function returns: the reference for every compiler of the same program."""

from __future__ import annotations

from dataclasses import dataclass

from labs.models.c import types
from labs.models.c.code import Routine, Unit
from labs.models.c.lower import compile_c
from labs.models.c.machine import Machine
from labs.models.c.macros import MOST
from labs.models.c.memory import Fault

STEPS = 1_000_000


@dataclass(frozen=True)
class Answer:
    """``value`` as C prints it, "" for none; ``fault`` says why C defines none, or why there is no call to make."""

    called: str
    arguments: list[str]
    value: str = ""
    fault: str = ""


def called(unit: Unit) -> Routine:
    """The function that runs: the last of the program."""
    return list(unit.routines.values())[-1]


def ask(unit: Unit, given: tuple[int, ...]) -> Answer:
    """Run the last function on as many of the numbers as it takes."""
    routine = called(unit)
    kinds = routine.type.parameters
    arguments = [argument(kind, value) for kind, value in zip(kinds, given, strict=False)]
    words = f"{routine.name}({', '.join(map(literal, kinds, arguments))})"
    if problem := cannot(routine, len(given)):
        return Answer(routine.name, arguments, fault=problem)
    returns = routine.type.returns
    if isinstance(returns, types.Void):
        body = f"{words};"
    elif isinstance(returns, types.Floating):
        body = f'printf("%.17g", (double){words});'
    else:
        sign = "" if isinstance(returns, types.Integer) and returns.signed else "unsigned "
        body = f'printf("%l{"u" if sign else "d"}", ({sign}long){words});'
    source = f"{unit.source}\nint main(void) {{ {body} return 0; }}\n"
    try:
        machine = Machine(compile_c(source, MOST + len(body) + 100))
        machine.run(STEPS)
    except Fault as fault:
        where = f" in line {fault.place.line}" if fault.place else ""
        return Answer(routine.name, arguments, fault=f"{fault.kind}{where}: {fault.message}")
    return Answer(routine.name, arguments, machine.output.decode())


def argument(kind: types.Type, value: int) -> str:
    """The number as the parameter gets it: wrapped around where it does not fit."""
    return str(kind.wrap(value) if isinstance(kind, types.Integer) else value)


def literal(kind: types.Type, argument: str) -> str:
    """The argument as C reads it: an unsigned number says so, and the least long is no constant of its own."""
    if argument == str(types.LONG.low):
        return f"({types.LONG.low + 1} - 1)"
    return argument if not isinstance(kind, types.Integer) or kind.signed else f"{argument}u"


def cannot(routine: Routine, given: int) -> str:
    """Why a function cannot be called with whole numbers; "" if it can."""
    kinds = routine.type.parameters
    if routine.name == "main":
        return "main is where a whole program begins; call the function something else"
    if not all(slot.name for slot in routine.parameters):
        return f"{routine.name} takes or returns a struct, not numbers; end with a function of numbers"
    if len(kinds) > given:
        return f"{routine.name} takes {len(kinds)} arguments, and there are {given} to give"
    if not all(map(types.is_number, kinds)):
        return f"{routine.name} takes a pointer, and there are numbers to give"
    if not isinstance(routine.type.returns, types.Integer | types.Floating | types.Void):
        return f"{routine.name} returns a {routine.type.returns}, which says nothing outside of its memory"
    return ""
