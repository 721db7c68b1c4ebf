"""The matrix products that labs of the series speed time: ours by ctypes, Python's loops, NumPy and torch."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from labs.models import loop_order
from labs.models.loop_order import Order
from numpy.typing import NDArray

from native.models.kernel import at, load
from native.models.matmul_kernel import BEST, LOOPS, PEAK
from native.models.timing import clocked

Floats = NDArray[np.float32]
CODES = {"ijk": 1, "transposed": 2, "ikj": 3, "tiled": 4, "registers": 5, "packed": 6}
"""As in matmul.c."""
ROW_PATIENCE = 0.05  # seconds for one multiplication, as far as one row allows


@dataclass(frozen=True)
class Operands:
    """``a`` and ``b`` [n, n] are given, the first ``rows`` rows of ``c`` [n, n] are asked for."""

    a: Floats
    b: Floats
    c: Floats
    rows: int


@dataclass(frozen=True)
class Choice:
    """What a reader chose."""

    flags: str
    tile: int
    threads: int


@dataclass(frozen=True)
class Rung:
    name: str
    says: str
    """What is done, as the first half of a sentence."""
    start: Callable[[Operands, Choice], Callable[[int], object]]
    """Prepares what is not timed; the result does so many rounds."""
    order: Order | None = None
    """In which order it goes through the matrices, where we know."""
    rows: int | None = 1
    """Works on so many rows at once, so that a part of them tells what all would take; None if only all rows do."""
    team: bool = False
    """Whether it uses all threads that the reader chose."""
    ours: bool = True
    """Whether the vector units are all that it can use: other libraries may know of better ones."""


Rows = list[list[float]]


def lists(product: Callable[[Rows, Rows, Rows], None]) -> Callable[[Operands, Choice], Callable[[int], object]]:
    """By loops of Python over lists; ``product`` is given A, B, and zeros for C."""

    def start(operands: Operands, choice: Choice) -> Callable[[int], object]:
        a, b = operands.a[: operands.rows].tolist(), operands.b.tolist()

        def work(rounds: int) -> None:
            for _ in range(rounds):
                c = [[0.0] * len(b) for _ in a]
                product(a, b, c)
            operands.c[: operands.rows] = c

        return work

    return start


def ijk(a: Rows, b: Rows, c: Rows) -> None:
    n = len(b)
    for i in range(len(a)):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i][k] * b[k][j]
            c[i][j] = total


def ikj(a: Rows, b: Rows, c: Rows) -> None:
    n = len(b)
    for i in range(len(a)):
        for k in range(n):
            left = a[i][k]
            for j in range(n):
                c[i][j] += left * b[k][j]


def loops(version: str) -> Callable[[Operands, Choice], Callable[[int], object]]:
    """By the flags that the reader chose."""

    def start(operands: Operands, choice: Choice) -> Callable[[int], object]:
        library = load(LOOPS[choice.flags])
        b = operands.b
        if version == "transposed":
            b = np.empty_like(b)
            library.transpose(len(b), at(operands.b), at(b))
        return _multiply(library, version, operands, b, choice.tile)

    return start


def vectors(version: str) -> Callable[[Operands, Choice], Callable[[int], object]]:
    def start(operands: Operands, choice: Choice) -> Callable[[int], object]:
        return _multiply(load(BEST), version, operands, operands.b, choice.tile)

    return start


def _multiply(
    library: ctypes.CDLL, version: str, operands: Operands, b: Floats, tile: int
) -> Callable[[int], object]:
    def work(rounds: int) -> None:
        a, c, n = operands.a, operands.c, len(b)
        library.multiply(CODES[version], rounds, n, operands.rows, tile, at(a), at(b), at(c), 0, 1)

    return work


def threads(operands: Operands, choice: Choice) -> Callable[[int], object]:
    library = load(BEST)

    def work(rounds: int) -> None:
        a, b, c = operands.a, operands.b, operands.c
        if not library.threads(choice.threads, rounds, len(a), at(a), at(b), at(c)):
            raise OSError(f"the system did not start {choice.threads} threads")

    return work


def numpy(operands: Operands, choice: Choice, threads: int = 1) -> Callable[[int], object]:
    from threadpoolctl import ThreadpoolController

    libraries = ThreadpoolController()  # looking for them takes longer than a small product

    def work(rounds: int) -> None:
        with libraries.limit(limits=threads):
            for _ in range(rounds):
                np.matmul(operands.a, operands.b, out=operands.c)

    return work


def torch(operands: Operands, choice: Choice) -> Callable[[int], object]:
    import torch

    torch.set_num_threads(1)
    a, b, c = (torch.from_numpy(each) for each in (operands.a, operands.b, operands.c))

    def work(rounds: int) -> None:
        for _ in range(rounds):
            torch.mm(a, b, out=c)

    return work


def peak() -> tuple[Callable[[int], object], int]:
    """Multiply-adds in registers on one thread, and the floating-point operations of each round."""
    library, numbers = load(PEAK), np.linspace(0, 1e-3, 64, dtype=np.float32)

    def work(rounds: int) -> int:
        return int(library.peak(ctypes.c_long(rounds), at(numbers)))

    return work, work(1)


RUNGS = (
    Rung("Python", "Three loops over lists", lists(ijk), loop_order.ijk),
    Rung("ijk", "The same three loops in C", loops("ijk"), loop_order.ijk),
    Rung("transposed", "B transposed first, so that both are read in order", loops("transposed"), loop_order.ijk),
    Rung("ikj", "Loops exchanged: a number of A times a row of B", loops("ikj"), loop_order.ikj),
    Rung("tiled", "The same in squares that fit in a cache", loops("tiled"), loop_order.tiled),
    Rung("registers", "A tile of C kept in vector registers", vectors("registers"), loop_order.registers, 56),
    Rung("packed", "A and B copied into the order of reading", vectors("packed"), loop_order.packed, None),
    Rung("threads", "The same by several threads", threads, loop_order.team, None, team=True),
    Rung("NumPy", "What NumPy calls, one thread", numpy, rows=None, ours=False),
    Rung("torch", "What torch calls, one thread", torch, rows=None, ours=False),
)


def part(rung: Rung, whole: Operands, choice: Choice) -> Operands:
    """As many rows as a reader waits for."""
    if rung.rows is None or rung.rows >= whole.rows:
        return whole
    few = replace(whole, rows=rung.rows)
    times = max(1, int(ROW_PATIENCE / clocked(rung.start(few, choice), 1)))
    return replace(whole, rows=min(whole.rows, times * rung.rows))
