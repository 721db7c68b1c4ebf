"""Queues by the key of a request: the smallest key goes first, and of two alike the one that came first."""

from __future__ import annotations

import heapq
import math
from abc import ABC, abstractmethod

from labs.speed.request_scheduler.request import Request


class Queue(ABC):
    """Requests that wait. Time only goes forward from one call to the next."""

    touched = 0
    """Keys of waiting requests that were written again."""

    @abstractmethod
    def push(self, request: Request, now: float) -> None: ...

    @abstractmethod
    def pop(self, now: float) -> Request: ...

    @abstractmethod
    def order(self, now: float) -> list[tuple[Request, float | None]]:
        """Who goes first, second, …, if nobody else comes, each with its key if it has one."""


class Heap(Queue):
    """A request gets its key when it comes and keeps it. The key is when it came: first in, first out."""

    def __init__(self) -> None:
        self.heap: list[tuple[float, int, Request]] = []

    def key(self, request: Request) -> float:
        return request.arrived

    def push(self, request: Request, now: float) -> None:
        heapq.heappush(self.heap, (self.key(request), request.number, request))

    def pop(self, now: float) -> Request:
        return heapq.heappop(self.heap)[2]

    def order(self, now: float) -> list[tuple[Request, float | None]]:
        return [(request, key) for key, _, request in sorted(self.heap)]


class Shortest(Heap):
    """Shortest first. The scheduler must know how much work a request is."""

    def key(self, request: Request) -> float:
        return request.size


class Priority(Heap):
    """The highest priority first; keys are negative, since the smallest goes first."""

    def key(self, request: Request) -> float:
        return -request.priority


class StaticAgeing(Heap):
    """Priorities that age, by a key that never changes.

    After ``t`` whole seconds a request that came after ``a`` of them has the priority ``p + rate (t - a)``. In
    every comparison at one moment ``rate t`` is on both sides: what is left is ``p - rate a``.
    """

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.hundredths = round(100 * rate)  # whole, so that two equal priorities compare as equal

    def key(self, request: Request) -> float:
        return (self.hundredths * math.floor(request.arrived) - 100 * request.priority) / 100


class RebuiltAgeing(Queue):
    """Priorities that age: once a second, each waiting request gets ``rate`` more, and all are sorted again.

    With ``whole`` the priority is an int, and what ``int += 0.2f`` stores is the sum without its fraction.
    """

    def __init__(self, rate: float, whole: bool) -> None:
        self.hundredths, self.whole = round(100 * rate), whole
        self.waiting: list[tuple[int, int, Request]] = []  # by the negative of the priority, in hundredths
        self.ticks = 0

    def aged(self, key: int) -> int:
        priority = -key + self.hundredths
        return -(priority // 100 * 100 if self.whole else priority)  # none is below 0, so // cuts as C does

    def tick(self, now: float) -> None:
        for _ in range(self.ticks, math.floor(now)):
            self.waiting = sorted((self.aged(key), number, request) for key, number, request in self.waiting)
            self.touched += len(self.waiting)
        self.ticks = math.floor(now)

    def push(self, request: Request, now: float) -> None:
        self.tick(now)
        self.waiting.append((-100 * request.priority, request.number, request))
        self.waiting.sort()

    def pop(self, now: float) -> Request:
        self.tick(now)
        return self.waiting.pop(0)[2]

    def order(self, now: float) -> list[tuple[Request, float | None]]:
        self.tick(now)
        return [(request, key / 100) for key, _, request in self.waiting]
