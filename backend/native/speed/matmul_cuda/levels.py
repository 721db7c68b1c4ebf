"""How each kernel of ours cuts the product, and how many bytes each multiply-add costs on every level of memory.

Counted from the indices in the kernels. Of Triton's programs the tile is known that was the fastest, and what its
compiler makes of it is not; cuBLAS chooses for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from labs.contract import Float32, Int32, Uint8
from labs.models import warps

LEVELS = ("global", "load", "operand")
CUT = ("rows", "columns", "depth")
MOST, NONE = 64, 255
WORD, HALF = 4, 2  # bytes of float32 and of bfloat16


@dataclass(frozen=True)
class Level:
    """``block``: what a block makes of C, and how deep its slabs are. ``down`` and ``across``: the rows and columns
    of the block whose numbers one ``holder`` keeps, its first thread or the first fragment of its first warp.

    ``bytes``: for a multiply-add, what the block moves from global memory, what threads load into registers, and
    what instructions take from registers; where nothing is loaded, from shared memory.
    """

    block: tuple[int, int, int]
    holder: str
    down: tuple[int, ...]
    across: tuple[int, ...]
    bytes: tuple[float, float, float]


def level(way: str, n: int, tile: int) -> Level | None:
    if way == "WMMA bf16":
        return tensor_cores()
    if way == "WGMMA bf16":
        return warpgroups()
    if way not in warps.WAYS:
        return None
    of = warps.shape(way, tile)
    four = (0, 1, 2, 3)
    down, across = {
        "registers": (tuple(range(8)), tuple(range(8))),
        "vectors": tuple(tuple(far + each for far in (0, 64) for each in four) for _ in range(2)),
        "pipelined": (tuple(range(0, 64, 8)), tuple(far + each for far in range(0, 64, 16) for each in four)),
    }.get(way, ((0,), (0,)))
    loads = WORD * (len(down) + len(across)) / (len(down) * len(across))
    cost = (warps.traffic(way, n, tile), loads, 2.0 * WORD)
    return Level((of.rows, of.columns, of.depth), "thread", down, across, cost)


def tensor_cores() -> Level:
    """A warp loads 4 + 4 fragments of 16 × 16 for 16 products; an instruction multiplies 16 × 16 by 16 × 8."""
    rows, columns, depth, side = 128, 256, 16, 16
    moved = HALF * depth * (rows + columns) / (rows * columns * depth)
    loads = HALF * 8 * side * side / (16 * side**3)
    taken = HALF * (side * side + side * 8) / (side * side * 8)
    return Level((rows, columns, depth), "warp", tuple(range(side)), tuple(range(side)), (moved, loads, taken))


def warpgroups() -> Level:
    """An instruction takes 64 × 16 numbers of A and 16 × 256 of B where they lie in shared memory.

    A thread keeps two sums in every eight columns, of one row and of the eighth below.
    """
    rows, columns, depth, high, deep = 128, 256, 64, 64, 16
    moved = HALF * depth * (rows + columns) / (rows * columns * depth)
    taken = HALF * deep * (high + columns) / (high * columns * deep)
    across = tuple(far + each for far in range(0, columns, 8) for each in (0, 1))
    return Level((rows, columns, depth), "thread", (0, 8), across, (moved, 0.0, taken))


def triton(name: str, chosen: tuple[int, int, int]) -> Level:
    rows, columns, _ = chosen
    moved = (HALF if name.endswith("bf16") else WORD) * (rows + columns) / (rows * columns)
    return Level(chosen, "", (), (), (moved, np.nan, np.nan))


def tables(
    names: list[str], n: int, tile: int, chosen: Mapping[str, tuple[int, int, int]]
) -> tuple[Int32, list[str], Uint8, Uint8, Float32]:
    """Blocks, holders, their rows and columns, and bytes, of all ways: 0, "", 255 and NaN where not known.

    ``chosen`` are rows, columns and depth of Triton's programs.
    """
    blocks = np.zeros((len(names), 3), np.int32)
    holders = ["" for _ in names]
    down, across = (np.full((len(names), MOST), NONE, np.uint8) for _ in range(2))
    cost = np.full((len(names), len(LEVELS)), np.nan, np.float32)
    for at, name in enumerate(names):
        if of := triton(name, chosen[name]) if name in chosen else level(name, n, tile):
            blocks[at], holders[at], cost[at] = of.block, of.holder, of.bytes
            down[at, : len(of.down)], across[at, : len(of.across)] = of.down, of.across
    return blocks, holders, down, across, cost
