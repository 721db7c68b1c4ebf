"""What the names of a program stand for: streams, events, tensors, times, and answers on the host."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from labs.models.programs.trouble import ProgramError
from labs.models.streams.device import Device, Op
from labs.models.streams.language import Do
from labs.models.streams.memory import Memory, Tensor

STREAMS = 4  # beside the default one


@dataclass
class Event:
    recorded: Op | None = None


@dataclass
class Clock:
    at: int
    issued: int
    """How many operations had been launched"""


@dataclass
class Answer:
    """What a copy to the host fills."""

    op: Op


Thing = Event | Tensor | Clock | Answer | None  # None is a stream
T = TypeVar("T")


@dataclass
class Names:
    device: Device = field(default_factory=Device)
    memory: Memory = field(default_factory=Memory)
    now: int = 0
    known: int = 0
    """A bit for each operation of which the host knows that it has ended"""
    names: dict[str, Thing] = field(default_factory=lambda: dict[str, Thing](default=None))
    last: dict[str, Op] = field(default_factory=dict)
    """The operation that was put last into each stream"""

    def allocate(self, do: Do) -> Tensor:
        tensor, seen = self.memory.allocate(do.target, self.stream(do, do.stream), self.now)
        self.known |= seen
        return tensor

    def bind(self, line: int, name: str, thing: Thing) -> None:
        if name == "default" or (name in self.names and self.names[name] is None):
            raise ProgramError(f"line {line}: {name} is a stream already; take another name")
        self.drop(name)
        self.names[name] = thing

    def drop(self, name: str) -> None:
        tensor = self.names.get(name)
        if isinstance(tensor, Tensor):
            tensor.names.discard(name)
            if not tensor.names:
                self.memory.free(tensor, self.last)

    def new_stream(self, do: Do) -> None:
        if do.target in self.names:
            raise ProgramError(f"line {do.line}: {do.target} has a meaning already; take another name")
        if sum(each is None for each in self.names.values()) > STREAMS:
            raise ProgramError(f"line {do.line}: at most {STREAMS} streams are drawn, beside the default one")
        self.names[do.target] = None

    def stream(self, do: Do, name: str) -> str:
        if name not in self.names or self.names[name] is not None:
            raise ProgramError(f"line {do.line}: {name} is no stream; make it with {name} = Stream()")
        return name

    def event(self, do: Do, name: str) -> Event:
        return self.thing(do, name, Event, f"an event; make it with {name} = Event()")

    def tensor(self, do: Do, name: str) -> Tensor:
        return self.thing(do, name, Tensor, "a tensor on the device; make it with kernel, to_device or empty")

    def thing(self, do: Do, name: str, kind: type[T], what: str) -> T:
        found = self.names.get(name)
        if not isinstance(found, kind):
            raise ProgramError(f"line {do.line}: {name} is not {what}")
        return found
