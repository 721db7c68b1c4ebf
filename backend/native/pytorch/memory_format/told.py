"""What a picture says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from labs.contract import Sentence, say

from native.pytorch.memory_format.op import Op

if TYPE_CHECKING:
    from native.pytorch.memory_format import Chain


def opening(ops: Sequence[Op]) -> Sentence:
    last = sum(op.after == "channels_last" for op in ops)
    return say("{} lines, of which {} leave their result in channels_last.", len(ops), last)


def walked(op: Op) -> Sentence:
    if op.error:
        return say("{} fails, because strides cannot describe its result.", op.line)
    if op.inside_bytes:
        what = (
            "{} first copies its weights, {}, although no line says so."
            if op.weights_copied
            else "{} first copies its input, {}, although no line says so."
        )
        return say(what, op.name, size_of(op.inside_bytes))
    if op.visible_bytes and op.before == "neither":
        return say("{} copies {}: strides cannot describe its result.", op.line, size_of(op.visible_bytes))
    if op.visible_bytes:
        return say("{} copies {}, from {} to {}.", op.line, size_of(op.visible_bytes), op.before, op.after)
    if op.name == "convert":
        return say("{} finds its input in that format already, and returns it.", op.line)
    if op.shares:
        return say("{} moves no numbers: the result has other strides over the same memory.", op.line)
    if op.after == "both":
        return say("The result of {} is in both formats at once.", op.name)
    return say("{} reads {} and writes {}.", op.name, op.before, op.after)


def timed(op: Op, call: float, copying: float) -> Sentence:
    if op.visible_bytes:
        return say("{} takes {}, all of it for the copy.", op.name, time_of(call))
    if op.inside_bytes:
        return say("{} takes {}, of which its copy takes {}.", op.name, time_of(call), time_of(copying))
    return say("{} takes {}.", op.name, time_of(call))


def summed(event: Chain) -> Sentence:
    took, copying = float(event.took[:, 1].sum()), float(np.nansum(event.copying[:, 1]))
    if not event.copies:
        return say("No copy was found, and all lines together take {}.", time_of(took))
    words = "One copy moves {} and takes {} of {}." if event.copies == 1 else "{} copies move {} and take {} of {}."
    numbers = (size_of(event.copied), time_of(copying), time_of(took))
    return say(words, *numbers) if event.copies == 1 else say(words, event.copies, *numbers)


def size_of(count: int) -> Sentence:
    if count >= 1e5:
        return say("{:.3g} MB", count / 1e6)
    return say("{:.3g} kB", count / 1e3) if count >= 1000 else say("{} bytes", count)


def time_of(milliseconds: float) -> Sentence:
    return say("{:.3g} ms", milliseconds) if milliseconds >= 0.1 else say("{:.2g} µs", 1e3 * milliseconds)
