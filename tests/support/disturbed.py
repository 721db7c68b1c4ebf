"""Tests of what a machine does that other programs use, too."""

from collections.abc import Callable
from typing import TypeVar

Measured = TypeVar("Measured")


def undisturbed(measure: Callable[[], Measured], check: Callable[[list[Measured]], None], most: int = 4) -> None:
    """Check what was measured; as long as that fails, measure once more, and check all that was measured so far."""
    seen: list[Measured] = []
    while True:
        seen.append(measure())
        try:
            return check(seen)
        except AssertionError:
            if len(seen) == most:
                raise
