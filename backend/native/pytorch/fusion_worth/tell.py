"""What the pictures say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labs.contract import Sentence, say

from native.pytorch.fusion_worth.pictures import WAYS

if TYPE_CHECKING:
    from native.pytorch.fusion_worth import Worth


def size_of(count: float) -> Sentence:
    """In powers of 1,024, as the figure has it."""
    if count >= 999.5 * 1024:
        return say("{:.3g} MiB", count / 1024**2)
    return say("{:.3g} KiB", count / 1024) if count >= 1000 else say("{} bytes", int(count))


def time_of(seconds: float) -> Sentence:
    return say("{:.3g} ms", seconds * 1e3) if seconds >= 1e-3 else say("{:.3g} µs", seconds * 1e6)


def apart(event: Worth) -> Sentence:
    count = len(event.steps)
    words = say("{} steps, each", count) if count > 1 else say("One step,")
    return say("{} a kernel of its own: {} cross between memory and processor.", words, size_of(event.moved))


def joined(event: Worth, place: int) -> Sentence:
    before, here = event.steps[place - 1], event.steps[place]
    if event.work > event.work_apart:
        return say(
            "{} stays in registers, so {} cross, but the operations grow from {:.3g} to {:.3g} million.",
            before.writes[0].name,
            size_of(event.moved),
            event.work_apart / 1e6,
            event.work / 1e6,
        )
    if not before.writes[0].crosses:
        name = before.writes[0].name
        return say(
            "“{}” joins the kernel: {} stays in registers, and {} cross.", here.code, name, size_of(event.moved)
        )
    return say("“{}” joins the kernel, and {} cross.", here.code, size_of(event.moved))


def machine(event: Worth) -> Sentence:
    return say(
        "{:.3g} GB/s, {:.3g} billion operations a second and {} per call predict the time of each size.",
        float(event.bandwidth[event.at]),
        event.speed,
        time_of(event.call),
    )


def point(event: Worth) -> Sentence:
    at = event.now
    where = say("{} uses", int(event.x[at])) if event.over == "uses" else say("{:,} numbers", int(event.x[at]))
    eager, apart, fused = (time_of(float(event.took[way, at, 1])) for way in range(3))
    words = "{}: {} in one kernel, {} in separate kernels, {} in PyTorch."
    return say(words, where, fused, apart, eager)


def inductor(event: Worth) -> Sentence:
    if event.missing:
        return say("Inductor: {}.", event.missing)
    took = float(event.took[WAYS.index("inductor"), event.at, 1])
    return say("Inductor takes {}, after {:.2g} s of compiling.", time_of(took), event.compile_seconds)


def numpy(event: Worth) -> Sentence:
    lines, one = (float(event.took[WAYS.index(way), event.at, 1]) for way in ("numpy", "one_line"))
    return say(
        "NumPy takes {} line by line and {} in one line, which still allocates {} at a time.",
        time_of(lines),
        time_of(one),
        size_of(float(event.peak[1])),
    )


def worth(event: Worth) -> Sentence:
    if event.over == "uses":
        said, found = (float(each) for each in event.crossing)
        if found > 0 and said > 0:
            return say("One kernel is slower from {:.2g} uses on; the prediction was {:.2g}.", found, said)
        return say(
            "Between 2 and {} uses, the times of one kernel and of two do not cross exactly once.", int(event.x[-1])
        )
    said, found = (float(each) for each in event.gain[:, event.at])
    return say(
        "One kernel moves {} instead of {} and is {:.3g} × as fast; the prediction was {:.3g} ×.",
        size_of(event.moved),
        size_of(event.moved_apart),
        found,
        said,
    )
