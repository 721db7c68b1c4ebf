"""What a kernel is predicted to take on a GPU: bytes, operations, and the cycles of its busiest multiprocessor.

A block computes, or waits for the numbers of its next round. While it waits, other blocks of the multiprocessor
compute, if registers and shared memory leave room for others. The model knows no more than this.
"""

from __future__ import annotations

from dataclasses import dataclass

from labs.models.fusing.cost import work
from labs.models.fusing.graph import BYTES
from labs.models.fusing.loops import Kernel, Loop, Update, statements

from native.compilers.gpu_kernel_stages.gpus import Gpu
from native.compilers.gpu_kernel_stages.products import THREADS
from native.compilers.gpu_kernel_stages.tiles import SIDE, Space, Tile, space
from native.compilers.gpu_kernel_stages.writer import TileWriter
from native.models.occupancy import limits

LAUNCH = 2e-6
"""Seconds to start a kernel: assumed"""
WAIT = 800
"""Cycles until the numbers of a round have come, and all threads have met: assumed, for every GPU"""
BARRIER = 40
"""Cycles until all threads have met"""
WARPS = THREADS // 32
ISSUED = 4
"""Instructions of all warps together that a multiprocessor starts in a cycle"""
FOUR = 4
"""Numbers that an instruction loads at most. Shared memory takes a cycle for each of them, for a warp at a time"""
EXP = 12
"""Instructions of an exponential, roughly"""


@dataclass(frozen=True)
class Price:
    bytes: int
    """Each tensor that the kernel reads or writes, once"""
    fetched: int
    """What its blocks ask for; caches answer much of it"""
    operations: float
    """A multiply-add is two"""
    resident: int
    """Blocks that a multiprocessor runs at once"""
    waves: int
    """How often a multiprocessor takes in blocks"""
    busy: float
    """Seconds that the busiest multiprocessor computes"""
    seconds: float


@dataclass(frozen=True)
class Block:
    """Cycles of one block."""

    work: float
    stall: float
    fetched: float
    """Bytes, on average: guards ask for nothing outside of a matrix"""
    ideal: float
    """Cycles of its multiply-adds alone"""


def price(
    kernel: Kernel, tile: Tile | None, gpu: Gpu, registers: int = 0, shared: int = -1, alone: bool = False
) -> Price:
    """``registers`` and ``shared`` are the assembler's, or guessed. ``alone`` is in one block that does all."""
    where = space(kernel)
    writer = TileWriter(kernel, tile=tile)
    block = tiled(where, tile, gpu) if where and tile else rows(kernel, writer.blocks, gpu)
    registers = registers or guessed(where, tile)
    shared = 4 * writer.room + 1024 if shared < 0 else shared
    room = max(1, min(each.blocks for each in limits(gpu.arch, WARPS, registers, shared)))
    blocks = writer.blocks
    share = blocks if alone else -(-blocks // gpu.multiprocessors)
    resident = 1 if alone else min(room, share)
    full, rest = divmod(share, resident)
    cycles = full * max(resident * block.work, block.work + block.stall)
    cycles += max(rest * block.work, block.work + block.stall) if rest else 0
    bytes_ = sum(each.size * BYTES[each.dtype] for each in kernel.buffers if each.role != "local")
    seconds = max(cycles / gpu.clock, bytes_ / gpu.bandwidth) + (0 if alone else LAUNCH)
    operations, products = work(kernel.body)
    return Price(
        bytes_,
        round(blocks * block.fetched),
        operations + 2 * products,
        room,
        full + bool(rest),
        share * block.work / gpu.clock,
        seconds,
    )


def at_least(where: Space, tile: Tile, gpu: Gpu) -> float:
    """Seconds that a tile cannot do in: the multiply-adds of the busiest multiprocessor."""
    share = -(-where.blocks(tile) // gpu.multiprocessors)
    return LAUNCH + share * tiled(where, tile, gpu).ideal / gpu.clock


def floor(kernel: Kernel, gpu: Gpu) -> float:
    """Seconds that no kernel can do these products in: all lanes of the GPU multiply all the time."""
    return 2 * work(kernel.body)[1] / gpu.flops


def guessed(where: Space | None, tile: Tile | None) -> int:
    """Registers of a thread."""
    if not where or not tile:
        return 32
    high, wide = tile.each
    sums = high * wide + (high * where.padded // SIDE if where.values else 0)
    return min(255, 40 + sums + high + wide)


def tiled(where: Space, tile: Tile, gpu: Gpu) -> Block:
    high, wide = tile.each
    if where.values is None:
        rounds = -(-where.depth // tile.depth)
        once = tile.depth * step(high, wide, gpu) + carried((tile.rows + tile.columns) * tile.depth)
        fetched = 4 * (where.rows / where.high(tile) + where.columns / where.wide(tile)) * where.depth
        ideal = where.depth * high * wide * THREADS / gpu.lanes
        return Block(rounds * once, rounds * (WAIT + BARRIER), fetched, ideal)
    out, rounds = where.padded // SIDE, where.wide(tile)
    products = where.depth * step(high, wide, gpu) + tile.columns * step(high, out, gpu)
    shares = WARPS / ISSUED * high * (2 * SIDE + wide * (EXP + 6) + out)
    once = products + shares + carried(tile.columns * (where.depth + where.width))
    fetched = 4 * (where.rows / where.high(tile) * where.depth + where.columns * (where.depth + where.width))
    ideal = rounds * (where.depth * high * wide + tile.columns * high * out) * THREADS / gpu.lanes
    return Block(rounds * once, rounds * (WAIT + 4 * BARRIER), fetched, ideal)


def step(high: int, wide: int, gpu: Gpu) -> float:
    """Cycles for a block's multiply-adds of one depth: of the lanes, of shared memory, or to start instructions."""
    loads = sum(-(-count // FOUR) if count >= FOUR else count for count in (high, wide))
    lanes = high * wide * THREADS / gpu.lanes
    return max(lanes, WARPS * (high + wide), WARPS / ISSUED * (high * wide + loads))


def carried(numbers: int) -> float:
    """Cycles to start the instructions that bring so many numbers into shared memory, four at a time."""
    return numbers / 4 / 32 * 6 / ISSUED


def rows(kernel: Kernel, blocks: int, gpu: Gpu) -> Block:
    """A row for each block, or 256 elements."""
    operations, _ = work(kernel.body)
    loops = sum(isinstance(each, Loop) for each in statements(kernel.body))
    sums = sum(isinstance(each, Update) for each in statements(kernel.body))
    moved = sum(each.size * BYTES[each.dtype] for each in kernel.buffers if each.role != "local")
    cycles = operations / blocks / 32 / ISSUED
    return Block(cycles + sums * 2 * BARRIER, loops * WAIT + sums * 9 * BARRIER, moved / blocks, cycles)
