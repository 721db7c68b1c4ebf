"""Check: what a reader wrote, tried on cases that the page does not show.

It has the shape of a lab, one event a case, so that whatever runs a lab's source runs it, too. A task is a module
in content/<series>/tasks: STUB is what the reader starts from, the function named like the file is the reference,
``cases()`` yields the arguments of each call, and every function in MISTAKES is a wrong answer that is known, with
what to say of it as its docstring. ``same(got, expected)`` is for results that need their own comparison, and
``known(got, mistaken)`` for mistakes that only such a one tells apart.
"""

from __future__ import annotations

import copy
import io
import traceback
import types
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from labs.contract import Event

FILE = "<your code>"
LONGEST = 600


@dataclass(frozen=True)
class Params:
    name: str
    """Of the task's file, and of the function."""
    task: str
    """The source of the task."""
    answer: str
    """What the reader wrote."""


@dataclass(frozen=True, kw_only=True)
class Case(Event):
    kind: Literal["case"] = "case"
    number: int
    count: int
    passed: bool
    call: str
    expected: str
    got: str
    """What came back, or the error."""
    printed: str
    line: int | None
    """Of the reader's code, where it raised."""


@dataclass(frozen=True, kw_only=True)
class Broken(Event):
    """The answer cannot be tried at all."""

    kind: Literal["broken"] = "broken"
    line: int | None


def run(params: Params) -> Iterator[Case | Broken]:
    task = module(params.task, f"<{params.name}>")
    try:
        answer = getattr(module(params.answer, FILE), params.name, None)
    except (Exception, SystemExit) as error:
        yield Broken(text=tell(error), line=line_of(error))
        return
    if not callable(answer):
        yield Broken(text=f"There is no function {params.name} in the code; its name must stay.", line=None)
        return
    cases = list(task.cases())
    for number, arguments in enumerate(cases, 1):
        yield judge(task, params.name, answer, arguments, number, len(cases))


def judge(task: Any, name: str, answer: Callable[..., Any], arguments: Any, number: int, count: int) -> Case:
    expected = getattr(task, name)(*copy.deepcopy(arguments))
    same = getattr(task, "same", alike)
    printed, line, passed, said = io.StringIO(), None, False, ""
    try:
        with redirect_stdout(printed), np.errstate(all="ignore"):
            result = answer(*copy.deepcopy(arguments))
        got = show(result)
        passed = bool(same(result, expected))
        said = "" if passed else recognise(task, result, arguments)
    except (Exception, SystemExit) as error:
        got, line = tell(error), line_of(error)
    return Case(
        text=said or f"Case {number} of {count} {'passes' if passed else 'fails'}.",
        number=number,
        count=count,
        passed=passed,
        call=f"{name}({', '.join(show(one) for one in arguments)})",
        expected=show(expected),
        got=got,
        printed=printed.getvalue()[:LONGEST],
        line=line,
    )


def recognise(task: Any, result: Any, arguments: Any) -> str:
    """What is known of a wrong result: a listed mistake that gives the same one."""
    known = getattr(task, "known", alike)
    with np.errstate(all="ignore"):
        for mistake in getattr(task, "MISTAKES", ()):
            if known(result, mistake(*copy.deepcopy(arguments))):
                return " ".join((mistake.__doc__ or "").split())
    return ""


def alike(got: Any, expected: Any) -> bool:
    """Equal in shape and kind, and in value up to rounding; NaN equals NaN."""
    if isinstance(expected, tuple):
        return isinstance(got, tuple) and len(got) == len(expected) and all(map(alike, got, expected))
    if isinstance(expected, str | bool) or expected is None:
        return type(got) is type(expected) and bool(got == expected)
    try:
        one, other = np.asarray(got), np.asarray(expected)
        whole = np.issubdtype(one.dtype, np.integer) == np.issubdtype(other.dtype, np.integer)
        return one.shape == other.shape and whole and np.allclose(one, other, rtol=1e-6, atol=1e-9, equal_nan=True)
    except (TypeError, ValueError):
        return False


def module(source: str, file: str) -> Any:
    made = types.ModuleType(file)
    exec(compile(source, file, "exec", dont_inherit=True), made.__dict__)
    return made


def show(value: Any) -> str:
    """A value as it would be typed, without what no reader would read."""
    if isinstance(value, tuple):
        return f"({', '.join(show(one) for one in value)})"
    if isinstance(value, np.ndarray):
        numbers = np.array2string(value, precision=5, separator=", ", threshold=48, edgeitems=2)
        return f"{numbers} {value.dtype}"[:LONGEST]
    return repr(value.item() if isinstance(value, np.generic) else value)[:LONGEST]


def tell(error: BaseException) -> str:
    if isinstance(error, SyntaxError) and error.filename == FILE:
        return f"{type(error).__name__}: {error.msg}"
    return "".join(traceback.format_exception_only(error)).strip()[:LONGEST]


def line_of(error: BaseException) -> int | None:
    if isinstance(error, SyntaxError) and error.filename == FILE:
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE]
    return lines[-1] if lines else None
