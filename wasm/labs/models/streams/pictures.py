"""What a figure shows of a run at one moment: bars, arrows, races, times that were printed, and blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Doing = Literal["launch", "wait", "work"]


@dataclass(frozen=True)
class Span:
    """What the host is busy with."""

    line: int
    doing: Doing
    start: int
    """µs"""
    end: int
    """µs; that of the picture, if it goes on"""


@dataclass(frozen=True)
class Work:
    """A kernel or a copy that has started."""

    number: int
    line: int
    stream: str
    kind: Literal["kernel", "to device", "to host"]
    label: str
    """The tensor that it makes"""
    share: int
    """Percent of the device; 0 for a copy"""
    issued: int
    """When the host put it into its queue, µs"""
    start: int
    end: int
    """µs; that of the picture, if it still runs"""
    running: bool


@dataclass(frozen=True)
class Arrow:
    """A stream that waited for another one."""

    name: str
    """Of the event, or of the stream"""
    source: str
    at: int
    """When the source was so far, µs"""
    target: str
    until: int
    """When the target went on, µs"""
    implicit: bool
    """Nobody asked for it: the legacy default stream does it"""


@dataclass(frozen=True)
class Conflict:
    """Two pieces of work on one block of memory that nothing puts in order."""

    first: int
    """Of the work, by its number"""
    second: int
    """Of the work; -1 for the host"""
    block: int
    wrong: bool
    """This time it went wrong"""
    words: str


@dataclass(frozen=True)
class Reading:
    """A time that the program printed."""

    line: int
    clock: Literal["host", "events"]
    start: int
    """Where the clock was read first, µs"""
    end: int
    us: int
    running: bool
    """Something that was launched since then had not ended"""


@dataclass(frozen=True)
class Block:
    """Memory of the caching allocator."""

    number: int
    stream: str
    """Where it was allocated, and is used again"""
    tensor: str
    """Empty if it is free"""


@dataclass(frozen=True)
class Busy:
    """A time in which the share of the device that kernels take was the same."""

    start: int
    end: int
    percent: int
