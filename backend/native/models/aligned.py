"""Arrays that begin where a vector, a cache line or a page begins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LINE, PAGE = 64, 4096  # bytes


def aligned(count: int, to: int = LINE) -> NDArray[np.float32]:
    """``count`` zeros from a multiple of so many bytes on: a vector that lies in two lines is read twice."""
    room = np.zeros(count + to // 4, np.float32)
    begin = -room.ctypes.data % to // 4
    return room[begin : begin + count]
