"""Built-in functions that call functions of the program: for keys of sorted, and for items of map and filter.

Each such call is a frame of its own, as in CPython. Its result goes to the built-in function, which goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from labs.bits.bytecode_vm import hosted
from labs.bits.bytecode_vm.hosted import Builtin, Method, Walk, several, walk
from labs.bits.bytecode_vm.limits import light
from labs.bits.bytecode_vm.state import Frame, Function, State
from labs.bits.bytecode_vm.trouble import RefusedError

KEYED = ("sorted", "min", "max")


@dataclass
class Mapped(Walk):
    """What map and filter give: an item is made when it is asked for."""

    function: Any = None
    sources: list[Walk] = field(default_factory=list)

    @property
    def filters(self) -> bool:
        return bool(self.over == "filter")

    def given(self) -> list[Any] | None:
        """The arguments of the next call; None if there is none."""
        found = []
        for each in self.sources:
            for value in each:
                found.append(value)
                break
            else:
                return None
        self.taken += 1
        return found


def mapped(name: str, arguments: list[Any]) -> Mapped:
    if len(arguments) < 2 or (name == "filter" and len(arguments) > 2):
        raise TypeError(f"{name}() takes a function and what it is called with")
    function, *over = arguments
    return Mapped(iter(()), name, 0, function, [walk(each) for each in over])


def advance(state: State, it: Mapped, found: Callable[[Any], bool], ended: Callable[[], None]) -> None:
    """Make items, until ``found`` says that these are enough."""
    while (given := it.given()) is not None:

        def keep(result: Any, given: list[Any] = given) -> bool:
            return found(given[0] if it.filters else result) if result or not it.filters else True

        if isinstance(it.function, Function):
            frame = state.enter(it.function, given, {})
            frame.then = lambda result, keep=keep: advance(state, it, found, ended) if keep(result) else None
            return
        if not keep(plainly(it.function, given)):
            return
    ended()


def plainly(function: Any, given: list[Any]) -> Any:
    if function is None:  # filter(None, …)
        return given[0]
    if isinstance(function, Method):
        return hosted.call_method(function, given, {})
    if isinstance(function, Builtin) and function.name != "print":
        return hosted.call(function.name, given, {})
    what = "print" if isinstance(function, Builtin) else f"a {type(function).__name__.lower()}"
    raise RefusedError(f"{what} is not called for each item here; write a loop")


def next_item(state: State, frame: Frame, it: Mapped, ended: Callable[[], None]) -> None:
    def found(value: Any) -> bool:
        frame.stack.append(value)
        return False

    advance(state, it, found, ended)


def whole(state: State, it: Mapped, then: Callable[[list[Any]], None]) -> None:
    """All that are left."""
    made: list[Any] = []

    def found(value: Any) -> bool:
        made.append(value)
        return True

    advance(state, it, found, lambda: then([*several(made)]))


def called(
    state: State, frame: Frame, callee: Builtin | Method, arguments: list[Any], named: dict[str, Any]
) -> None:
    """Put the result on the stack, now or when all that has to be called before has returned."""
    if (n := next((n for n, each in enumerate(arguments) if isinstance(each, Mapped)), -1)) >= 0:
        before, after = arguments[:n], arguments[n + 1 :]
        whole(state, arguments[n], lambda items: called(state, frame, callee, [*before, items, *after], named))
        return
    if isinstance(callee, Builtin) and callee.name in ("map", "filter"):
        frame.stack.append(mapped(callee.name, arguments))
    elif named.get("key") is not None and (callee.name in KEYED or callee.name == "sort"):
        keyed(state, frame, callee, arguments, named)
    elif isinstance(callee, Method):
        frame.stack.append(hosted.call_method(callee, arguments, without(named)))
    elif callee.name == "print":
        state.print(arguments, named)
        frame.stack.append(None)
    else:
        frame.stack.append(hosted.call(callee.name, arguments, without(named)))


def without(named: dict[str, Any]) -> dict[str, Any]:
    """``key=None`` is as good as none."""
    return {name: value for name, value in named.items() if name != "key" or value is not None}


def keyed(
    state: State, frame: Frame, callee: Builtin | Method, arguments: list[Any], named: dict[str, Any]
) -> None:
    function, rest = named["key"], {name: value for name, value in named.items() if name != "key"}
    given = callee.owner if isinstance(callee, Method) else arguments[0] if len(arguments) == 1 else arguments
    items = [*several(walk(given))]

    def finish(keys: list[Any]) -> None:
        light(items, keys)
        if callee.name in ("min", "max"):
            if not items:
                raise ValueError(f"{callee.name}() iterable argument is empty")
            best = (min if callee.name == "min" else max)(range(len(items)), key=keys.__getitem__)
            frame.stack.append(items[best])
            return
        order = sorted(range(len(items)), key=keys.__getitem__, reverse=bool(rest.get("reverse", False)))
        result = [items[n] for n in order]
        if isinstance(callee, Method):
            callee.owner[:] = result
        frame.stack.append(None if isinstance(callee, Method) else result)

    if unknown := rest.keys() - {"reverse"} or (rest.keys() if callee.name in ("min", "max") else None):
        raise RefusedError(f"the argument {min(unknown)} of {callee.name} is not taken here")
    whole(state, Mapped(iter(()), "map", 0, function, [walk(items)]), finish)
