"""The packed product for matrices of any sides (wasm/kernels/product.c), as a compiler calls it."""

from __future__ import annotations

import ctypes
from functools import cache

from native.models.kernel import Kernel, load
from native.models.matmul_kernel import BEST

PRODUCT = Kernel("product.c", BEST.flags)
NAMES = ("pack_right", "multiply_rows")
KINDS = {"f32": 0, "bf16": 1, "i8": 2, "i32": 3}
"""What the kernel calls them; a side is no i32, and a result no i8."""


@cache
def library() -> ctypes.CDLL:
    made = load(PRODUCT)
    for name in ("strips", "left_room", "right_room", "sums_room"):
        getattr(made, name).restype = ctypes.c_longlong
    return made


def strips(columns: int) -> int:
    """Into how many strips the right side is cut; each can be packed by another thread."""
    return int(library().strips(ctypes.c_longlong(columns)))


def left_room(dtype: str) -> int:
    """Floats."""
    return int(library().left_room(KINDS[dtype]))


def right_room(columns: int, depth: int) -> int:
    """Floats."""
    return int(library().right_room(ctypes.c_longlong(columns), ctypes.c_longlong(depth)))


def sums_room(columns: int) -> int:
    """Floats; only for a result of another kind."""
    return int(library().sums_room(ctypes.c_longlong(columns)))
