"""A device with streams: operations wait for their turn, for events and for an engine, and then take their time.

Nothing is preempted, and an operation whose engine is full lets a later one pass that fits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["kernel", "to device", "to host", "record", "wait"]
FULL = 100  # percent


@dataclass
class Op:
    """Something in a stream's queue."""

    number: int
    line: int
    stream: str
    kind: Kind
    label: str
    us: int = 0
    share: int = 0
    issued: int = 0
    """When the host put it into the queue, µs"""
    after: list[int] = field(default_factory=list)
    """Operations that end before it starts: the one ahead in its stream, and those waited for"""
    implicit: list[int] = field(default_factory=list)
    """Of these, those of other streams that the legacy default stream brings"""
    known: int = 0
    """A bit for each operation that has surely ended when this one starts"""
    start: int = -1
    end: int = -1

    @property
    def bit(self) -> int:
        return 1 << self.number


class Device:
    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.now = 0

    def issue(self, op: Op) -> None:
        self.ops.append(op)
        self._start()

    def advance(self, until: int) -> None:
        """Lets time go on; all that ends up to then has ended."""
        while (end := min((op.end for op in self.ops if op.end > self.now), default=until + 1)) <= until:
            self.now = end
            self._start()
        self.now = max(self.now, until)
        self._start()

    def finish(self, ops: list[Op]) -> int:
        """When all of these have ended. Nothing that is issued later can change that."""
        while waiting := [op for op in ops if op.end < 0]:
            running = [op.end for op in self.ops if op.end > self.now]
            assert running, f"{waiting[0].label} waits for what never ends"
            self.advance(min(running))
        return max((op.end for op in ops), default=0)

    def _start(self) -> None:
        """Starts what can start now, in the order in which it became ready."""
        while True:
            ready = [(self._ready(op), op.number) for op in self.ops if op.start < 0]
            able = sorted((at, number) for at, number in ready if 0 <= at <= self.now)
            first = next((self.ops[number] for _, number in able if self._fits(self.ops[number])), None)
            if first is None:
                return
            first.start, first.end = self.now, self.now + first.us

    def _ready(self, op: Op) -> int:
        """-1 as long as nobody knows."""
        ends = [self.ops[each].end for each in op.after]
        return -1 if -1 in ends else max([op.issued, *ends])

    def _fits(self, op: Op) -> bool:
        running = [each for each in self.ops if each.start >= 0 and each.end > self.now and each.us]
        if op.kind == "kernel":
            return sum(each.share for each in running if each.kind == "kernel") + op.share <= FULL
        return not op.us or all(each.kind != op.kind for each in running)
