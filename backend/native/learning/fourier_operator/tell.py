"""What each picture shows, in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from labs.contract import Sentence, say

if TYPE_CHECKING:  # torch takes two seconds to import: only a run pays for it
    from native.learning.fourier_operator.race import Finish

WAYS = ("network", "spectral", "differences", "upwind")
NAMES = {
    "network": "the network",
    "spectral": "the spectral solver",
    "differences": "finite differences",
    "upwind": "upwind differences with Euler's steps",
}


def training(losses: Sequence[float], steps: int, leaps: int, spent: float) -> Sentence:
    if not losses:
        return say("Untrained, the network's {} leaps to time 1 could land anywhere.", leaps)
    newest = losses[-20:]
    told = "After {:,} of {:,} steps and {:.1f} s, a leap is off by {:.2g} %."
    return say(told, len(losses), steps, spent, 100 * sum(newest) / len(newest))


def raced(way: str, finished: Sequence[Finish]) -> Sentence:
    first, last = finished[0], finished[-1]
    if first is last:
        told = "{} on {} points: an error of {:.2g} % in {:.3g} ms per field."
        return say(told, capital(way), first.points, 100 * first.error, 1e3 * first.taken.median)
    told = "{}, on {} to {} points: errors from {:.2g} % to {:.2g} %, in {:.3g} to {:.3g} ms per field."
    return say(
        told,
        capital(way),
        first.points,
        last.points,
        100 * first.error,
        100 * last.error,
        1e3 * first.taken.median,
        1e3 * last.taken.median,
    )


def weak(own: Finish, rival: Finish) -> Sentence:
    return say(
        "A weak baseline: compared with upwind differences on {} points, {}.", rival.points, speed(own, rival)
    )


def fair(own: Finish, rival: Finish) -> Sentence:
    told = "A fair baseline: compared with {} on {} points, the fastest to match the network's {:.2g} %, {}."
    return say(told, NAMES[rival.way], rival.points, 100 * own.error, speed(own, rival))


def speed(own: Finish, rival: Finish) -> Sentence:
    ratio = rival.taken.median / own.taken.median
    if ratio >= 1:
        return say("the network is {:.3g} times as fast", ratio)
    return say("the network takes {:.3g} times as long", 1 / ratio)


def counted(pays_after: int | None, once: float, slowdown: float) -> Sentence:
    if pays_after is None:
        told = "Counting its {:.1f} s of training, the network takes {:.3g} times as long for a thousand fields."
        return say(told, once, slowdown)
    return say("Counting the training: its {:.1f} s are paid back after {:,} fields.", once, pays_after)


def capital(way: str) -> str:
    return NAMES[way][0].upper() + NAMES[way][1:]
