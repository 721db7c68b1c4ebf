"""The built-in functions, methods and exceptions that a program may use. Each call is bounded before it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from string import Formatter
from typing import Any

from labs.bits.bytecode_vm.limits import ITEMS, before_format, light
from labs.bits.bytecode_vm.trouble import RefusedError

LONGEST = 16 * ITEMS  # characters
FUNCTIONS: dict[str, Callable[..., Any]] = {
    each.__name__: each
    for each in (
        *(abs, all, any, bool, chr, dict, divmod, enumerate, float, int, len, list, max, min, ord),
        *(bin, filter, hex, map, oct, range, repr, reversed, round, set, sorted, str, sum, tuple, zip),
    )
}
EXCEPTIONS: dict[str, type[Exception]] = {
    each.__name__: each
    for each in (
        *(ArithmeticError, AssertionError, Exception, IndexError, KeyError, LookupError, NameError),
        *(OverflowError, RuntimeError, TypeError, UnboundLocalError, ValueError, ZeroDivisionError),
    )
}
KEYWORDS = {"enumerate": {"start"}, "print": {"sep", "end"}, "sorted": {"reverse"}, "sum": {"start"}}
METHODS: dict[type, set[str]] = {
    list: {"append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort"},
    dict: {"clear", "copy", "get", "items", "keys", "pop", "setdefault", "update", "values"},
    tuple: {"count", "index"},
    set: {
        *("add", "clear", "copy", "difference", "discard", "intersection", "isdisjoint", "issubset", "issuperset"),
        *("remove", "symmetric_difference", "union", "update"),
    },
    str: {
        *("center", "format", "ljust", "rjust", "capitalize", "zfill", "isspace", "isalnum", "splitlines"),
        *("count", "endswith", "find", "index", "isalpha", "isdigit", "islower", "isupper", "join", "lower"),
        *("lstrip", "replace", "rstrip", "split", "startswith", "strip", "title", "upper"),
    },
}


@dataclass(frozen=True)
class Builtin:
    name: str

    def __repr__(self) -> str:
        return f"<built-in function {self.name}>"


@dataclass(frozen=True)
class Method:
    """A method and the value that it is called on."""

    owner: Any
    name: str

    def __repr__(self) -> str:
        return f"<method {self.name} of {type(self.owner).__name__}>"


@dataclass
class Walk:
    """An iterator, and how far it has come."""

    real: Iterator[Any]
    over: Any
    taken: int = 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __repr__(self) -> str:
        return f"<{self.over} object>"

    def __next__(self) -> Any:
        found = next(self.real)
        self.taken += 1
        return found


def method(owner: Any, name: str) -> Method:
    if not hasattr(owner, name):
        raise AttributeError(f"{type(owner).__name__!r} object has no attribute {name!r}")
    if name not in METHODS.get(type(owner), ()):
        raise RefusedError(f"the method {name} of {type(owner).__name__} is not taken here")
    return Method(owner, name)


def walk(value: Any) -> Walk:
    in_order(value)
    return value if isinstance(value, Walk) else Walk(iter(value), value)


def call(name: str, arguments: list[Any], named: dict[str, Any]) -> Any:
    """A built-in function. ``print`` is the machine's own affair."""
    if name in EXCEPTIONS:
        light(*arguments)
        return EXCEPTIONS[name](*arguments)
    for key in named:
        if key not in KEYWORDS.get(name, ()):
            raise RefusedError(f"the argument {key} of {name} is not taken here")
    light(*arguments, *named.values())
    if name == "range":
        made = range(*arguments)
        if made and (made[-1] - made[0]) // made.step >= ITEMS:
            raise RefusedError(f"a range of more than {ITEMS:,} numbers is refused; make it shorter")
        return made
    if name == "round" and len(arguments) > 1 and isinstance(arguments[1], int) and abs(arguments[1]) > 400:
        raise RefusedError("round takes at most 400 places here")
    if name == "sum" and not isinstance(arguments[1] if len(arguments) > 1 else named.get("start", 0), int | float):
        raise RefusedError("sum adds numbers only here")
    if name in ("list", "tuple", "str", "repr", "enumerate", "zip"):
        for each in arguments:
            in_order(each)
    if name in ("enumerate", "zip", "reversed"):
        return Walk(iter(FUNCTIONS[name](*arguments, **named)), name)
    return FUNCTIONS[name](*arguments, **named)


def call_method(found: Method, arguments: list[Any], named: dict[str, Any]) -> Any:
    owner, name = found.owner, found.name
    for key in named:
        if (name, key) != ("sort", "reverse"):
            raise RefusedError(f"the argument {key} of {name} is not taken here")
    for each in (owner, *arguments) if name in ("extend", "join") else ():
        in_order(each)
    if isinstance(owner, str) and name == "format":
        return filled(owner, arguments)
    if isinstance(owner, str) and name in ("center", "ljust", "rjust", "zfill"):
        before_format(str(arguments[0]) if arguments else "")
    if isinstance(owner, set):
        arguments = [each if name in ("add", "discard", "remove") else [*several(each)] for each in arguments]
    if name in ("extend", "update", "join"):  # these grow while they read
        arguments = [each if isinstance(each, dict) else [*several(each)] for each in arguments]
    light(owner, *arguments)
    if isinstance(owner, str):
        many = len(arguments[0]) if name == "join" and arguments else (len(owner) + 1) * (name == "replace")
        longest = len(owner) if name == "join" else len(str(arguments[1])) if len(arguments) > 1 else 0
        if many * longest > LONGEST:
            raise RefusedError(f"a text of more than {LONGEST:,} characters is refused; make it shorter")
    return getattr(owner, name)(*arguments, **named)


def filled(text: str, arguments: list[Any]) -> str:
    """str.format, with what stands in its braces: nothing or a number, a conversion, and a format."""
    light(text, *arguments)
    made, counted, ways = "", 0, set[bool]()
    for before, place, spec, how in Formatter().parse(text):
        made += before
        if place is None:
            continue
        if not place.isdecimal() and place:
            raise RefusedError(f"{{{place[:20]}}} in a format is not taken here; number it, or write an f-string")
        if "{" in (spec or ""):
            raise RefusedError("braces within the braces of a format are not taken here; write an f-string")
        ways |= {bool(place)}
        if len(ways) > 1:
            automatic, manual = "automatic field numbering", "manual field specification"
            raise ValueError(
                "cannot switch from {} to {}".format(*(automatic, manual) if place else (manual, automatic))
            )
        number = int(place) if place else counted
        counted += not place
        if number >= len(arguments):
            raise IndexError(f"Replacement index {number} out of range for positional args tuple")
        before_format(spec or "")
        value = arguments[number]
        in_order(value)
        made += format((repr if how == "r" else str)(value) if how else value, spec or "")
        if len(made) > LONGEST:
            raise RefusedError(f"a text of more than {LONGEST:,} characters is refused; make it shorter")
    return made


def in_order(value: Any) -> None:
    """Refuse to go through a set whose order is another each time that Python starts."""
    if isinstance(value, set | frozenset) and any(isinstance(each, str | tuple) for each in value):
        raise RefusedError("the order of texts in a set is another each time; go through sorted(…) of it")
    if isinstance(value, list | tuple):
        for each in value[:ITEMS]:
            if isinstance(each, set | frozenset):
                in_order(each)


def several(values: Iterable[Any]) -> Iterator[Any]:
    """The items of anything that can be walked, or the refusal of too many."""
    for n, each in enumerate(values):
        if n >= ITEMS:
            raise RefusedError(f"more than {ITEMS:,} items are refused; make fewer")
        yield each
