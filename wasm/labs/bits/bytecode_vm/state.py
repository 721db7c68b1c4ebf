"""What a run consists of at any moment: frames with their stacks, variables, what is printed and being handled."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, SupportsIndex

from labs.bits.bytecode_vm.hosted import EXCEPTIONS, FUNCTIONS, Builtin, in_order
from labs.bits.bytecode_vm.limits import light
from labs.bits.bytecode_vm.listing import Listing
from labs.bits.bytecode_vm.trouble import RefusedError

DEEPEST = 60  # frames
PRINTED = 4000  # characters


class Null:
    """The empty place that a call leaves for the object of a method."""

    def __repr__(self) -> str:
        return "NULL"


NULL = Null()


@dataclass
class Cell:
    """A variable that an inner function shares."""

    value: Any = NULL

    def __repr__(self) -> str:
        return "empty cell" if self.value is NULL else f"cell of {self.value!r}"


@dataclass(eq=False)
class Function:
    code: CodeType
    defaults: tuple[Any, ...] = ()
    named_defaults: dict[str, Any] = field(default_factory=dict)
    cells: tuple[Cell, ...] = ()

    def __repr__(self) -> str:
        return f"<function {self.code.co_name}>"


class Stack(list[Any]):
    """Values; ``low`` is how few of them were left untouched since it was last set."""

    low = 0

    def pop(self, index: SupportsIndex = -1) -> Any:
        self.low = min(self.low, len(self) - 1)
        return super().pop(index)

    def cut(self, length: int) -> list[Any]:
        """Take off what lies above, the deepest first."""
        self.low = min(self.low, length)
        above = self[length:]
        del self[length:]
        return above

    def swap(self, depth: int) -> None:
        self.low = min(self.low, len(self) - depth)
        self[-1], self[-depth] = self[-depth], self[-1]


@dataclass(eq=False)
class Frame:
    listing: Listing
    function: Function | None = None
    fast: dict[str, Any] = field(default_factory=dict)
    stack: Stack = field(default_factory=Stack)
    next: int = 0
    """Place in the listing of the instruction to come."""
    at: int = -1
    """Of the last one."""
    call_names: tuple[str, ...] = ()
    result: Any = NULL
    """What it returned."""
    then: Callable[[Any], None] | None = None
    """Where the result goes, if not on the caller's stack: to a built-in function that called."""

    program: dict[str, Any] | None = None
    """The globals, if this is the program itself."""

    @property
    def names(self) -> dict[str, Any]:
        return self.fast if self.program is None else {**self.program, **self.fast}

    @property
    def line(self) -> int:
        return self.listing.instructions[max(self.at, 0)].span[0] or self.listing.code.co_firstlineno

    def jump(self, offset: int) -> None:
        self.next = self.listing.index[offset]


class State:
    def __init__(self, source: str) -> None:
        self.source = source
        self.listings: dict[CodeType, Listing] = {}
        self.globals: dict[str, Any] = {}
        self.output = ""
        self.handling: BaseException | None = None
        self.frames: list[Frame] = []

    def listing(self, code: CodeType) -> Listing:
        if code not in self.listings:
            self.listings[code] = Listing(code, self.source)
        return self.listings[code]

    def find(self, name: str) -> Any:
        """A global, else something built in."""
        if name in self.globals:
            return self.globals[name]
        if name in FUNCTIONS or name in EXCEPTIONS or name == "print":
            return Builtin(name)
        if hasattr(builtins, name):
            raise RefusedError(f"{name} is not taken here")
        raise NameError(f"name {name!r} is not defined")

    def enter(self, function: Function, arguments: list[Any], named: dict[str, Any]) -> Frame:
        if len(self.frames) >= DEEPEST:
            raise RefusedError(f"more than {DEEPEST} calls are open at once; make the recursion shallower")
        frame = Frame(self.listing(function.code), function, bind(function, arguments, named))
        self.frames.append(frame)
        return frame

    def print(self, arguments: list[Any], named: dict[str, Any]) -> None:
        for key in named:
            if key not in ("sep", "end"):
                raise RefusedError(f"the argument {key} of print is not taken here")
        light(*arguments, *named.values())
        separator, end = (named.get(key, default) for key, default in (("sep", " "), ("end", "\n")))
        for each in arguments:
            in_order(each)
        text = str(separator).join(map(str, arguments)) + str(end)
        text.encode()  # half of a surrogate pair is no character that can be printed
        self.output += text
        if len(self.output) > PRINTED:
            raise RefusedError(f"more than {PRINTED:,} characters are printed; print less")


def bind(function: Function, arguments: list[Any], named: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a function with their values."""
    code, name = function.code, function.code.co_name
    places = code.co_varnames[: code.co_argcount]
    only_named = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    if len(arguments) > len(places):
        raise TypeError(f"{name}() takes {len(places)} positional arguments but {len(arguments)} were given")
    found = dict(zip(places, arguments, strict=False))
    for key, value in named.items():
        if key not in (*places[code.co_posonlyargcount :], *only_named):
            raise TypeError(f"{name}() got an unexpected keyword argument {key!r}")
        if key in found:
            raise TypeError(f"{name}() got multiple values for argument {key!r}")
        found[key] = value
    defaults = dict(zip(reversed(places), reversed(function.defaults), strict=False)) | function.named_defaults
    for place in (*places, *only_named):
        if place not in found:
            if place not in defaults:
                raise TypeError(f"{name}() missing 1 required positional argument: {place!r}")
            found[place] = defaults[place]
    return found
