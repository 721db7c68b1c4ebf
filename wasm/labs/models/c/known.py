"""A function of the C library: its type, and what it does to memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from labs.models.c.types import CHAR, VOID, Function, Pointer, Type

ANY, TEXT = Pointer(VOID), Pointer(CHAR)


@dataclass(frozen=True)
class Known:
    type: Function
    call: Callable[..., Any]
    """Given the memory and the arguments: the value. Raises ``Fault`` where C does not define the call."""


def takes(returns: Type, *parameters: Type, variadic: bool = False) -> Function:
    return Function(returns, parameters, variadic)
