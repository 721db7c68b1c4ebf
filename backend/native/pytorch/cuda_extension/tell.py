"""What is said of each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from labs.contract import Sentence, joined, say

from native.pytorch.cuda_extension.pictures import IDLE, OUTSIDE, WORKED

if TYPE_CHECKING:
    from native.pytorch.cuda_extension import Launch, Params
    from native.pytorch.cuda_extension.plan import Plan


def prepared(params: Params, planned: Plan) -> Sentence:
    blocks = counted(planned.blocks, "block", "blocks")
    threads = counted(planned.threads, "thread", "threads")
    if params.kernel == "row_sum":
        rows = counted(planned.rows, "row", "rows")
        return say("{} of {:,} elements: {} of {}, one for each row.", rows, planned.columns, blocks, threads)
    return say(
        "{:,} elements: {} of {}, {:,} in all.", planned.n, blocks, threads, planned.blocks * planned.threads
    )


def counted(n: int, one: str, many: str) -> Sentence:
    return say("{:,} {}", n, one if n == 1 else many)


def ran(event: Launch) -> Sentence:
    size = event.threads_per_block
    now = event.threads[event.first * size : (event.last + 1) * size]
    worked, idle, outside = (int((now == state).sum()) for state in (WORKED, IDLE, OUTSIDE))
    who = say("Block {:,}", event.first)
    if event.last > event.first:
        who = say("Blocks {:,} to {:,}", event.first, event.last)
    parts = [say("{:,} of {:,} threads work", worked, now.size)]
    if idle:
        parts.append(say("{:,} find no element", idle))
    if outside:
        parts.append(say("{:,} reach beyond their elements", outside))
    return say("{}: {}.", who, joined(", ", parts))


def refused(message: str) -> Sentence:
    return say("The call is refused: {}.", Sentence.plain(message))


def result(event: Launch) -> Sentence:
    found = outcome(event)
    if not event.gpu:
        return say("{}.", found)
    verdict = "the same results" if event.agrees else "other results"
    return say("{}; {} gives {}.", found, Sentence.plain(event.gpu), verdict)


def outcome(event: Launch) -> Sentence:
    """Without a full stop."""
    size = len(event.y) and int(np.isin(event.y, (1, 2, 3)).sum())
    if not event.wrong and event.damaged:
        return say("Every result is right, but {:,} numbers beyond the end are overwritten", event.damaged)
    if not event.wrong:
        if any(check.state == "left out" for check in event.checks):
            return say("All {:,} results are right: this time, the missing check was not needed", size)
        return say("All {:,} results agree with torch’s", size)
    if event.missed == size:
        return say("None of the {:,} results was written, and nothing says so", size)
    parts = [say("{:,} of {:,} results are wrong", event.wrong, size)]
    if event.missed:
        parts.append(say("{:,} of them were never written", event.missed))
    if event.damaged:
        parts.append(say("{:,} numbers beyond the end are overwritten", event.damaged))
    return joined(", ", parts)
