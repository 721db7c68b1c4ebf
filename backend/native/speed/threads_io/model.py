"""How long it should take, if requests do nothing but wait."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

ROUND_TRIPS = {"none": 0, "1.3": 1, "1.2": 2}
"""Of a TLS handshake, by version."""


def fresh(delay: float, round_trip: float, tls: str) -> float:
    """Seconds of a request that needs a connection: one round trip for TCP, those of TLS, and its own."""
    return (2 + ROUND_TRIPS[tls]) * round_trip + delay


def most(way: str, workers: int, requests: int) -> int:
    """How many requests wait at once."""
    return min({"one after another": 1, "asyncio": requests}.get(way, workers), requests)


def wall(way: str, delays: Sequence[float], round_trip: float, tls: str, workers: int, kept: bool) -> float:
    """Seconds from the first request to the last answer. Who is free takes the next one."""
    free = [(0.0, worker, True) for worker in range(most(way, workers, len(delays)))]
    end = 0.0
    for delay in delays:
        at, worker, first = heapq.heappop(free)
        at += fresh(delay, round_trip, tls) if first or not kept else round_trip + delay
        end = max(end, at)
        heapq.heappush(free, (at, worker, False))
    return end
