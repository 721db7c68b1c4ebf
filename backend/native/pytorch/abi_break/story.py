"""The order of the pictures: headers, plugs and sockets, each name, the bytes of a struct, the loader, the call."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from native.models import elf
from native.models.demangled import demangled
from native.pytorch.abi_break import build, child, itanium, sources, tell
from native.pytorch.abi_break.pictures import Break, Field, Line, Piece, Plug, Socket

if TYPE_CHECKING:
    from native.pytorch.abi_break import Params

TYPES = {4: ("int", "<i"), 8: ("double", "<d")}
LAYOUT = "layout"


def story(params: Params) -> Iterator[Break]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        torch = _torch() if params.change == "string" else folder
        extension = build.extension(folder, params, torch)
        ours = elf.read(extension)
        library = (torch if params.change == "string" else extension.parent) / ours.libraries[0]
        theirs = elf.read(library)
        yield (event := start(params, library.name))
        event = replace(event, stage="plugs", **plugged(ours, theirs))
        yield replace(event, text=tell.plugs(event))
        for at in range(len(event.plugs)):
            event = named(event, at)
            yield replace(event, text=tell.name(event))
        passes = params.change == "struct" and params.interface == "plain"
        shape = (event.plugs[0].symbol, *_counts(params)) if passes else None
        found = child.tried(extension, library, shape)
        if shape:
            event = replace(event, stage="layout", **laid_out(params, found))
            yield replace(event, text=tell.layout(event))
        missing = [at for at, plug in enumerate(event.plugs) if plug.fit == "open"]
        event = named(event, missing[0]) if missing else event
        event = replace(event, stage="load", refused=found.get("refused", ""))
        yield replace(event, text=tell.loaded(event))
        if not event.refused:
            event = replace(event, stage="call", got=f"{found['got']:.6g}")
            yield replace(event, text=tell.called(event))


def _torch() -> Path:
    import torch

    return Path(torch.__file__).parent / "lib"


def start(params: Params, library: str) -> Break:
    ours = sources.extension(params).shown
    if params.change == "string":  # PyTorch's own build differs in nothing but the flag
        theirs = [each.replace("ABI=0", "ABI=1") for each in ours]
    elif params.change == "version":
        theirs = [f"-lstats  # release {sources.met(params) + 1}", *ours[1:]]
    else:
        theirs = sources.library(params, sources.met(params)).shown
    call, right = sources.call(params)
    return Break(
        text=tell.headers(ours == theirs, library, params),
        stage="headers",
        ours=[Line(each, each not in theirs) for each in ours],
        theirs=[Line(each, each not in ours) for each in theirs],
        library=library,
        plugs=[],
        sockets=[],
        at=-1,
        asked=[],
        offered=[],
        bytes=np.zeros(0, np.uint8),
        our_fields=[],
        their_fields=[],
        refused="",
        call=call,
        got="",
        right=f"{right:.6g}",
    )


def plugged(ours: elf.Library, theirs: elf.Library) -> dict[str, Any]:
    """The symbols that are needed, and those of the library that bear the same name, whatever their types."""
    needed = [_versioned(ours, each) for each in ours.needed]
    stems = {_stem(each) for each in needed}
    last = {stem.rpartition("::")[2] for stem in stems}
    likely = (each for each in theirs.provided if any(name in each for name in last))  # to read each takes seconds
    sockets: dict[str, str] = {}
    for each in likely:
        # A constructor has several symbols that read the same.
        if each != LAYOUT and _stem(each) in stems and _reads(each) not in sockets.values():
            sockets[_versioned(theirs, each)] = _reads(each)
    names = list(sockets)
    plugs = [Plug(each, _reads(each), "waiting", _nearest(each, names)) for each in needed]
    return {"plugs": plugs, "sockets": [Socket(*each) for each in sockets.items()]}


def named(event: Break, at: int) -> Break:
    """The next name is taken apart, and beside it the one that the library has in its place."""
    plug = event.plugs[at]
    other = event.sockets[plug.socket].symbol if plug.socket >= 0 else ""
    asked, offered = compared(plug.symbol, other)
    fits = replace(plug, fit="fits" if plug.symbol == other else "open")
    plugs = [*event.plugs[:at], fits, *event.plugs[at + 1 :]]
    return replace(event, stage="name", at=at, plugs=plugs, asked=asked, offered=offered)


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


def laid_out(params: Params, found: dict[str, Any]) -> dict[str, Any]:
    data = bytes(found["bytes"])
    names = [sources.FIELDS[release] for release in (sources.built_against(params), sources.met(params))]
    places = [
        {name: (where[2 * at], where[2 * at + 1]) for at, name in enumerate(of)}
        for of, where in zip(names, found["layouts"], strict=True)
    ]
    fields = [
        [_field(name, *place, data, places[1 - side].get(name) == place) for name, place in places[side].items()]
        for side in range(2)
    ]
    return {"bytes": np.frombuffer(data, np.uint8), "our_fields": fields[0], "their_fields": fields[1]}


def _field(name: str, at: int, size: int, data: bytes, same: bool) -> Field:
    type_, code = TYPES[size]
    return Field(name, type_, at, size, f"{struct.unpack_from(code, data, at)[0]:.6g}", same)


def _counts(params: Params) -> tuple[int, int]:
    return len(sources.FIELDS[sources.built_against(params)]), len(sources.FIELDS[sources.met(params)])


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
