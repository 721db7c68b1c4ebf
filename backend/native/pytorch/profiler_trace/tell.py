"""The sentences."""

from __future__ import annotations

from statistics import median

import numpy as np
from labs.contract import Float32, Int32, Sentence, say

from native.pytorch.profiler_trace.pictures import Difference, Row, Step
from native.pytorch.profiler_trace.spans import MARK


def scheduled(steps: list[Step]) -> Sentence:
    """What the schedule leaves out, or takes in and had better not."""
    usual = median(each.ms for each in steps)
    active = [each for each in steps if each.phase == "active"]
    share = 100 * sum(each.ms for each in active) / sum(each.ms for each in steps)
    first = steps[0]
    if first.phase == "active":
        return say(
            "The schedule records step 1, which took {:.2g} ms where the median step takes {:.2g}: "
            "one-time work is now {:.0f} % of the recording.",
            first.ms,
            usual,
            max(0.0, 100 * (first.ms - usual) / sum(each.ms for each in active)),
        )
    return say(
        "Step 1 took {:.2g} ms and the median step {:.2g}; the schedule waits for {}, warms up for {}, "
        "and records {} of {} steps, {:.0f} % of the time.",
        first.ms,
        usual,
        sum(each.phase == "wait" for each in steps),
        sum(each.phase == "warmup" for each in steps),
        len(active),
        len(steps),
        share,
    )


def traced(many: int, left_out: int, end: int) -> Sentence:
    if left_out:
        return say(
            "The recording has {:,} spans in {:.3g} ms; the {:,} shortest are left out of the picture, "
            "and counted in the self times.",
            many,
            end / 1e6,
            left_out,
        )
    return say(
        "The recording has {:,} spans in {:.3g} ms; below each span are those that it called.", many, end / 1e6
    )


def own(rows: list[Row]) -> Sentence:
    most = rows[0]
    longest = max((each for each in rows if not each.name.startswith(MARK)), key=lambda each: each.total)
    if "(" in longest.name:  # of Python's functions the outermost lasts longest, which tells nothing
        longest = most
    if longest is most and most.calls == 1:
        words = "{} has the most self time, {:,.0f} µs in one call, {:.0f} % of all."
        return say(words, most.name, most.own, most.share)
    if longest is most:
        return say(
            "{} has the most self time, {:,.0f} µs in {} calls, {:.0f} % of all.",
            most.name,
            most.own,
            most.calls,
            most.share,
        )
    return say(
        "{} takes {:,.0f} µs in all, of which {:,.0f} are self time; "
        "{} has the most self time, {:,.0f} µs in {} calls.",
        longest.name,
        longest.total,
        longest.own,
        most.name,
        most.own,
        most.calls,
    )


def costs(cost: Float32, spans: Int32) -> Sentence:
    off, on, _, stack = (float(each) for each in cost[:, 1])
    each = 1e6 * (on - off) / max(1, int(spans[1]))
    if each <= 0:
        return say(
            "A step takes {:.3g} ms without the profiler, and with it {:.3g}: the difference is lost in the noise.",
            off,
            on,
        )
    return say(
        "A step takes {:.3g} ms without the profiler, {:.3g} with it and {:.3g} with stacks; "
        "each of its {:,} spans costs about {:,.0f} ns.",
        off,
        on,
        stack,
        int(spans[1]),
        float(f"{each:.2g}"),
    )


def compared(differences: list[Difference]) -> Sentence:
    if not differences or differences[0].here <= differences[0].healthy:
        return say("Nothing takes longer here than in the healthy program.")
    most = differences[0]
    return say(
        "{} takes {:,.0f} µs of a step here, and {:,.0f} µs in the healthy program: the largest difference.",
        most.name,
        most.here,
        most.healthy,
    )


def end_of(start: Int32, took: Int32) -> int:
    return int(np.max(start + took)) if len(start) else 0
