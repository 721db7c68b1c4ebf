"""Finds labs by walking packages: a module with ``Params`` and ``run`` is a lab, its path is its id.

There is no list of labs to keep. Finding a lab imports its module, so a lab must be cheap to import: what is
heavy (torch, LLVM) is imported when it runs.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import pkgutil
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

PACKAGES = ("labs", "native")
SHARED = ("labs.contract", "labs.models", "native.models")  # sources that a lab's result depends on

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
    run: Callable[[Any], Iterator[Any]]
    version: str  # changes when the code that makes the events changes
    front: tuple[str, ...] = ()  # a lab for the browser that begins with the same events, and its parameters


def find(packages: tuple[str, ...] = PACKAGES) -> dict[str, Lab]:
    """All labs of the given packages, by id, in alphabetical order. Packages that are not installed are skipped."""
    labs: dict[str, Lab] = {}
    for package in packages:
        if importlib.util.find_spec(package) is None:
            continue
        root = importlib.import_module(package)
        for info in pkgutil.walk_packages(root.__path__, f"{package}."):
            if info.ispkg or info.name.startswith(SHARED):
                continue
            module = importlib.import_module(info.name)
            if hasattr(module, "Params") and hasattr(module, "run"):
                lab = describe(module)
                if lab.id in labs:
                    raise ValueError(f"two labs are called {lab.id}: {labs[lab.id].module} and {lab.module}")
                labs[lab.id] = lab
    return dict(sorted(labs.items()))


def describe(module: ModuleType) -> Lab:
    """Read a lab off its module. Raises ``ValueError`` naming the module and what is missing."""

    def refuse(what: str) -> typing.NoReturn:
        raise ValueError(f"{module.__name__} is not a lab yet: {what}")

    package, _, rest = module.__name__.partition(".")
    first_line = (module.__doc__ or "").partition("\n")[0]
    title, colon, summary = first_line.partition(": ")
    if not colon:
        refuse('its docstring must open with "Title: summary."')
    hints = typing.get_type_hints(module.run, include_extras=True)
    params: type = module.Params
    if hints.get("params") is not params:
        refuse("the signature must be run(params: Params) -> Iterator[...]")
    (yielded,) = typing.get_args(hints.get("return")) or refuse("run must say which events it yields")
    events = typing.get_args(yielded) or (yielded,)
    devices = typing.get_args(typing.get_type_hints(params).get("device", ()))
    return Lab(
        id=rest.replace(".", "/"),
        module=module.__name__,
        title=title,
        summary=summary,
        runs_on=("browser", "cpu") if package == "labs" else tuple(devices) or ("cpu",),
        measures=getattr(module, "MEASURES", False),
        shows_python=getattr(module, "SHOWS_PYTHON", False),
        params=params,
        events=events,
        run=module.run,
        version=_version(module.__name__),
        front=_front(getattr(module, "FRONT", "")),
    )


def _front(lab: str) -> tuple[str, ...]:
    if not lab:
        return ()
    module = importlib.import_module(f"labs.{lab.replace('/', '.')}")
    return (lab, *(each.name for each in fields(module.Params)))


@cache
def _version(name: str) -> str:
    """A hash over the source of a module and of every shared module that it imports, directly or not."""
    digest = hashlib.sha256()
    for path in sources(name).values():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def sources(name: str) -> dict[str, Path]:
    """The source files of a module and of every shared module that it imports, directly or not; its own first."""
    pending, found = [name], dict[str, Path]()
    seen = {name}
    while pending:
        module = pending.pop()
        spec = importlib.util.find_spec(module)
        assert spec is not None and spec.origin is not None
        found[module] = Path(spec.origin)
        new = {one for one in _imports(found[module].read_text(encoding="utf-8")) if one.startswith(SHARED)} - seen
        seen |= new
        pending += sorted(new)
    return found


def _imports(source: str) -> Iterator[str]:
    """The modules that a source file imports: ``from a.b import c`` may mean a.b or the module a.b.c."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            spec = importlib.util.find_spec(node.module) if node.module.startswith(SHARED) else None
            if spec and spec.submodule_search_locations:  # looking inside a plain module would import it, and torch
                inner = (f"{node.module}.{alias.name}" for alias in node.names)
                yield from (name for name in inner if importlib.util.find_spec(name))
