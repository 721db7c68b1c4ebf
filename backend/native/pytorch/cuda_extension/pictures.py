"""What each thread and each cell of memory has come to after some of the blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from labs.contract import Int32, Uint8
    from numpy.typing import NDArray

    from native.pytorch.cuda_extension import Params
    from native.pytorch.cuda_extension.memory import Call

WAITS, WORKED, IDLE, OUTSIDE = range(4)
CANARY, UNTOUCHED, TOUCHED, WRONG, DAMAGED = range(5)


@dataclass(frozen=True)
class Picture:
    threads: Uint8
    x: Uint8
    y: Uint8
    writer: Int32


@dataclass(frozen=True)
class Outcome:
    wrong: Int32
    """Elements of y that differ from torch's, never written ones included"""
    missed: int
    damaged: int
    """Canaries after or before y that are no longer what they were"""
    looked: int
    """Canaries beside x that were read as numbers"""


def picture(params: Params, call: Call, blocks: int, over: bool) -> Picture:
    """After so many blocks; what is wrong shows once the call is over."""
    planned = call.plan
    threads = np.zeros(planned.blocks * planned.threads, np.uint8)
    threads[: blocks * planned.threads] = IDLE
    touches = call.touches[call.touches["block"] < blocks]
    who = touches["block"] * planned.threads + touches["thread"]
    threads[who] = WORKED
    threads[who[beyond(params, call, touches)]] = OUTSIDE
    reads, writes = touches[touches["written"] == 0], touches[touches["written"] == 1]

    x, y = (begin(each.where.before, each.where.inside, each.where.cells) for each in (call.x, call.y))
    read = call.x.where.before + reads["index"]
    x[read] = np.where(x[read] == CANARY, DAMAGED, TOUCHED)
    stray = read[beyond(params, call, reads)]
    x[stray] = np.where(x[stray] == DAMAGED, DAMAGED, WRONG)

    at = call.y.where.before + writes["index"]
    y[at] = np.where(y[at] == CANARY, DAMAGED, TOUCHED)
    if over:
        y[call.y.where.before + outcome(call).wrong] = WRONG
    writer = np.full(len(y), -1, np.int32)
    writer[at] = who[touches["written"] == 1]
    return Picture(threads, x, y, writer)


def begin(before: int, inside: int, cells: int) -> Uint8:
    made = np.full(cells, CANARY, np.uint8)
    made[before : before + inside] = UNTOUCHED
    return made


def beyond(params: Params, call: Call, touches: NDArray[Any]) -> NDArray[np.bool_]:
    """Which of these leave the elements that the thread was to look at: the tensor, or the row of its block."""
    index: NDArray[np.int32] = touches["index"]
    if params.kernel == "row_sum":
        first: NDArray[np.int32] = touches["block"] * call.plan.columns
        read: NDArray[np.bool_] = touches["written"] == 0
        return read & ((index < first) | (index >= first + call.plan.columns))
    return (index < 0) | (index >= call.plan.n)


def outcome(call: Call) -> Outcome:
    from native.pytorch.cuda_extension.memory import CANARY as INTACT

    zone = np.ones(call.y.where.cells, bool)
    zone[call.y.where.before : call.y.where.before + call.y.where.inside] = False
    reads = call.touches[call.touches["written"] == 0]["index"]
    outside = reads[(reads < 0) | (reads >= call.x.where.inside)]
    return Outcome(
        wrong=np.flatnonzero(call.y.numbers != call.expected).astype(np.int32),
        missed=int(np.isnan(call.y.numbers).sum()),
        damaged=int((call.y.cells[zone] != INTACT).sum()),
        looked=len(np.unique(outside)),
    )
