"""The reader's own device, as the page lends it to a lab that runs in it: frontend/src/device."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from labs.contract import LabError
from labs.models.timing import Timing, summary

Floats = NDArray[np.float32]
TICKS = 100  # of the clock in a repetition: it is then wrong by one percent at most
LONG_ENOUGH = 2e-3  # seconds of a repetition, however fine the clock: a thousand times what a call costs
WARM = 0.06  # seconds: a browser compiles at first quickly, and well what has been at work for a while


class Work(Protocol):
    """Something that is timed."""

    async def clocked(self, rounds: int) -> float:
        """Does so many rounds; returns the seconds that they took."""

    async def product(self) -> Any:
        """The numbers of C that it made, row by row."""

    def close(self) -> None: ...


class NumPy:
    """What NumPy in this browser does, as work: it has neither BLAS nor SIMD."""

    def __init__(self, device: Any, a: Floats, b: Floats) -> None:
        self.device, self.a, self.b = device, a, b
        self.c = np.empty_like(a)

    async def clocked(self, rounds: int) -> float:
        await self.device.breathe()
        begun = time.perf_counter()
        for _ in range(rounds):
            np.matmul(self.a, self.b, out=self.c)
        return time.perf_counter() - begun

    async def product(self) -> Floats:
        return self.c

    def close(self) -> None:
        pass


class Stopwatch:
    def __init__(self, device: Any) -> None:
        self.device = device
        self.tick: float = device.tick()
        """Seconds that the clock of this page can tell apart."""
        self.least = max(LONG_ENOUGH, TICKS * self.tick)

    async def timed(self, work: Work, repetitions: int, most: float) -> Timing:
        """All repetitions together take about ``most`` seconds, where a round allows."""
        rounds, took, spent = 1, await work.clocked(1), 0.0
        while took < self.least or spent < WARM:
            spent += took
            if took < self.least:
                rounds *= 2
            took = await work.clocked(rounds)
        rounds *= max(1, int(most / repetitions / took))
        return summary([await work.clocked(rounds) for _ in range(repetitions)], rounds)


def lent() -> Any:
    """The module ``device`` that a page registers. Raises ``LabError`` where there is none."""
    try:
        return importlib.import_module("device")
    except ModuleNotFoundError:
        raise LabError("This lab measures the reader's own device, so it runs in a browser alone.") from None


async def numbers(work: Work, columns: int) -> Floats:
    """What it made, as NumPy has it. ``[rows, columns]``"""
    made = await work.product()
    flat: Callable[[], Any] | None = getattr(made, "to_py", None)
    return np.asarray(flat() if flat else made, np.float32).reshape(-1, columns)
