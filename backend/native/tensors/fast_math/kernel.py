"""The loops of wasm/kernels/fast_math.c, compiled with and without each flag behind -ffast-math."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from native.models.kernel import LIBRARY, Kernel, at, load

Floats = NDArray[np.float32]
LOOPS = ("sum", "kahan", "nans", "plus_zero", "root", "divide", "guarded", "determinant", "power", "halve")
"""As numbered in fast_math.c."""
ONE_RESULT = ("sum", "kahan", "nans")
RAISED = {1: "invalid", 2: "divide by zero"}

# Without unrolling: loops would be as fast, and four times as long to read.
PLAIN = ("-O3", "-mcpu=native", "-ffp-contract=off", "-fno-unroll-loops")


@dataclass(frozen=True)
class Flag:
    """What is compared: code compiled with ``on`` beside code with ``off``."""

    name: str
    on: tuple[str, ...]
    off: tuple[str, ...] = ()
    flushes: bool = False
    """It changes no code, but what the processor does with denormals."""


FLAGS = (
    Flag("-fno-math-errno", ("-fno-math-errno",)),
    Flag("-ffinite-math-only", ("-ffinite-math-only",)),
    Flag("-fno-signed-zeros", ("-fno-signed-zeros",)),
    Flag("-fno-trapping-math", (), ("-ftrapping-math",)),  # clang's default
    # Sums in another order lose the sign of a zero, so clang wants both flags.
    Flag("-fassociative-math", ("-fno-signed-zeros", "-fassociative-math"), ("-fno-signed-zeros",)),
    Flag("-freciprocal-math", ("-freciprocal-math",)),
    Flag("-fapprox-func", ("-fapprox-func",)),
    Flag("-ffp-contract=fast", ("-ffp-contract=fast",)),
    Flag("FTZ and DAZ", (), flushes=True),
    Flag("-ffast-math", ("-ffast-math", "-ffp-contract=fast")),
)
VARIANTS = tuple(dict.fromkeys(flags for each in FLAGS for flags in (each.off, each.on)))
CODE = {flags: Kernel("fast_math.c", (*PLAIN, *flags, *LIBRARY)) for flags in VARIANTS}
ASSEMBLY = {
    flags: Kernel("fast_math.c", (*PLAIN, *flags, "-fPIC", "-fno-sanitize=all", "-S")) for flags in VARIANTS
}


@dataclass(frozen=True)
class Data:
    """What a loop reads and writes: ``n`` numbers each, or one result."""

    x: Floats
    w: Floats
    y: Floats


def repeating(flags: tuple[str, ...], loop: str, data: Data) -> Callable[[int], object]:
    """So many rounds of a loop."""
    library, code, count = load(CODE[flags]), LOOPS.index(loop), ctypes.c_size_t(len(data.x))
    return lambda rounds: library.repeat(code, rounds, count, at(data.x), at(data.w), at(data.y))


def once(flags: tuple[str, ...], loop: str, data: Data) -> tuple[Floats, int, list[str]]:
    """Its results, what it left in ``errno``, and the exceptions that it raised."""
    library, code, count = load(CODE[flags]), LOOPS.index(loop), ctypes.c_size_t(len(data.x))
    told = int(library.once(code, count, at(data.x), at(data.w), at(data.y)))
    results = data.y[: 1 if loop in ONE_RESULT else len(data.x)].copy()
    return results, told & 0xFFFF, [name for bit, name in RAISED.items() if told >> 16 & bit]


@contextmanager
def flushing(on: bool = True) -> Iterator[None]:
    """Denormals are zero for this thread, and for threads that it starts meanwhile."""
    library = load(CODE[()])
    library.flush(int(on))
    try:
        yield
    finally:
        library.flush(0)
