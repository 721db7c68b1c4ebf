"""A request, and the three classes that requests come from."""

from __future__ import annotations

from typing import NamedTuple

CLASSES = ("A", "B", "C")
PRIORITIES = (2, 1, 0)
"""Of each class; the highest goes first."""
MEANS = (0.5, 1.0, 2.0)
"""Seconds of work in a request of each class, where classes differ."""
SHARES = (0.5, 0.3, 0.2)
"""Of the requests, each class."""


class Request(NamedTuple):
    number: int
    """In the order of arrival, from 0."""
    kind: int
    """Which of the classes."""
    size: float
    """Seconds of work."""
    arrived: float
    """Seconds from the start."""

    @property
    def priority(self) -> int:
        return PRIORITIES[self.kind]

    @property
    def name(self) -> str:
        return f"{CLASSES[self.kind]}{self.number + 1}"
