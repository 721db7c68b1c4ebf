"""What the pictures say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from labs.contract import Sentence, counted, say

from native.compilers.decompose_k.cut import WAYS

if TYPE_CHECKING:
    from native.compilers.decompose_k import Split


def time_of(seconds: float) -> Sentence:
    return say("{:.3g} ms", seconds * 1e3) if seconds >= 1e-3 else say("{:.3g} µs", seconds * 1e6)


def places(event: Split) -> Sentence:
    return counted(event.workers, "multiprocessor" if event.device == "cuda" else "core")


def busy(event: Split) -> Sentence:
    """Two digits, and three of a hundred."""
    percent = 100 * event.busy
    return say("{:.0f}", percent) if percent >= 9.95 else say("{:.2g}", percent)


def now(event: Split) -> float:
    """Seconds of the drawn S, in the chosen way."""
    return float(event.took[WAYS.index(event.reduction), event.now, 1])


def alone(event: Split) -> Sentence:
    words = "One lane for all of K takes {}, and keeps {} % of {} busy."
    return say(words, time_of(now(event)), busy(event), places(event))


def model(event: Split) -> Sentence:
    return say(
        "With {} for 32 steps of K and {} for each partial sum, the model predicts the least time at S = {}.",
        time_of(event.slab),
        time_of(event.add),
        event.best[0],
    )


def measured(event: Split) -> Sentence:
    one = float(event.took[WAYS.index(event.reduction), 0, 1])
    return say(
        "{} lanes take {}, {:.3g} × as fast as one, with {} % of {} busy.",
        event.splits,
        time_of(now(event)),
        one / now(event),
        busy(event),
        places(event),
    )


def every(event: Split) -> Sentence:
    at = event.best[1]
    return say(
        "Of all S up to {}, {} is the fastest, with {}; the model said {}.",
        len(event.every),
        at,
        time_of(float(event.every[at - 1])),
        event.best[0],
    )


def depths(event: Split) -> Sentence:
    said, found = event.crossing
    if not said or not found:
        return say("At no K up to {:,} do two lanes or more pay off.", event.k)
    return say("More lanes than one pay off from K = {:,} on; the model said {:,}.", found, said)


def libraries(event: Split) -> Sentence:
    last = event.libraries[-1]
    if last.name == "inductor":
        return say(
            "Inductor picks {} and takes {}, after {:.2g} s of compiling.",
            last.picked,
            time_of(last.median),
            last.seconds,
        )
    if event.missing:
        return say("Inductor: {}.", event.missing)
    return say("Eager PyTorch takes {}.", time_of(last.median))


def best(event: Split) -> Sentence:
    one, least = float(event.every[0]), float(event.every[event.best[1] - 1])
    torch = event.libraries[0].median / least
    if event.best[1] == 1:
        return say("The best S is 1: one lane alone is {:.3g} × as fast as PyTorch.", torch)
    return say(
        "The best S is {}: {:.3g} × as fast as one lane and {:.3g} × as fast as PyTorch.",
        event.best[1],
        one / least,
        torch,
    )


def told(event: Any) -> Sentence:
    """The sentence of a picture, from its fields alone."""
    return {
        "alone": alone,
        "model": model,
        "measured": measured,
        "every": every,
        "depths": depths,
        "libraries": libraries,
        "best": best,
    }[event.stage](event)
