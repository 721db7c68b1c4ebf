"""A program whose times are known already: the host and the device do everything when a real one did."""

from __future__ import annotations

from dataclasses import dataclass, field

from labs.models.streams.device import Device, Op
from labs.models.streams.host import Host
from labs.models.streams.language import Do
from labs.models.streams.pictures import Doing, Reading, Span


@dataclass(frozen=True)
class Log:
    """When everything happened, in µs from the first line on."""

    lines: list[tuple[int, int]]
    """[lines executed] when the host began with each and when it went on"""
    work: list[tuple[int, int]]
    """[kernels and copies] when the device began with each and when it was done"""
    elapsed: list[int]
    """[lines that ask] µs between two events"""
    stopped: bool = False
    """The last line ended the program"""


class Played(Device):
    """A device that knows beforehand when it does what. Marks and waits are over when all before them is."""

    def __init__(self, times: list[tuple[int, int]]) -> None:
        super().__init__()
        self.times = iter(times)

    def issue(self, op: Op) -> None:
        if op.us:
            op.start, op.end = next(self.times)
            op.us = max(1, op.end - op.start)
        else:
            op.start = op.end = max([op.issued, *(self.ops[each].end for each in op.after)])
        self.ops.append(op)

    def advance(self, until: int) -> None:
        self.now = max(self.now, until)

    def finish(self, ops: list[Op]) -> int:
        return max((op.end for op in ops), default=0)


@dataclass
class Replay(Host):
    log: Log = field(kw_only=True)
    device: Device = field(init=False)
    executed: int = 0
    until: int = 0
    """When the host went on after this line"""

    def __post_init__(self) -> None:
        self.device = Played(self.log.work)

    def execute(self, do: Do) -> bool:
        began, self.until = self.log.lines[self.executed]
        self.executed += 1
        self.now = max(self.now, began)
        ready = super().execute(do)
        self.now = max(self.now, self.until)
        return ready

    def spend(self, do: Do, doing: Doing, us: int) -> None:
        """The whole line; a copy that the host waits for is launched until the device begins with it."""
        until = self.until
        if doing == "launch" and do.verb in ("to_device", "to_host") and not (do.pinned and do.non_blocking):
            until = min(until, max(self.now, self.log.work[sum(bool(op.us) for op in self.device.ops)][0]))
        if until > self.now:
            self.spans.append(Span(do.line, doing, self.now, until))
            self.now = until
        self.device.advance(self.now)

    def elapsed(self, do: Do) -> bool:
        """Whether the events had happened is known, too."""
        if self.log.stopped and self.executed == len(self.log.lines):
            return False
        first, second = (self.event(do, name).recorded for name in do.names)
        assert first and second, "a program that forgets to record was refused before"
        us = self.log.elapsed[sum(each.clock == "events" for each in self.readings)]
        self.readings.append(Reading(do.line, "events", first.end, second.end, us, False))
        return True
