"""Requests through a queue and one or more workers, a moment at a time."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from labs.speed.request_scheduler.queues import Queue
from labs.speed.request_scheduler.request import Request

What = Literal["arrives", "leaves"]


@dataclass
class Served:
    """A request that a worker has begun."""

    request: Request
    worker: int
    began: float

    @property
    def ends(self) -> float:
        return self.began + self.request.size

    @property
    def waited(self) -> float:
        return self.began - self.request.arrived

    @property
    def stayed(self) -> float:
        return self.ends - self.request.arrived


@dataclass
class State:
    """After one moment. The same object goes on to the next."""

    queue: Queue
    workers: list[Served | None]
    who: Request
    """Who arrives or leaves."""
    what: What = "arrives"
    now: float = 0.0
    arrived: int = 0
    began: Served | None = None
    """Whom this moment brought to a worker."""
    served: list[Served] = field(default_factory=list)
    """All that were begun, in this order."""
    inside: int = 0
    """Requests that wait or are worked on."""
    area: float = 0.0
    """Their number, integrated over time: request-seconds."""


def simulate(requests: list[Request], queue: Queue, workers: int) -> Iterator[State]:
    """Every arrival and every departure, in the order of time. Nobody is interrupted. Of two at one moment the
    departure is first."""
    state = State(queue, [None] * workers, requests[0])
    while True:
        following = requests[state.arrived] if state.arrived < len(requests) else None
        busy = [one for one in state.workers if one]
        done = min(busy, key=lambda one: (one.ends, one.request.number), default=None)
        if following and not (done and done.ends <= following.arrived):
            pass_to(state, following.arrived)
            state.what, state.who = "arrives", following
            state.arrived, state.inside = state.arrived + 1, state.inside + 1
            queue.push(following, state.now)
        elif done:
            pass_to(state, done.ends)
            state.what, state.who, state.inside = "leaves", done.request, state.inside - 1
            state.workers[done.worker] = None
        else:
            return
        state.began = None
        if None in state.workers and state.arrived > len(state.served):
            free = state.workers.index(None)
            state.began = state.workers[free] = Served(queue.pop(state.now), free, state.now)
            state.served.append(state.began)
        yield state


def pass_to(state: State, now: float) -> None:
    state.area += state.inside * (now - state.now)
    state.now = now


def begins(requests: list[Request], queue: Queue, workers: int) -> Iterator[tuple[Request, float]]:
    """Who begins, and when: what ``simulate`` comes to, for those who need not see every moment."""
    free = [0.0] * workers  # a heap: when each worker is free again
    coming = deque(requests)
    waiting = 0
    for _ in requests:
        now = free[0] if waiting else max(free[0], coming[0].arrived)
        while coming and (coming[0].arrived < now or not waiting):
            following = coming.popleft()
            queue.push(following, following.arrived)
            waiting += 1
        request = queue.pop(now)
        waiting -= 1
        heapq.heapreplace(free, now + request.size)
        yield request, now
