"""The memory of tensors: numbers in a row, and who wants to hear of new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numpy.typing import NDArray


class Storage:
    """Numbers in a row, which several tensors may read."""

    def __init__(self, numbers: NDArray[Any]) -> None:
        self.numbers = numbers
        self.version = 0
        """How often they were written to since."""
        for watcher in _watchers:
            watcher(self)


_watchers: list[Callable[[Storage], None]] = []


@contextmanager
def allocations(watcher: Callable[[Storage], None]) -> Iterator[None]:
    """Show ``watcher`` every storage that is made. It must not hold on to one: it would live longer by that."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.pop()
