"""Bounds on values: no operation may take long or much memory, whatever it is given."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

from labs.bits.bytecode_vm.trouble import RefusedError

BITS = 4096  # of a whole number
ITEMS = 10_000  # of a value with everything inside of it; sixteen characters count as one
WIDTH = 1000  # the largest number in a format


def light(*values: Any) -> None:
    """Refuse values that are too heavy to be compared, copied, sorted or printed."""
    left, pending = ITEMS, list(values)
    while pending:
        each = pending.pop()
        left -= 1
        if isinstance(each, str):
            left -= len(each) // 16
        elif isinstance(each, int):
            if each.bit_length() > BITS:
                raise RefusedError(f"a number of more than {BITS:,} bits is refused; compute with smaller ones")
        elif isinstance(each, dict):
            pending += islice((x for item in each.items() for x in item), left + 1)
        elif isinstance(each, list | tuple):
            pending += each[: left + 1]
        elif isinstance(each, set | frozenset):
            pending += islice(each, left + 1)
        if left < 0:
            if holds_itself(values):
                raise RefusedError("a value that holds itself is refused where all of it would be read")
            raise RefusedError(f"a value of more than {ITEMS:,} items is refused; make it smaller")


def holds_itself(values: Iterable[Any]) -> bool:
    """Whether one of these leads back to a value that it is in. Each value is looked into once."""
    done, around = set[int](), set[int]()
    pending = [(each, False) for each in values]
    while pending:
        each, left = pending.pop()
        if left:
            around.discard(id(each))
            done.add(id(each))
        elif id(each) in around:
            return True
        elif isinstance(each, list | tuple | dict) and id(each) not in done:
            around.add(id(each))
            pending.append((each, True))
            pending += [(one, False) for one in (each.values() if isinstance(each, dict) else each)]
    return False


def size(value: Any) -> int:
    return len(value) if isinstance(value, str | list | tuple) else 1


def before_binary(op: str, left: Any, right: Any) -> None:
    """Refuse what would be too large before it is computed."""
    light(left, right)
    whole = isinstance(left, int) and isinstance(right, int)
    if isinstance(left, str) and op == "%":
        raise RefusedError("% with text is not taken here; write an f-string")
    if op == "**" and whole and right > 0 and left.bit_length() * right > BITS and abs(left) > 1:
        raise RefusedError(
            f"{say(left)} ** {say(right)} would have more than {BITS:,} bits; use a smaller exponent"
        )
    if op == "<<" and whole and right > BITS:
        raise RefusedError(f"a shift by {say(right)} is refused; shift by at most {BITS:,}")
    if op == "*":
        for items, times in ((left, right), (right, left)):
            many = isinstance(items, str | list | tuple) and isinstance(times, int)
            if many and size(items) * times > ITEMS:
                raise RefusedError(
                    f"{size(items):,} items {say(times)} times are refused; make fewer than {ITEMS:,}"
                )


def say(number: int) -> str:
    return str(number) if number.bit_length() < 40 else f"a number of {number.bit_length():,} bits"


def before_format(spec: str) -> None:
    if any(len(digits) > 4 or int(digits) > WIDTH for digits in re.findall(r"\d+", spec)):
        raise RefusedError(f"the format {spec[:20]} is refused; ask for a width of at most {WIDTH:,}")
