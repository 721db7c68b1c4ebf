"""What a picture is made of: declarations, plugs and sockets, the pieces of a name, and fields over bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Uint8

Fit = Literal["waiting", "fits", "open"]


@dataclass(frozen=True)
class Line:
    """Of what one side was compiled with."""

    text: str
    changed: bool
    """The other side has no such line"""


@dataclass(frozen=True)
class Plug:
    """A symbol that the extension needs."""

    symbol: str
    """As it stands in the file, with its version if it has one"""
    reads: str
    """As C++ writes it"""
    fit: Fit
    socket: int
    """Which symbol of the library is meant, from 0; −1 if none is alike"""
    promised: bool
    """The library says that it keeps this name and what it takes"""


@dataclass(frozen=True)
class Socket:
    """A symbol that the library defines."""

    symbol: str
    reads: str


@dataclass(frozen=True)
class Piece:
    """A part of a mangled name."""

    text: str
    role: str
    """mark, name, type, around, again or version"""
    says: str
    """What it stands for"""
    same: bool
    """The other side has it, too"""


@dataclass(frozen=True)
class Field:
    """A field of a struct, where one side believes it to be."""

    name: str
    type: str
    at: int
    """Bytes from the beginning"""
    size: int
    """In bytes"""
    value: str
    """What the bytes there are as that type"""
    same: bool
    """The other side has it in the same place"""


@dataclass(frozen=True)
class Taker:
    """A Python that is offered the file."""

    python: str
    finds: bool
    """Its importer looks for files that end like this one"""
    installs: bool
    """Its pip accepts the tags of a wheel with this file"""


@dataclass(frozen=True, kw_only=True)
class Break(Event):
    """An extension and the library that it is loaded beside, one step further."""

    kind: Literal["break"] = "break"
    stage: Literal["headers", "plugs", "name", "layout", "find", "load", "call"]
    file: str
    """The extension's own"""
    ours: list[Line]
    """What the extension was compiled with"""
    theirs: list[Line]
    """What the library was compiled with"""
    library: str
    """Its file"""
    plugs: list[Plug]
    others: int
    """Names that it needs of the C and C++ libraries besides"""
    sockets: list[Socket]
    """Those that are alike; the library may have more"""
    at: int
    """The plug whose name is taken apart, from 0; −1 for none"""
    asked: list[Piece]
    """Of the name that is needed"""
    offered: list[Piece]
    """Of the name that the library defines"""
    bytes: Annotated[Uint8, "of the struct, as the library has written them"]
    """[bytes] of the struct, in the library's memory; empty if none passes"""
    first: int
    """Offset of the first of these bytes"""
    our_fields: list[Field]
    their_fields: list[Field]
    takers: list[Taker]
    """Empty unless the file is a module for Python"""
    wheel: str
    """The tags of a wheel with this file; empty unless it is a module for Python"""
    refused: str
    """What the loader says; empty if it has not spoken, or has no complaint"""
    call: str
    """What the extension is asked, as Python writes it"""
    got: str
    """What came back; empty before the call"""
    right: str
    """What should come back"""
