"""What becomes of one command line in one of the programs."""

from __future__ import annotations

import contextlib
import importlib.metadata
import inspect
import io
import os
import platform
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from native.tools.parsers_compared.watch import Taken, Token, watched

NAMES = ("images", "width", "shift", "verbose", "format")
COLUMNS = 72


@dataclass(frozen=True)
class Outcome:
    """Of one library."""

    library: str
    version: str
    """Its own, or Python's for what comes with Python."""
    source: str
    """The program, as it is declared with this library."""
    values: list[str]
    """As Python writes them, in the order of ``NAMES``; empty if the body of the program was not reached."""
    status: int
    """Exit code."""
    stdout: str
    stderr: str
    taken: list[Taken]
    """By parameters, in the order in which they took it."""


def attempt(library: str, program: Callable[[list[str], dict[str, Any]], None], arguments: list[str]) -> Outcome:
    found: dict[str, Any] = {}
    out, err = io.StringIO(), io.StringIO()
    status: Any = 0
    tokens: list[str] = [Token.at(place, text) for place, text in enumerate(arguments)]
    with plain(), watched() as watch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            program(tokens, found)
        except SystemExit as ended:
            status = ended.code
    values = [alike(found[name]) for name in NAMES] if found else []
    texts = out.getvalue(), err.getvalue()
    taken = [each for each in watch.taken if each.name in NAMES]
    return Outcome(library, version(library), text(program), values, int(status or 0), *texts, taken)


@contextlib.contextmanager
def plain() -> Iterator[None]:
    """A terminal of known width, without colours."""
    before = dict(os.environ)
    os.environ.update(COLUMNS=str(COLUMNS), TERMINAL_WIDTH=str(COLUMNS), NO_COLOR="1")
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def alike(value: Any) -> str:
    """As Python writes it; a tuple and a list of the same are the same to us."""
    return repr(list(value) if isinstance(value, tuple) else value)


def version(library: str) -> str:
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return platform.python_version()


def text(program: Callable[..., None]) -> str:
    """The body of a program."""
    lines = inspect.getsource(program).split("\n")[1:]
    return textwrap.dedent("\n".join(line.split("  #")[0] for line in lines)).strip()
