"""How long a product in blocks should take, if all that moves had to wait for its turn."""

from __future__ import annotations

from dataclasses import dataclass

FLOAT = 4  # bytes


@dataclass(frozen=True)
class Machine:
    """What was measured of it just now, and the tile of C that it keeps in registers."""

    peak: float
    """floating-point operations a second of multiply-adds in registers"""
    sizes: tuple[int, ...]
    """bytes of arrays, from the smallest"""
    bandwidth: tuple[float, ...]
    """bytes a second read from each"""
    rows: int
    columns: int

    def reads(self, size: float) -> float:
        """Bytes a second of something so large: as of the smallest measured array that is no smaller."""
        fits = [speed for most, speed in zip(self.sizes, self.bandwidth, strict=True) if size <= most]
        return fits[0] if fits else self.bandwidth[-1]


def seconds(machine: Machine, n: int, high: int, deep: int) -> float:
    """Of C = A B, n × n floats, by blocks of A of ``high`` × ``deep``: the operations, then all that moves."""
    high, deep = min(high, n), min(deep, n)
    moved = (  # bytes for each multiply-add, and how large what they come from is
        (FLOAT / machine.rows, FLOAT * deep * machine.columns),  # a strip of B, for each strip of A
        (FLOAT / machine.columns, FLOAT * high * deep),  # the block of A, for each strip of B
        (FLOAT / high, FLOAT * n * deep),  # the block of B, for each block of A
        (2 * FLOAT / deep, FLOAT * n * n),  # C, read and written for each block of B
        (4 * FLOAT / n, FLOAT * n * n),  # A and B are copied once
    )
    waiting = sum(count / machine.reads(size) for count, size in moved)
    return n**3 * (2 / machine.peak + waiting)
