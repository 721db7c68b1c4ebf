"""The roofs of this processor by threads: multiply-adds in registers (wasm/kernels/peak*.c), and reading."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from native.models.aligned import aligned
from native.models.kernel import LIBRARY, Kernel, at, load
from native.models.matmul_kernel import PEAK
from native.models.roofline_kernel import reading, stride

T = TypeVar("T")
Roof = tuple[Callable[[int], object], int]
"""Does so many rounds, each of which comes to so much."""

PEAKS = Kernel("peaks.c", ("-O3", "-mcpu=native", *LIBRARY))
ROOM = 256  # bytes, of the two vectors that a peak computes with


def unknown(precision: str) -> bool:
    """Whether this processor has units for a precision that our peak does not use."""
    return precision == "bf16" and bool(_features() & {"amx_bf16", "bf16", "sme"})


def peak(precision: str, threads: int) -> Roof:
    """Multiply-adds of fp32, fp64 or bf16 by threads, and the operations of each round of all of them."""
    if precision == "bf16" and "avx512_bf16" not in _features():
        precision = "fp32"  # as which it is multiplied where there is no unit for it
    library, name = {"fp32": (PEAK, "peak"), "fp64": (PEAKS, "peak64"), "bf16": (PEAKS, "peak16")}[precision]
    kernel = getattr(load(library), name)
    rooms = [aligned(ROOM // 4) for _ in range(threads)]
    for room in rooms:
        room[:] = 1e-3
    flops = int(kernel(ctypes.c_long(1), at(rooms[0])))
    return by_threads(lambda rounds, room: kernel(ctypes.c_long(rounds), at(room)), rooms), threads * flops


def reading_by(threads: int, size: int) -> Roof:
    """Each thread reads its part of so many bytes; how many those are in whole rounds of the kernel."""
    count = size // 4 // threads // stride() * stride()
    parts = [aligned(count) for _ in range(threads)]
    for part in parts:
        part[:] = 0.5  # memory that was never written is not there
    works = [reading(part) for part in parts]
    return by_threads(lambda rounds, work: work(rounds), works), 4 * count * threads


def by_threads(one: Callable[[int, T], object], of: list[T]) -> Callable[[int], object]:
    """All at once, each in a thread of its own; a single one in ours."""
    if len(of) == 1:
        return lambda rounds: one(rounds, of[0])
    pool = ThreadPoolExecutor(len(of))
    return lambda rounds: list(pool.map(lambda each: one(rounds, each), of))


def _features() -> set[str]:
    """What the processor says that it can, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return {"bf16"}  # not known, so that no peak is claimed
    return set(next((line.split(":")[1] for line in lines if line.startswith(("flags", "Features"))), "").split())
