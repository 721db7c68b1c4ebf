"""Threads of C on one counter, and two that write and then read (wasm/kernels/races.c)."""

from __future__ import annotations

import ctypes
from typing import Literal, get_args

import numpy as np
from labs.contract import LabError
from numpy.typing import NDArray

from native.models.kernel import LIBRARY, Kernel, at, load

RACES = Kernel("races.c", ("-O2", "-pthread", *LIBRARY))
Way = Literal["plain", "volatile", "relaxed", "ordered", "swap", "lock", "own"]
WAYS: tuple[Way, ...] = get_args(Way)
"""As numbered in races.c."""
MOST = 8  # threads
LINE = 64  # bytes: no two counters of threads may be farther apart
NO_THREADS = "This machine gives the run no more threads. Ask for fewer."


def count(way: Way, threads: int, n: int, apart: int = LINE) -> tuple[int, float]:
    """What the counter says after each thread has added one, ``n`` times, and the seconds that it took.

    Counters of their own are ``apart`` bytes from each other. Raises ``LabError`` where no threads are to be had.
    """
    if not (1 <= threads <= MOST and n >= 1 and 8 <= apart <= LINE and apart % 8 == 0):
        raise ValueError(f"{threads} threads, {n} times, {apart} bytes apart")
    counted = ctypes.c_long()
    call = load(RACES).count
    call.restype = ctypes.c_double
    seconds = call(WAYS.index(way), threads, ctypes.c_long(n), ctypes.c_long(apart), ctypes.byref(counted))
    if seconds < 0:
        raise LabError(NO_THREADS)
    return counted.value, seconds


def buffered(fenced: bool, turns: int) -> NDArray[np.int32]:
    """[what the first read, what the second read]: in how many turns, of two threads that first wrote 1."""
    outcomes = np.zeros((2, 2), np.int32)
    if load(RACES).buffered(fenced, turns, at(outcomes)):
        raise LabError(NO_THREADS)
    return outcomes
