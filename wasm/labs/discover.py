"""Finds labs where they lie: what a series holds is a lab if it has ``Params`` and ``run``, and its path is its id.

There is no list of labs to keep. A small lab is a file; a larger one is a room: a package with the parts that it
alone uses. Finding a lab imports it, so a lab must be cheap to import: what is heavy (torch, LLVM) is imported when
it runs.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import pkgutil
import re
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

PACKAGES = ("labs", "native")
SHARED = ("labs.contract", "labs.models", "native.models")  # sources that a lab's result depends on, beside its own

IMPORT = re.compile(r"^[ \t]*(?:from|import) ([\w.]+)(?: import (\([^)]*\)|.*))?", re.MULTILINE)

Place = Literal["browser", "cpu", "cuda"]


@dataclass(frozen=True)
class Lab:
    """One lab, as its module describes it."""

    id: str  # "<series>/<lab>"
    module: str
    title: str
    summary: str
    runs_on: tuple[Place, ...]
    measures: bool  # True: the events hold timings, which differ from run to run
    shows_python: bool  # True: the events show the Python that runs it, so another version's are different
    params: type
    events: tuple[type, ...]
    run: Callable[[Any], Any]  # an iterator of events; an async one if it runs on the reader's device
    version: str  # changes when the code that makes the events changes
    history: bool = False  # True: the server remembers what its runs came to, by machine
    poster: int | None = None  # the step of its own recorded run that shows most at a glance, counted from 1
    front: tuple[str, ...] = ()  # a lab for the browser that begins with the same events, and its parameters
    asks: tuple[str, ...] = ()  # a lab for the server that a figure asks, too, and the parameters that both have

    @property
    def on_device(self) -> bool:
        """Whether it measures the reader's own device: it runs in their browser and nowhere else."""
        return self.runs_on == ("browser",)


class NotALabError(ValueError):
    """A module that does not keep the contract; like a SyntaxError it knows the file and the line to fix."""

    def __init__(self, module: ModuleType, lineno: int, what: str) -> None:
        super().__init__(f"{module.__name__} is not a lab yet: {what}")
        self.filename, self.lineno, self.msg = str(module.__file__), lineno, str(self)


def find(packages: tuple[str, ...] = PACKAGES) -> dict[str, Lab]:
    """All labs of the given packages, by id, in alphabetical order. Packages that are not installed are skipped."""
    labs: dict[str, Lab] = {}
    for module in (each for package in packages for each in _in_series(package)):
        if hasattr(module, "Params") and hasattr(module, "run"):
            lab = describe(module)
            if lab.id in labs:
                raise ValueError(f"two labs are called {lab.id}: {labs[lab.id].module} and {lab.module}")
            labs[lab.id] = lab
    return dict(sorted(labs.items()))


def _in_series(package: str) -> Iterator[ModuleType]:
    """The files and rooms of each series; the parts in a room are nobody's business."""
    if importlib.util.find_spec(package) is None:
        return
    for series in _below(importlib.import_module(package)):
        if series.ispkg and not series.name.startswith(SHARED):
            for lab in _below(importlib.import_module(series.name)):
                yield importlib.import_module(lab.name)


def _below(package: ModuleType) -> Iterator[pkgutil.ModuleInfo]:
    return pkgutil.iter_modules(package.__path__, f"{package.__name__}.")


def describe(module: ModuleType) -> Lab:
    """Read a lab off its module. Raises ``NotALabError`` naming the module and what is missing."""

    def refuse(what: str, lineno: int = 1) -> typing.NoReturn:
        raise NotALabError(module, lineno, what)

    def hints_of(what: Any) -> dict[str, Any]:
        try:
            return typing.get_type_hints(what)
        except Exception as error:  # an annotation is an expression: anything may come of it
            refuse(
                f"the annotations of {what.__name__} cannot be read: {error}",
                line_of(what, getattr(error, "name", "")),
            )

    package, _, rest = module.__name__.partition(".")
    first_line = (module.__doc__ or "").partition("\n")[0]
    title, colon, summary = first_line.partition(": ")
    if not colon:
        refuse('its docstring must open with "Title: summary."')
    hints = hints_of(module.run)
    params: type = module.Params
    if hints.get("params") is not params:
        refuse("the signature must be run(params: Params) -> Iterator[...]", line_of(module.run))
    (yielded,) = typing.get_args(hints.get("return")) or refuse(
        "run must say which events it yields", line_of(module.run)
    )
    events = typing.get_args(yielded) or (yielded,)
    wanted = hints_of(params)
    devices = typing.get_args(wanted.get("device"))
    if "device" in wanted and not {*devices} & {"cpu", "cuda"}:
        refuse(
            'a parameter called device is a Literal of "cpu" and "cuda", where the lab runs; call this another name'
        )
    places: tuple[Place, ...] = ("browser", "cpu") if package == "labs" else tuple(devices) or ("cpu",)
    if inspect.isasyncgenfunction(module.run):  # it waits for the reader's device
        if package != "labs":
            refuse("only a lab for browsers may be an async generator", line_of(module.run))
        places = ("browser",)
    return Lab(
        id=rest.replace(".", "/"),
        module=module.__name__,
        title=title,
        summary=summary,
        runs_on=places,
        measures=getattr(module, "MEASURES", False),
        shows_python=getattr(module, "SHOWS_PYTHON", False),
        params=params,
        events=events,
        run=module.run,
        version=_version(module),
        history=getattr(module, "HISTORY", False),
        poster=getattr(module, "POSTER", None),
        front=_front(getattr(module, "FRONT", "")),
        asks=getattr(module, "ASKS", ()),
    )


def line_of(what: Any, word: str = "") -> int:
    """The line of a class or function in its file that holds a word; its first if none does."""
    lines, first = inspect.getsourcelines(what)
    return first + next((below for below, line in enumerate(lines) if word and word in line), 0)


def _front(lab: str) -> tuple[str, ...]:
    if not lab:
        return ()
    module = importlib.import_module(f"labs.{lab.replace('/', '.')}")
    return (lab, *(each.name for each in fields(module.Params)))


@cache
def _version(module: ModuleType) -> str:
    return version(module.__name__)


def version(lab: str) -> str:
    """A hash over all sources of a lab, as they lie there now."""
    digest = hashlib.sha256()
    for path in sources(lab).values():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def sources(lab: str) -> dict[str, Path]:
    """The source files that a lab consists of: its own, the parts in its room, and what it shares with others."""
    room = f"{lab}."
    pending, seen, found = [lab], {lab}, dict[str, Path]()
    while pending:
        module = pending.pop()
        spec = importlib.util.find_spec(module)
        assert spec is not None and spec.origin is not None
        found[module] = Path(spec.origin)
        imported = _imports(found[module].read_text(encoding="utf-8"))
        new = {one for one in imported if one.startswith((room, *SHARED))} - seen
        seen |= new
        pending += new
    return {
        name: found[name] for name in sorted(found, key=lambda name: (name != lab, name[: len(room)] != room, name))
    }


@cache
def _imports(source: str) -> frozenset[str]:
    """The modules that a source file imports: ``from a.b import c`` may mean a.b or, in ours, the module a.b.c.

    Read off the lines: parsing all files takes longer than importing all labs, and ``make dev`` waits for it.
    """
    found = set[str]()
    for module, names in IMPORT.findall(source):
        found.add(module)
        ours = module.partition(".")[0] in {shared.partition(".")[0] for shared in SHARED}
        spec = importlib.util.find_spec(module) if names and ours else None
        if spec and spec.submodule_search_locations:  # looking inside a plain module would import it, and torch
            inner = (f"{module}.{name}" for name in re.findall(r"\w+", names))
            found |= {name for name in inner if importlib.util.find_spec(name)}
    return frozenset(found)
