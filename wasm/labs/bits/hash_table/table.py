"""What every hash table here does: insert, search, delete, and tell each place it looked at.

A ``Trace`` is the story of one operation. The four kinds of table are in chained.py, open_addressing.py,
robin_hood.py and direct.py; `make` builds one, `script` uses it, `survey` measures it, `theory` predicts that, and
`words` tells it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from labs.models.hashing.functions import HashFunction
from labs.models.hashing.keys import Key

Saw = Literal["free", "tombstone", "match", "other", "nearer", "end"]
Outcome = Literal["stored", "updated", "found", "absent", "removed", "full", "dropped", "refused"]


class Probe(NamedTuple):
    """One place looked at. ``depth`` counts the entries of a chain; it is 0 in an open table."""

    slot: int
    saw: Saw
    name: str = ""
    depth: int = 0


@dataclass
class Trace:
    """What one operation looked at, and how it ended."""

    probes: list[Probe] = field(default_factory=list)
    outcome: Outcome = "absent"
    slot: int | None = None
    value: int | None = None
    moved: int = 0
    """Entries that had to change their slot."""
    why: str = ""
    """Of a refusal."""

    def end(self, outcome: Outcome, slot: int | None = None, value: int | None = None) -> Trace:
        self.outcome, self.slot, self.value = outcome, slot, value
        return self

    def refuse(self, why: str) -> Trace:
        self.outcome, self.why = "refused", why
        return self


@dataclass
class Entry:
    key: Key
    value: int
    home: int
    probes: int = 1
    """To reach it, where an entry stays in the slot that it was given."""


class Stored(NamedTuple):
    """An entry, its slot, and how many probes it takes to reach it."""

    entry: Entry
    slot: int
    probes: int


@dataclass(frozen=True)
class Mistakes:
    """Each is one line of difference in a table."""

    forget: bool = False
    """A deleted entry leaves its slot empty."""
    drop: bool = False
    """A full table says nothing."""
    blind: bool = False
    """Insert does not look whether the key is there."""
    unchecked: bool = False
    """Direct addressing takes any index, a negative one from the end."""


class Table(ABC):
    def __init__(self, slots: int, function: HashFunction, mistakes: Mistakes | None = None) -> None:
        self.slots = slots
        self.function = function
        self.mistakes = mistakes or Mistakes()
        self.count = 0

    def home(self, key: Key) -> int:
        return self.function.slot(key.number, self.slots)

    def outside(self, home: int) -> str:
        """Why the hash of a key is no slot; empty where it is one."""
        return "" if 0 <= home < self.slots else f"slot {home} does not exist in a table of {self.slots}"

    @property
    def tombstones(self) -> list[int]:
        return []

    @abstractmethod
    def insert(self, key: Key, value: int) -> Trace: ...

    @abstractmethod
    def search(self, key: Key) -> Trace: ...

    @abstractmethod
    def to_miss(self, key: Key) -> int:
        """How many probes a search takes to learn that a key is not there; none if the key is refused."""

    @abstractmethod
    def delete(self, key: Key) -> Trace: ...

    @abstractmethod
    def entries(self) -> list[Stored]: ...
