"""The packed product of wasm/kernels/tiles.c, whose blocks have the sides that a caller chooses."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from native.models.aligned import aligned
from native.models.kernel import LIBRARY, Kernel, at, load

Floats = NDArray[np.float32]
TILES = Kernel("tiles.c", ("-O3", "-mcpu=native", *LIBRARY))


@cache
def tile() -> tuple[int, int]:
    """Rows and columns of the tile of C that stays in registers, on this processor."""
    library = load(TILES)
    return int(library.tile_rows()), int(library.tile_columns())


def multiply(a: Floats, b: Floats, c: Floats, high: int, deep: int) -> Callable[[int], object]:
    """So many rounds of C = A B, all [n, n], by blocks of A of ``high`` rows and ``deep`` columns."""
    library, n, (rows, columns) = load(TILES), len(a), tile()
    left, right = aligned((high + rows) * deep), aligned((n + columns) * deep)
    return lambda rounds: library.blocks(rounds, n, high, deep, at(a), at(b), at(c), at(left), at(right))
