"""What a picture is made of: bands of tags, and wheels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Band:
    """Accepted triples that differ in their platform alone."""

    python: str
    abi: str
    first: int
    """Where they begin among all triples, from 0"""
    count: int


@dataclass(frozen=True)
class Wheel:
    """A file, and what became of its tags."""

    file: str
    python: str
    abi: str
    platform: str
    python_known: bool
    """Some accepted triple has this tag"""
    abi_known: bool
    """Some accepted triple has this ABI, for this Python if that is known"""
    platform_known: bool
    rank: int
    """The place of its best triple among those accepted, from 0; −1 if none is"""
    state: Literal["waiting", "fits", "refused"]
