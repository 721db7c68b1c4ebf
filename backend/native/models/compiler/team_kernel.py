"""Phases of machine code, run by a team of threads (wasm/kernels/team.c)."""

from __future__ import annotations

import ctypes
from functools import cache

from native.models.kernel import LIBRARY, Kernel, load

TEAM = Kernel("team.c", ("-O2", "-mcpu=native", *LIBRARY))


class Phase(ctypes.Structure):
    _fields_ = [("task", ctypes.c_void_p), ("turns", ctypes.c_longlong), ("pieces", ctypes.c_longlong)]


@cache
def library() -> ctypes.CDLL:
    return load(TEAM)
