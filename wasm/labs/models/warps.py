"""What one warp asks of memory in the kernels of matmul.cu, and what the hardware moves for it.

A warp is 32 threads that do the same at the same time. What they read of global memory travels in sectors of 32
bytes; shared memory has 32 banks of 4 bytes, each of which gives one word at a time. So it counts where the 32
addresses of one instruction lie, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LANES = 32
WORD, SECTOR, BANKS = 4, 32, 32
WAYS = ("naive", "coalesced", "shared", "registers", "vectors", "pipelined")
"""The kernels of ours, in the order of matmul.cu."""

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Read:
    """One instruction of one warp: what each lane reads, by row and column of the first number."""

    line: str
    """as it is written in matmul.cu"""
    matrix: str
    row: Ints
    column: Ints
    bytes: int
    pitch: int
    """numbers from the start of a row to that of the next"""
    shared: bool = False

    @property
    def words(self) -> Ints:
        """[lanes, words] the 4-byte words that the lanes want, counted from the start of the matrix or tile"""
        first = self.row * self.pitch + self.column
        return first[:, None] + np.arange(self.bytes // WORD)


@dataclass(frozen=True)
class Shape:
    """What a block of threads makes from one slab of A and B."""

    threads: int
    rows: int
    columns: int
    depth: int


def shape(way: str, tile: int) -> Shape:
    return {
        "naive": Shape(256, 32, 8, 1),
        "coalesced": Shape(256, 8, 32, 1),
        "shared": Shape(tile * tile, tile, tile, tile),
        "registers": Shape(256, 128, 128, 8),
        "vectors": Shape(256, 128, 128, 8),
        "pipelined": Shape(256, 128, 256, 8),
    }[way]


def from_global(way: str, n: int, tile: int, warp: int, slab: int = 0) -> Iterator[Read]:
    """What a warp of the first block reads of A and B for a slab, in the order of the program."""
    t = warp * LANES + np.arange(LANES)
    k = slab * shape(way, tile).depth

    def read(line: str, matrix: str, row: Ints, column: Ints, words: int = 1) -> Iterator[Read]:
        if n % words:  # rows do not begin at multiples of 16 bytes: one by one
            yield from (Read(line, matrix, row, column + each, WORD, n) for each in range(words))
        else:
            yield Read(line, matrix, row, column, words * WORD, n)

    if way in ("naive", "coalesced"):
        lane, other, here = t % 32, t // 32, np.full(LANES, k)
        i, j = (lane, other) if way == "naive" else (other, lane)
        yield from read("a[i * n + k]", "A", i, here)
        yield from read("b[k * n + j]", "B", here, j)
    elif way == "shared":
        yield from read("left[y][x] = a[i * n + from + x]", "A", t // tile, k + t % tile)
        yield from read("right[y][x] = b[(from + y) * n + j]", "B", k + t // tile, t % tile)
    elif way == "registers":
        for e in (t + 256 * part for part in range(4)):
            yield from read("left[e / 8][e % 8] = a[…]", "A", e // 8, k + e % 8)
            yield from read("right[e / 128][e % 128] = b[…]", "B", k + e // 128, e % 128)
    elif way == "vectors":
        yield from read("float4 v = four(a, t / 2, t % 2 * 4)", "A", t // 2, k + t % 2 * 4, 4)
        yield from read("right[t / 32][t % 32 * 4] = four(b, …)", "B", k + t // 32, t % 32 * 4, 4)
    else:
        yield from read("fetch_four(left[t / 2][t % 2 * 4], a + …)", "A", t // 2, k + t % 2 * 4, 4)
        for down in (0, 4):
            row = k + t // 64 + down
            yield from read("fetch_four(right[t / 64][t % 64 * 4], b + …)", "B", row, t % 64 * 4, 4)


def from_shared(way: str, tile: int, warp: int) -> Iterator[Read]:
    """What a warp reads of the tiles in shared memory at first, in reads as wide as the compiler makes them."""
    t = warp * LANES + np.arange(LANES)
    none = np.zeros(LANES, np.int64)
    if way == "shared":
        yield Read("left[y][k]", "A", t // tile, none, 4 * WORD, tile, True)
        yield Read("right[k][x]", "B", none, t % tile, WORD, tile, True)
    elif way == "registers":
        yield Read("left[y + i][k]", "A", t // 16 * 8, none, 4 * WORD, 8, True)
        yield Read("right[k][x + j]", "B", none, t % 16 * 8, 4 * WORD, 128, True)
    elif way == "vectors":
        yield Read("left[k][y]", "A", none, t // 16 * 4, 4 * WORD, 132, True)
        yield Read("right[k][x]", "B", none, t % 16 * 4, 4 * WORD, 128, True)
    elif way == "pipelined":
        lane = t % LANES
        yield Read("left[stage][y + 8 * i][k]", "A", warp // 4 * 64 + lane // 4, none, 4 * WORD, 12, True)
        yield Read("right[stage][k + e][x + 16 * j]", "B", none, warp % 4 * 64 + lane % 4 * 4, 4 * WORD, 256, True)


def sectors(read: Read) -> tuple[Ints, NDArray[np.uint8]]:
    """The sectors that a read of global memory moves, and [sectors, 8] how many lanes want each of their words."""
    per = SECTOR // WORD
    which, wanted = np.unique(read.words, return_counts=True)
    moved, at = np.unique(which // per, return_inverse=True)
    counts = np.zeros((len(moved), per), np.uint8)
    counts[at, which % per] = wanted
    return moved, counts


def wavefronts(read: Read) -> NDArray[np.uint8]:
    """[wavefronts, 32] how many lanes get their word from each bank, turn by turn.

    Lanes that want the same word get it at once. Words of one bank have to wait for each other. Reads of 16 bytes
    are done for a quarter of the warp at a time, since 8 lanes then want all that the banks can give.
    """
    lanes = LANES // (read.bytes // WORD)
    turns: list[NDArray[np.uint8]] = []
    for part in range(0, LANES, lanes):
        words, wanted = np.unique(read.words[part : part + lanes], return_counts=True)
        before: dict[int, int] = {}
        first = len(turns)
        for word, count in zip(words.tolist(), wanted.tolist(), strict=True):
            turn = before[word % BANKS] = before.get(word % BANKS, -1) + 1
            while first + turn >= len(turns):
                turns.append(np.zeros(BANKS, np.uint8))
            turns[first + turn][word % BANKS] = count
    return np.array(turns)


def traffic(way: str, n: int, tile: int) -> float:
    """Bytes that all warps of the first block move from global memory for a multiply-add."""
    of = shape(way, tile)
    moved = sum(
        len(sectors(read)[0]) * SECTOR
        for warp in range(of.threads // LANES)
        for read in from_global(way, n, tile, warp)
    )
    return moved / (of.rows * of.columns * of.depth)
