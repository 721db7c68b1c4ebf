"""What a reader sees of the road: one picture for each step of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Axes, Event, Float32, Int32
from labs.models.timing import QUARTILES

STATIONS = ("preprocess", "compile", "link", "load", "first call")
WAYS = ("extension", "torch", "Python")
PARTS = ("loop", "memory", "dispatch", "unexplained")


@dataclass(frozen=True)
class Check:
    """What the operator made of one kind of tensor."""

    name: str
    outcome: str
    """equal, refused or wrong"""
    expected: str
    """The first numbers of torch's result"""
    got: str
    """The first numbers of the operator's, or what it said"""


@dataclass(frozen=True, kw_only=True)
class Road(Event):
    """The extension has come one station further."""

    kind: Literal["road"] = "road"
    stage: str
    """source, a station, symbols, check, time or headers"""
    source: list[str]
    """[lines] without headers; empty once there is a library"""
    includes: str
    """The headers: where the functions of torch are declared; empty once there is a library"""
    compiler: str
    stations: list[str]
    state: list[str]
    """[stations] waiting, done or failed"""
    seconds: Annotated[Float32, Axes(station=STATIONS)]
    """[stations] NaN until it was there"""
    command: list[str]
    """[stations] as it was typed; empty until then"""
    output: list[str]
    """[stations] what compiler, linker, loader or torch printed then; empty if nothing"""
    lines: int
    """Lines with code that the preprocessor made of the file; 0 until then"""
    bytes: int
    """Bytes of that"""
    needed: list[str]
    """Symbols that others have to define, as C++ writes them; from the object file on"""
    provider: list[str]
    """[needed] the library that does; empty if none, or as long as nobody has looked"""
    bound: list[bool]
    """[needed] whether the loader has written down its address, as read from the memory of the process"""
    provided: list[str]
    """Symbols that the extension defines for others, as C++ writes them"""
    libraries: list[str]
    """That the library asks the loader for"""
    size: int
    """Bytes of the library"""
    registered: list[str]
    """Schema and kernels of the operator, as torch tells them once the library is loaded"""
    error: str
    """What the road ends with instead: of compiler, loader or torch"""
    checks: list[Check]
    ways: Annotated[Float32, Axes(way=WAYS, quartile=QUARTILES)]
    """[ways, 3] nanoseconds of one call; NaN until measured"""
    parts: Annotated[Float32, Axes(part=PARTS, quartile=QUARTILES)]
    """[parts, 3] nanoseconds of the extension's call; what is unexplained is a difference, and may be below 0"""
    headers: list[str]
    """Whose size was taken, each alone"""
    header_lines: Annotated[Int32, Axes(header="headers")]
    """[headers] lines with code after preprocessing"""
    header_bytes: Annotated[Int32, Axes(header="headers")]
    header_seconds: Annotated[Float32, Axes(header="headers")]
    """[headers] to preprocess"""
