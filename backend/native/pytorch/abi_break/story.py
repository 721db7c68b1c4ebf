"""The order of the pictures: headers, plugs and sockets, names, bytes of a struct, who takes it, loader, call."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from native.models import elf
from native.models.demangled import demangled
from native.pytorch.abi_break import build, child, itanium, layout, module, sources, takers, tell
from native.pytorch.abi_break.pictures import Break, Fit, Line, Piece, Plug, Socket

if TYPE_CHECKING:
    from native.pytorch.abi_break import Params

LAYOUT = "layout"
MANY = 3
"""More names of C than this are looked at together: there is nothing to take apart"""
SYSTEM = ("GLIBC", "CXXABI", "GCC")
STARTUP = ("_ITM_", "__gmon_start__")
"""Names that a linker leaves in every library, found or not"""


def story(params: Params) -> Iterator[Break]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "work"
        folder.mkdir()
        library = build.beside(folder, params)
        yield (event := start(params, library.name))
        extension = build.extension(folder, params)
        event = replace(event, stage="plugs", **plugged(extension, library, build.promised(folder, params)))
        yield replace(event, text=tell.plugs(event))
        for each in matched(event):
            event = each
            yield replace(event, text=tell.name(event))
        found = child.tried(work(params, extension, library, event))
        if "layouts" in found:
            event = replace(event, stage="layout", **layout.laid_out(params, found))
            yield replace(event, text=tell.fields(event, params))
        missing = [at for at, plug in enumerate(event.plugs) if plug.fit == "open"]
        event = named(event, missing[0]) if missing else event
        if params.change == "Python":
            wheel = takers.tag(event.file, module.built_for(params))
            event = replace(event, stage="find", takers=takers.takers(event.file, wheel), wheel=str(wheel))
            yield replace(event, text=tell.found(event, found["taken"]))
        taken = found.get("taken", True)
        file = event.file if taken else module.RENAMED
        event = replace(event, stage="load", refused=found.get("refused", ""), file=file)
        yield replace(event, text=tell.loaded(event, taken))
        if not event.refused:
            event = replace(event, stage="call", got=f"{found['got']:.6g}")
            yield replace(event, text=tell.called(event))


def matched(event: Break) -> Iterator[Break]:
    """Each name beside the one that the library has in its place; names of C, if they are many, at once."""
    if len(event.plugs) > MANY and not any(plug.symbol.startswith("_Z") for plug in event.plugs):
        plugs = [replace(plug, fit=_fit(event, plug)) for plug in event.plugs]
        yield replace(event, stage="name", plugs=plugs)
        return
    for at in range(len(event.plugs)):
        event = named(event, at)
        yield event


def work(params: Params, extension: Path, library: Path, event: Break) -> Callable[[], dict[str, Any]]:
    """What another process is to do with the extension."""
    if params.change == "Python":
        return partial(child.python, extension)
    if params.change == "string":
        import torch  # noqa: F401 -- its libraries are to be loaded already, as in any program that uses it

        if params.interface == "stable":
            return partial(child.operator, extension)
    passes = params.change == "struct" and params.interface == "plain"
    shape = (event.plugs[0].symbol, *layout.counts(params)) if passes else None
    return partial(child.function, extension, library, shape)


def start(params: Params, library: str) -> Break:
    ours = sources.extension(params).shown
    theirs = sources.library(params, sources.met(params)).shown
    if params.change == "version":
        theirs = [f"-lstats  # release {sources.met(params) + 1}", *ours[1:]]
    call, right = sources.call(params)
    whole = params.change == "string" and params.interface == "stable"  # a program here, a header there
    other = {"ours": ours[1:] if whole else [], "theirs": theirs[1:] if whole else []}
    return Break(
        text=tell.headers(ours == theirs, library, params),
        stage="headers",
        file=module.file(params) if params.change == "Python" else "extension.so",
        ours=[Line(each, each not in theirs and each not in other["ours"]) for each in ours],
        theirs=[Line(each, each not in ours and each not in other["theirs"]) for each in theirs],
        library=library,
        plugs=[],
        others=0,
        sockets=[],
        at=-1,
        asked=[],
        offered=[],
        bytes=np.zeros(0, np.uint8),
        first=0,
        our_fields=[],
        their_fields=[],
        takers=[],
        wheel="",
        refused="",
        call=call,
        got="",
        right=f"{right:.6g}",
    )


def plugged(extension: Path, library: Path, promised: set[str] | None) -> dict[str, Any]:
    """The symbols that are needed, and those of the library that bear the same name, whatever their types."""
    ours, theirs = elf.read(extension), elf.read(library)
    here = [each for each in ours.needed if not _of_system(ours, each)]
    needed = [_versioned(ours, each) for each in here]
    stems = {_stem(each) for each in needed}
    last = {stem.rpartition("::")[2] for stem in stems}
    likely = (each for each in theirs.provided if any(name in each for name in last))  # to read each takes seconds
    sockets: dict[str, str] = {}
    for each in likely:
        # A constructor has several symbols that read the same.
        if each != LAYOUT and _stem(each) in stems and _reads(each) not in sockets.values():
            sockets[_versioned(theirs, each)] = _reads(each)
    names = list(sockets)
    plugs = [
        Plug(each, _reads(each), "waiting", _nearest(each, names), promised is None or each in promised)
        for each in needed
    ]
    others = sum(not each.startswith(STARTUP) for each in ours.needed) - len(here)
    return {"plugs": plugs, "others": others, "sockets": [Socket(*each) for each in sockets.items()]}


def _of_system(library: elf.Library, symbol: str) -> bool:
    """The C and C++ libraries give a version to each of their names."""
    return symbol.startswith(STARTUP) or library.versions.get(symbol, "").startswith(SYSTEM)


def named(event: Break, at: int) -> Break:
    """The next name is taken apart, and beside it the one that the library has in its place."""
    plug = event.plugs[at]
    other = event.sockets[plug.socket].symbol if plug.socket >= 0 else ""
    asked, offered = compared(plug.symbol, other)
    fits = replace(plug, fit=_fit(event, plug))
    plugs = [*event.plugs[:at], fits, *event.plugs[at + 1 :]]
    return replace(event, stage="name", at=at, plugs=plugs, asked=asked, offered=offered)


def _fit(event: Break, plug: Plug) -> Fit:
    return "fits" if plug.socket >= 0 and event.sockets[plug.socket].symbol == plug.symbol else "open"


def compared(one: str, other: str) -> tuple[list[Piece], list[Piece]]:
    """The pieces of two names, each with whether the other has it in its place, too."""
    ours, theirs = _pieces(one), _pieces(other)
    blocks = SequenceMatcher(None, [each.text for each in ours], [each.text for each in theirs], False)
    same = [(block.a + at, block.b + at) for block in blocks.get_matching_blocks() for at in range(block.size)]
    left, right = {a for a, _ in same}, {b for _, b in same}
    return (
        [Piece(each.text, each.role, each.says, at in left) for at, each in enumerate(ours)],
        [Piece(each.text, each.role, each.says, at in right) for at, each in enumerate(theirs)],
    )


def _versioned(library: elf.Library, symbol: str) -> str:
    """With the version that is asked for or offered, as the linker writes it; the system's own are left out."""
    version = library.versions.get(symbol, "")
    return f"{symbol}@{version}" if version else symbol


def _pieces(symbol: str) -> list[itanium.Read]:
    name, _, version = symbol.partition("@")
    pieces = itanium.apart(name) if name else []
    return [*pieces, itanium.Read(f"@{version}", "version", "version")] if version else pieces


def _reads(symbol: str) -> str:
    return demangled(symbol.partition("@")[0])


def _stem(symbol: str) -> str:
    """The name alone, without types."""
    return _reads(symbol).partition("(")[0]


def _nearest(symbol: str, others: list[str]) -> int:
    """The one that is it, else the one most like it among those of the same name; −1 if there is none."""
    alike = [at for at, each in enumerate(others) if _stem(each) == _stem(symbol)]
    return max(alike, key=lambda at: _agree(symbol, others[at]), default=-1)


def _agree(one: str, other: str) -> int:
    """How many letters from the first on."""
    return next((at for at in range(min(len(one), len(other))) if one[at] != other[at]), len(one))
