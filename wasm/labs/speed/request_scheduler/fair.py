"""Queues that are fair to classes: each class has a line of its own, and the lines take turns by work."""

from __future__ import annotations

import heapq
from collections import deque

from labs.speed.request_scheduler.queues import Heap, Queue
from labs.speed.request_scheduler.request import CLASSES, Request


class Fair(Heap):
    """Fair queuing: the key is when the request would be done if all waiting classes were served at once.

    That clock is followed as in Golestani's self-clocked fair queuing (1994): it shows the key of the request that
    was taken last. A class that was idle begins at the clock, and has saved nothing up.
    """

    def __init__(self) -> None:
        super().__init__()
        self.clock = 0.0
        self.last = [0.0] * len(CLASSES)

    def key(self, request: Request) -> float:
        self.last[request.kind] = max(self.clock, self.last[request.kind]) + request.size
        return self.last[request.kind]

    def pop(self, now: float) -> Request:
        self.clock, _, request = heapq.heappop(self.heap)
        return request


class DeficitRoundRobin(Queue):
    """Deficit round robin (Shreedhar and Varghese, 1995). A class whose turn it is may spend ``quantum`` seconds of
    work more, and keeps what it does not need. Nothing is sorted: a turn costs the same however many wait."""

    def __init__(self, quantum: float) -> None:
        self.quantum = quantum
        self.lines: list[deque[Request]] = [deque() for _ in CLASSES]
        self.turns: deque[int] = deque()
        """The classes that wait, the one whose turn it is first."""
        self.deficit = [0.0] * len(CLASSES)
        self.paid = False
        """Whether this turn has had its quantum."""

    def push(self, request: Request, now: float) -> None:
        if request.kind not in self.turns:
            self.turns.append(request.kind)
        self.lines[request.kind].append(request)

    def pop(self, now: float) -> Request:
        while True:
            kind = self.turns[0]
            if not self.paid:
                self.deficit[kind] += self.quantum
                self.paid = True
            if self.lines[kind][0].size <= self.deficit[kind]:
                return self.take(kind)
            self.turns.rotate(-1)
            self.paid = False

    def take(self, kind: int) -> Request:
        request = self.lines[kind].popleft()
        self.deficit[kind] -= request.size
        if not self.lines[kind]:  # an idle class saves nothing up
            self.deficit[kind] = 0.0
            self.turns.popleft()
            self.paid = False
        return request

    def order(self, now: float) -> list[tuple[Request, float | None]]:
        rest = DeficitRoundRobin(self.quantum)
        rest.lines = [line.copy() for line in self.lines]
        rest.turns, rest.deficit, rest.paid = self.turns.copy(), self.deficit.copy(), self.paid
        return [(rest.pop(now), None) for _ in range(sum(map(len, self.lines)))]
