"""How many threads torch computes with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import torch


@contextmanager
def threads(count: int) -> Iterator[None]:
    """So many, and afterwards as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def one_thread() -> AbstractContextManager[None]:
    """One thread is faster for a small network, and leaves the others to other runs."""
    return threads(1)
