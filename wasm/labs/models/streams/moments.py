"""A run of a program as pictures, one for each line of the host and each end of something on the device."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from labs.contract import Event, LabError, Sentence
from labs.models.programs.trouble import ProgramError
from labs.models.streams import timeline
from labs.models.streams.host import Host, Step
from labs.models.streams.language import listed
from labs.models.streams.pictures import Arrow, Block, Busy, Conflict, Reading, Span, Work
from labs.models.streams.tell import ended

SHOWN = 6  # conflicts in a picture


@dataclass(frozen=True, kw_only=True)
class Moment(Event):
    """All that has happened up to a moment."""

    kind: Literal["moment"] = "moment"
    stage: Literal["host", "device", "stopped"]
    """Who did something: the host a line, the device an operation"""
    line: int
    """Of the program"""
    now: int
    """µs"""
    end: int
    """µs of the whole run"""
    streams: list[str]
    """The lanes"""
    waiting: list[int]
    """[streams] kernels and copies in the queue that have not started"""
    host: list[Span]
    work: list[Work]
    arrows: list[Arrow]
    compute: list[Busy]
    """How much of the device kernels take"""
    conflicts: list[Conflict]
    more_conflicts: int
    """That are not listed"""
    readings: list[Reading]
    blocks: list[Block]
    ran: int
    """µs in which anything ran on the device"""
    overlapped: int
    """µs of these in which two operations or more ran"""
    overlap: float
    """The share of the one in the other, percent"""
    host_waited: int
    """µs in which the host waited"""


def course(host: Host, program: str) -> Iterator[Moment]:
    """Raises ``LabError`` that says what to change in the program."""
    try:
        steps = [*host.run(listed(program))]
    except ProgramError as wrong:
        message = str(wrong)
        raise LabError(f"{message[:1].upper()}{message[1:]}.") from None
    if not steps:
        raise LabError("The program launches nothing. Write a kernel, as in x = kernel(100).")
    end = max(host.device.finish(host.device.ops), host.now, 1)
    yield from moments(host, steps, end)


def moments(host: Host, steps: list[Step], end: int) -> Iterator[Moment]:
    """In order of time. What the device ends comes before what the host does then."""
    done = [op for op in host.device.ops if op.us]
    order = sorted([*((op.end, 0, op.number) for op in done), *((step.at, 1, n) for n, step in enumerate(steps))])
    last = steps[0]
    reached = -1
    for now, who, number in order:
        if who:
            last, reached = steps[number], number
            stage: Literal["host", "device", "stopped"] = "stopped" if last.stopped else "host"
            yield picture(host, last, stage, last.line, now, end, last.text)
        else:
            op = host.device.ops[number]
            known = steps[reached] if reached >= 0 else None
            yield picture(host, known, "device", op.line, now, end, ended(op))


def picture(
    host: Host,
    step: Step | None,
    stage: Literal["host", "device", "stopped"],
    line: int,
    now: int,
    end: int,
    text: Sentence,
) -> Moment:
    """``step`` is the last one of the host."""
    ops = host.device.ops
    issued = [op for op in ops if op.issued <= now and op.us]
    lanes = [name for name, thing in host.names.items() if thing is None]
    found = timeline.conflicts(host, now)
    ran, overlapped = timeline.overlap(ops, now)
    spans = timeline.spans(host.spans, now)
    return Moment(
        text=text,
        stage=stage,
        line=line,
        now=now,
        end=end,
        streams=lanes,
        waiting=[sum(op.stream == lane and op.start > now for op in issued) for lane in lanes],
        host=spans,
        work=timeline.work(ops, now),
        arrows=[*dict.fromkeys(timeline.arrows(ops, now))],
        compute=timeline.busy(ops, now),
        conflicts=found[:SHOWN],
        more_conflicts=max(0, len(found) - SHOWN),
        readings=host.readings[: step.readings] if step else [],
        blocks=[Block(n, *each) for n, each in enumerate(step.blocks)] if step else [],
        ran=ran,
        overlapped=overlapped,
        overlap=100 * overlapped / ran if ran else 0.0,
        host_waited=sum(span.end - span.start for span in spans if span.doing == "wait"),
    )
