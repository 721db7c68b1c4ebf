"""Three-address code: an instruction does one thing with at most two values; its result is a new temporary.

Every variable has a place in memory, and a value is loaded from there each time it is needed: what a compiler makes
of that is the lesson of another lab. Control flow is by labels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from labs.models.c.trouble import Place
from labs.models.c.types import CHAR, Array, Function, Type


@dataclass(frozen=True)
class Temporary:
    number: int
    type: Type

    def __str__(self) -> str:
        return f"t{self.number}"


@dataclass(frozen=True)
class Constant:
    value: int | float
    type: Type

    def __str__(self) -> str:
        return repr(self.value) if isinstance(self.value, float) else str(self.value)


@dataclass(frozen=True)
class Address:
    """Where a variable of the program, a string, a function or a variable of this function lies. A value of pointer
    type."""

    of: str
    """A global's name, or a slot's, which no other slot of the function has."""
    local: bool
    type: Type

    def __str__(self) -> str:
        return f"&{self.of}"


Operand = Temporary | Constant | Address

Op = Literal[
    # result = a op b, on values of ``type``; comparisons give an int
    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=",
    "negate", "invert",  # result = op a
    "convert",  # result = a in the type of the result
    "offset",  # result = a + b items, a pointer; ``size`` bytes each
    "distance",  # result = a - b in items, both pointers
    "load",  # result = what lies at a
    "store",  # at a: b
    "copy",  # at a: ``size`` bytes from b
    "call",  # result = name(arguments …); without a name, of what the first of them points to
    "return",  # the function's value, if any
    "jump",  # to label
    "branch",  # to label if a is not zero, else to other
    "label",
    "live", "dead",  # a variable of a block begins and ends; nothing else is known of its bytes
    "constant",  # a variable that is const has its value
    "statement",  # one begins here: where a debugger may stop
]  # fmt: skip


@dataclass(frozen=True)
class Instruction:
    op: Op
    place: Place
    span: tuple[int, int]
    """Characters of the source that this comes from."""
    type: Type
    """Of the operands of arithmetic and comparisons; of what is loaded, stored or returned."""
    result: Temporary | None = None
    operands: tuple[Operand, ...] = ()
    name: str = ""
    """Of the function called, or of the slot that begins, ends or is constant from here on."""
    label: int = 0
    other: int = 0
    size: int = 0
    length: int = 0
    """How many items an offset may lead to, where it steps through an array; 0 where a pointer leads anywhere."""

    def __str__(self) -> str:
        a, b = (*map(str, self.operands), "", "")[:2]
        match self.op:
            case "label":
                return f"L{self.label}:"
            case "jump":
                return f"goto L{self.label}"
            case "branch":
                return f"if {a} goto L{self.label} else L{self.other}"
            case "load":
                return f"{self.result} = *{a}"
            case "store":
                return f"*{a} = {b}"
            case "copy":
                return f"*{a} = *{b}, {self.size} bytes"
            case "call":
                pointer, given = ("", self.operands) if self.name else (f"(*{a})", self.operands[1:])
                called = f"{self.name or pointer}({', '.join(map(str, given))})"
                return f"{self.result} = {called}" if self.result else called
            case "return":
                return f"return {a}".rstrip()
            case "convert":
                return f"{self.result} = ({self.result.type}) {a}" if self.result else ""
            case "offset":
                return f"{self.result} = {a} + {b} * {self.size}"
            case "distance":
                return f"{self.result} = ({a} - {b}) / {self.size}"
            case "negate" | "invert":
                return f"{self.result} = {'-' if self.op == 'negate' else '~'}{a}"
            case "live" | "dead" | "constant" | "statement":
                return f"{self.op} {self.name}".rstrip()
        return f"{self.result} = {a} {self.op} {b}"


@dataclass(frozen=True)
class Slot:
    """A variable of a function, with a place in its frame."""

    key: str
    """Unique in the function: a second ``i`` is ``i.2``."""
    name: str
    type: Type
    place: Place
    parameter: bool = False


@dataclass
class Routine:
    """One function."""

    name: str
    type: Function
    """As it is called: a struct is handed over and returned through a pointer (`calls.lowered`)."""
    place: Place
    span: tuple[int, int]
    slots: list[Slot] = field(default_factory=list)
    body: list[Instruction] = field(default_factory=list)

    @property
    def parameters(self) -> list[Slot]:
        return [slot for slot in self.slots if slot.parameter]


@dataclass(frozen=True)
class Global:
    """A variable outside of functions, or a string. ``pointers`` says where ``data`` holds an address."""

    name: str
    type: Type
    data: bytes
    pointers: tuple[tuple[int, str, int], ...]
    """(offset in ``data``, whose address, bytes added to it)"""
    initialised: bool
    constant: bool
    place: Place


@dataclass
class Unit:
    """A whole program."""

    source: str
    globals: dict[str, Global] = field(default_factory=dict)
    routines: dict[str, Routine] = field(default_factory=dict)
    functions: frozenset[str] = frozenset()
    """The names of all that have a body."""

    def string(self, data: bytes) -> str:
        """The name of a string's bytes, with their final zero; equal ones are stored once."""
        for name, known in self.globals.items():
            if name.startswith('"') and known.data == data + b"\0":
                return name
        name = f'"{sum(each.startswith(chr(34)) for each in self.globals) + 1}'
        kind = Array(CHAR, len(data) + 1)
        self.globals[name] = Global(
            name, kind, data + b"\0", (), initialised=True, constant=True, place=Place(1, 1)
        )
        return name
