"""Which wheel is installed: the tags that a platform accepts, best first, and the wheels that carry one of them.

A file name ends with three tags: for which Python, for which ABI of it, for which platform. The library that pip
uses lists the triples that a Python accepts, the best first, and the wheel with the earliest of them wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Interval, Label

from native.pytorch.wheel_tags.judged import Band, Wheel


@dataclass(frozen=True)
class Params:
    python: Annotated[Literal["3.9", "3.10", "3.11", "3.12", "3.13", "3.14"], Label("Python", main=True)] = "3.12"
    system: Annotated[Literal["Linux, glibc", "Linux, musl", "macOS", "Windows"], Label("System", main=True)] = (
        "Linux, glibc"
    )
    glibc: Annotated[
        int,
        Interval(ge=12, le=44),
        Label("glibc 2.", help="For a Linux with glibc; 2.17 is from 2012, 2.36 from 2022."),
    ] = 28
    machine: Annotated[Literal["x86_64", "arm64"], Label("Processor")] = "x86_64"
    free_threaded: Annotated[
        bool, Label("Free-threaded", help="A build of Python without the global interpreter lock, from 3.13 on.")
    ] = False
    wheels: Annotated[
        Literal["all", "one for each Python", "stable ABI", "Python alone"],
        Label("Wheels", help="What the package offers."),
    ] = "all"


@dataclass(frozen=True, kw_only=True)
class Resolve(Event):
    """The tags that are accepted, and the wheels that were compared with them so far."""

    kind: Literal["resolve"] = "resolve"
    stage: Literal["tags", "wheel", "chosen"]
    count: int
    """Triples that this Python accepts"""
    platforms: list[str]
    """Tags of the platform that are accepted, the best first"""
    bands: list[Band]
    """The same, in order, with those that differ in their platform alone put together"""
    wheels: list[Wheel]
    """In the order of the file names; at last the best first, and then those that do not fit"""
    now: str
    """The file that was compared just now; empty for none"""
    chosen: str
    """The file that is installed; empty if none fits, or not yet known"""


def run(params: Params) -> Iterator[Resolve]:
    from native.pytorch.wheel_tags.story import story

    for fields in story(params):
        yield Resolve(**fields)
