"""Tests of what a machine does that other programs use, too."""

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, TypeVar

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


def afresh(run: Callable[[Any], Iterator[Any]], params: object) -> list[Any]:
    """The events of a run in a process of its own: after a thousand tests, memory has another price."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_events, run, params).result()


def _events(run: Callable[[Any], Iterator[Any]], params: object) -> list[Any]:
    return list(run(params))
