"""From a run that is over to what there was to see of it at one moment."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from labs.models.streams.device import FULL, Op
from labs.models.streams.host import Host
from labs.models.streams.memory import Race
from labs.models.streams.pictures import Arrow, Busy, Conflict, Span, Work


def work(ops: list[Op], now: int) -> list[Work]:
    """Kernels and copies that have started by now."""
    return [
        Work(
            op.number, op.line, op.stream, op.kind, op.label, op.share,
            op.issued, op.start, min(op.end, now), op.end > now,
        )
        for op in ops
        if op.kind != "record" and op.kind != "wait" and op.start <= now
    ]  # fmt: skip


def spans(all_: list[Span], now: int) -> list[Span]:
    return [Span(each.line, each.doing, each.start, min(each.end, now)) for each in all_ if each.start < now]


def arrows(ops: list[Op], now: int) -> Iterator[Arrow]:
    """Waits between streams that are over by now."""
    for op in ops:
        if op.end > now or op.start < 0:
            continue
        if op.kind == "wait":
            for each in op.after:
                source = ops[each]
                if source.kind == "record" and source.stream != op.stream and each not in op.implicit:
                    yield Arrow(op.label, source.stream, source.end, op.stream, op.end, False)
    for op in ops:
        if 0 <= op.start <= now:
            for each in op.implicit:
                source = ops[each]
                yield Arrow(source.label, source.stream, source.end, op.stream, op.start, True)


def busy(ops: list[Op], now: int) -> list[Busy]:
    kernels = [op for op in ops if op.kind == "kernel" and op.start < now]
    times = sorted({at for op in kernels for at in (op.start, min(op.end, now))})
    found = []
    for start, end in pairwise(times):
        if percent := sum(op.share for op in kernels if op.start <= start and op.end >= end):
            found.append(Busy(start, end, min(FULL, percent)))  # a real device starts a part of a kernel
    return found


def overlap(ops: list[Op], now: int) -> tuple[int, int]:
    """µs in which anything ran, and in which two or more did."""
    ran = [(op.start, min(op.end, now)) for op in ops if op.us and op.start < now]
    times = sorted({at for each in ran for at in each})
    some = several = 0
    for start, end in pairwise(times):
        count = sum(each[0] <= start and end <= each[1] for each in ran)
        some += (end - start) * (count >= 1)
        several += (end - start) * (count >= 2)
    return some, several


def conflicts(host: Host, now: int) -> list[Conflict]:
    """Those of which both sides have begun by now."""
    found = [
        Conflict(
            race.first.number, race.second.number, race.block, race.wrong,
            f"{words(race)}: {'this time wrong' if race.wrong else 'right this time, by luck'}",
        )
        for race in host.memory.races
        if max(race.first.start, race.second.start) <= now
    ]  # fmt: skip
    for op, at in host.early:
        if at <= now:
            verdict = "this time wrong" if op.end > at else "right this time, by luck"
            found.append(
                Conflict(op.number, -1, -1, op.end > at, f"the host reads {op.label} without waiting: {verdict}")
            )
    return found


def words(race: Race) -> str:
    if race.old != race.new:
        return f"{race.second.label} is written where {race.first.label} may still need {race.old}"
    if race.first_writes and race.second_writes:
        return f"{race.second.label} and {race.first.label} both write {race.new}"
    if race.first_writes:
        return f"{race.second.label} reads {race.new} without waiting for it"
    return f"{race.second.label} overwrites {race.new}, which {race.first.label} may still read"
