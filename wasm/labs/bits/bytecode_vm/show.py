"""Values in a few characters, whatever they hold."""

from __future__ import annotations

from itertools import islice
from typing import Any

from labs.bits.bytecode_vm.hosted import Walk
from labs.bits.bytecode_vm.state import NULL, Cell

TEXT, DIGITS, ITEMS, DEPTH = 24, 20, 6, 2


def show(value: Any, depth: int = 0) -> str:
    """Like ``repr``, but short: what is left out is an ellipsis."""
    match value:
        case str():
            return repr(value) if len(value) <= TEXT else repr(value[: TEXT - 1])[:-1] + "…'"
        case bool() | float() | None:
            return repr(value)
        case int():
            return str(value) if value.bit_length() < 64 else f"≈2^{value.bit_length() - 1}"
        case dict():
            return f"{{{inside(value, depth)}}}"
        case set() if not value:
            return "set()"
        case set():
            return f"{{{inside(value if not texts(value) else sorted(value, key=repr), depth)}}}"
        case list():
            return f"[{inside(value, depth)}]"
        case tuple():
            return f"({inside(value, depth)}{',' * (len(value) == 1)})"
        case Walk():
            return f"{value.taken} taken"
        case Cell():
            return "empty cell" if value.value is NULL else f"cell of {show(value.value, depth + 1)}"
        case BaseException():
            return f"{type(value).__name__}({', '.join(show(each, depth + 1) for each in value.args)})"
    if hasattr(value, "co_name"):
        return f"code of {value.co_name}"
    if type(value).__name__.startswith("dict_"):
        return f"{type(value).__name__} of {len(value)}"
    return repr(value)


def texts(value: set[Any]) -> bool:
    """Whether its order is another each time: then the picture takes that of the alphabet."""
    return any(isinstance(each, str | tuple) for each in value)


def inside(value: Any, depth: int) -> str:
    """The first items. Deep down they are not looked at: there may be more than anybody can wait for."""
    if value and depth > DEPTH:
        return "…"
    pairs = value.items() if isinstance(value, dict) else ((each,) for each in value)
    listed = [": ".join(show(each, depth + 1) for each in pair) for pair in islice(pairs, ITEMS)]
    return ", ".join(listed) + (", …" if len(value) > ITEMS else "")
