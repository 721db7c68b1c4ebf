"""Python's side of the browser's worker: find a lab, start it, step it, hand out an event, its arrays apart.

The site's worker (frontend/src/runner/pyodide.worker.ts) calls this in Pyodide; nothing calls it on the server.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import json
import operator
import platform
import shutil
import sys
import time
import traceback
import typing
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from labs import discover
from labs.contract import Event, LabError

Step = tuple[str, str]
"""``"event"`` and its JSON; or how the run ended, and why."""

Steps = tuple[int, str, bytearray, str, str]
"""How many events, all of them as a list in JSON, and the bytes of their arrays, for each of which the JSON has the
place where its own begin; how the run ended and why, both empty while it goes on."""

ALIGNED = 8
"""A typed array begins where its numbers may: at a multiple of the size of the widest."""

report: Callable[[str], None] | None = None
"""In development the page sets it: the author of the lab is told where it stopped."""


def versions() -> str:
    return json.dumps({"python": platform.python_version(), "numpy": np.__version__})


@functools.cache
def known(id: str) -> tuple[discover.Lab, dict[str, Any]]:
    """One lab alone: a page has few of them, and importing all takes a phone seconds."""
    lab = discover.describe(importlib.import_module(f"labs.{id.replace('/', '.')}"))
    return lab, typing.get_type_hints(lab.params)


def start(id: str, params: str) -> tuple[str, bool, Any]:
    """The lab's version, whether it measures the reader's device, and its events to come, for ``step``."""
    lab, hints = known(id)
    # JSON from a browser says 3 for 3.0; an event should say what the server's says
    values = {k: float(v) if hints[k] is float else v for k, v in json.loads(params).items()}
    if lab.on_device:
        return lab.version, True, lab.run(lab.params(**values))
    return lab.version, False, events(lab, values)


def events(lab: discover.Lab, values: dict[str, Any]) -> Iterator[Any]:
    yield from lab.run(lab.params(**values))  # even what a run does before its first event happens in a step


def step(events: Iterator[Any], arrays: bytearray) -> Step:
    try:
        return packed(next(events, None), arrays)
    except Exception as error:
        return failed(error)


def steps(events: Iterator[Any], ms: float, most: int = 0) -> Steps:
    """The events of so many milliseconds, at least one. To cross over to JavaScript costs more than most events.

    With ``most`` no more than so many: what a reader waits for does not wait for what comes after it.
    """
    texts: list[str] = []
    arrays = bytearray()
    over = time.perf_counter() + ms / 1000
    while True:
        what, words = step(events, arrays)
        if what != "event":
            return together(texts, arrays, what, words)
        texts.append(words)
        if len(texts) == most or time.perf_counter() >= over:
            return together(texts, arrays)


async def step_later(events: AsyncIterator[Any], wanted: Callable[[], bool]) -> Steps:
    """One event, as ``steps`` gives many: a measurement is not kept waiting for the next."""
    arrays = bytearray()
    try:
        what, words = packed(await anext(events, None), arrays)
    except Exception as error:
        what, words = failed(error) if wanted() else ("cancelled", "")
    return together([words], arrays) if what == "event" else together([], arrays, what, words)


def together(texts: list[str], arrays: bytearray, status: str = "", reason: str = "") -> Steps:
    return len(texts), f"[{','.join(texts)}]", arrays, status, reason


def packed(event: Any, arrays: bytearray) -> Step:
    """As ``contract.pack``, but what JSON has as it is never comes by here, and that is nearly all.

    An array's bytes are copied to the end of ``arrays``, as the lab may write over it before the page has taken it.
    """
    if event is None:
        return "ok", ""

    def plain(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            if over := len(arrays) % ALIGNED:
                arrays.extend(bytes(ALIGNED - over))
            place = len(arrays)
            arrays.extend(value.tobytes())
            return {"dtype": word(value.dtype.char), "shape": value.shape, "data": place}
        if isinstance(value, np.generic):
            return value.item()
        names, read = reader(value.__class__)
        fields = dict(zip(names, read(value), strict=True))
        if isinstance(value, Event):
            fields["text"] = value.text.packed()
        return fields

    return "event", json.dumps(event, default=plain, allow_nan=False, check_circular=False)


@functools.cache
def word(code: str) -> str:
    """What the contract calls a type of numbers; NumPy makes the word anew each time."""
    return np.dtype(code).name


@functools.cache
def reader(kind: Any) -> tuple[list[str], Callable[[Any], tuple[Any, ...]]]:
    """The names of a dataclass's fields, and what reads them all at once."""
    names = [field.name for field in dataclasses.fields(kind)]
    if len(names) > 1:
        return names, operator.attrgetter(*names)
    return names, lambda value: tuple(getattr(value, name) for name in names)


def failed(error: Exception) -> Step:
    if isinstance(error, LabError):
        return "failed", str(error)
    traceback.print_exception(error)
    if report is None:
        return "failed", f"The lab stopped with {type(error).__name__}. Reset it, and please report this."
    labs = str(Path(__file__).parent)
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if each.filename.startswith(labs) and each.filename != __file__]
    where = "".join(f"wasm/labs{each.filename.removeprefix(labs)}:{each.lineno}: " for each in ours[-1:])
    report(found := f"{where}{type(error).__name__}: {error}")
    return "failed", found


def forget() -> None:
    """In development: remove the labs, this module with them, so that they can be loaded again."""
    shutil.rmtree(Path(__file__).parents[1])
    for name in [name for name in sys.modules if name.partition(".")[0] == "labs"]:
        del sys.modules[name]
    importlib.invalidate_caches()
