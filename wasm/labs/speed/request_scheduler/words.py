"""One sentence for each moment."""

from __future__ import annotations

import math
from collections.abc import Sequence

from labs.contract import Sentence, joined, say
from labs.speed.request_scheduler.request import CLASSES, Request
from labs.speed.request_scheduler.simulate import State
from labs.speed.request_scheduler.theory import Means

Order = Sequence[tuple[Request, float | None]]


def moment(state: State, order: Order) -> Sentence:
    return arrival(state, order) if state.what == "arrives" else departure(state, order)


def arrival(state: State, order: Order) -> Sentence:
    who = state.who
    comes = say("{} arrives at {:.2f} s with {:.2g} s of work", who.name, state.now, who.size)
    if state.began:
        return say("{} and finds a free worker.", comes)
    place = next(n for n, (each, _) in enumerate(order) if each == who)
    passed = len(order) - 1 - place
    if not passed:
        return say("{} and goes to the end of the queue, at place {}.", comes, place + 1)
    return say(
        "{} and joins the queue at place {} of {}, ahead of {} that came before it.",
        comes,
        place + 1,
        len(order),
        passed,
    )


def departure(state: State, order: Order) -> Sentence:
    done = say("{} is done at {:.2f} s", state.who.name, state.now)
    if not state.began:
        return say("{}, and nothing is waiting.", done)
    one = state.began
    passed = sum(each.number < one.request.number for each, _ in order)
    said = say("{}; {} is next, after {:.2f} s of waiting", done, one.request.name, one.waited)
    return say("{}, ahead of {} that came before it.", said, passed) if passed else say("{}.", said)


def many(wait: Sequence[float], expected: Means, count: int) -> Sentence:
    """The mean wait of each class, and what theory says of it."""
    parts = []
    for kind, mean in enumerate(wait):
        theory = "" if expected is None else say(" (theory {:.2f})", expected[kind])
        if not math.isnan(mean):
            parts.append(say("{} {:.2f} s{}", CLASSES[kind], mean, theory))
    return say("Over {:,} such requests, the classes wait on average: {}.", count, joined(", ", parts))
