"""Occupancy: how many blocks of a kernel a multiprocessor runs at once, by the rules of its architecture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

KIB = 1024
WARPS, BLOCKS, REGISTERS, PARTS = 64, 32, 65536, 4
"""Of a multiprocessor; the registers lie in four parts, and a warp's all in one of them"""
UNIT, RESERVED, SHARED_UNIT = 256, KIB, 128
"""Registers are given to a warp in units; CUDA keeps some shared memory of every block for itself"""
COLUMNS = 512
"""Of tensor memory"""


@dataclass(frozen=True)
class Limit:
    """What one multiprocessor has, and how many blocks that is enough for."""

    name: Literal["warps", "registers", "shared memory", "tensor memory", "blocks"]
    needs: int
    """for one block"""
    has: int
    blocks: int


@dataclass(frozen=True)
class Room:
    shared: int
    """Bytes of a multiprocessor"""
    block: int
    """Bytes that one block may ask for"""
    columns: int = 0
    warps: int = WARPS
    blocks: int = BLOCKS


ROOMS = {
    80: Room(164 * KIB, 163 * KIB),
    89: Room(100 * KIB, 99 * KIB, warps=48, blocks=24),
    90: Room(228 * KIB, 227 * KIB),
    100: Room(228 * KIB, 227 * KIB, COLUMNS),
}


def limits(arch: int, warps: int, registers: int, shared: int, columns: int = 0) -> list[Limit]:
    """What a block of so many warps needs of each, and how many there is room for."""
    room = ROOMS[arch]
    each = -(-registers * 32 // UNIT) * UNIT
    takes = -(-(shared + RESERVED) // SHARED_UNIT) * SHARED_UNIT
    return [
        Limit("warps", warps, room.warps, room.warps // warps),
        Limit("registers", each * warps, REGISTERS, REGISTERS // PARTS // each * PARTS // warps),
        Limit("shared memory", takes, room.shared, room.shared // takes if shared <= room.block else 0),
        *([Limit("tensor memory", columns, room.columns, room.columns // columns)] if columns else []),
        Limit("blocks", 1, room.blocks, room.blocks),
    ]
