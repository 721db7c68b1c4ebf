"""Programs of a lab that run beside it as processes of their own, and tell it things on their standard output."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import numpy as np
from numpy.typing import NDArray

Started = tuple[subprocess.Popen[bytes], IO[bytes]]


@contextmanager
def started(room: str, *given: object, errors: IO[bytes] | None = None) -> Iterator[Started]:
    """``python -m room …`` and its standard output, killed at the end. What it complains of goes to ``errors``."""
    command = [sys.executable, "-m", room, *map(str, given)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as process:
        assert process.stdout
        try:
            yield process, process.stdout
        finally:
            process.kill()


def port_of(says: IO[bytes]) -> int | None:
    """The port that a server says first; None if it ended without one."""
    line = says.readline().strip()
    return int(line) if line.isdigit() else None


def start_and_rows(told: bytes | bytearray, width: int) -> tuple[float, NDArray[np.float64]]:
    """What a child tells that clocks things: when it started, and the [rows, width] behind that which are whole.

    All are float64. Before anything is told, it started at NaN.
    """
    numbers = np.frombuffer(bytes(told[: len(told) // 8 * 8]))
    if not len(numbers):
        return float("nan"), np.empty((0, width))
    rows = (len(numbers) - 1) // width
    return float(numbers[0]), numbers[1 : 1 + rows * width].reshape(rows, width)
