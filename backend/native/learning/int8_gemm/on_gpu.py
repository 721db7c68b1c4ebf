"""Products of bytes and of four bits on an NVIDIA GPU (wasm/kernels/int8.cu), on tensors that are there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from native.models.cuda_driver import HOPPER, here, launch, load
from native.models.cuda_products import Shape

FILE = "int8.cu"
SHARE = 128  # codes of four bits that have a scale together
PIECE = 16  # bytes that a thread reads at once: rows are filled up with zeros to a multiple of them
TILES = Shape((256, 1), 128, 256, line=True)
ROWS = Shape((256, 1), 8, 1, line=True)
Work = Callable[[], object]
"""Puts one round on the current stream."""

PEAKS = {"wgmma": 8 * 2 * (2 * 64 * 32 * 256), "mma.sync": 16 * 8 * (2 * 16 * 32 * 8)}
"""Operations of a round of a block, by the instruction of tensor cores that ``peak`` is made of."""


def multiply(a: Any, w: Any, c: Any) -> Work:
    """c [rows, columns] = a [rows, depth] times the transpose of w [columns, depth], exactly, on tensor cores.

    Raises ``ValueError`` if the shapes do not fit, or a sum might not fit 32 bits.
    """
    (rows, depth), (columns, inner) = a.shape, w.shape
    fits(depth, PIECE, inner == depth and c.shape == (rows, columns))
    return launched("multiply", TILES, rows, columns, (rows, columns, depth, a, w, c))


def by_vector(w: Any, x: Any, y: Any) -> Work:
    """y [rows] = w [rows, depth] x [depth], exactly. Raises ``ValueError`` like ``multiply``."""
    rows, depth = w.shape
    fits(depth, PIECE, x.shape == (depth,) and y.shape == (rows,))
    return launched("by_vector", ROWS, rows, 1, (rows, depth // PIECE, w, x, y))


def by_vector4(codes: Any, scales: Any, x: Any, y: Any) -> Work:
    """y [rows] = the matrix that ``packed4`` made, times x, which is as long as all groups of a row.

    The scale of x is left to the caller. Raises ``ValueError`` if the shapes do not fit.
    """
    rows, groups = scales.shape
    fits(
        len(x), SHARE, len(x) == groups * SHARE and y.shape == (rows,) and codes.shape == (rows, groups, SHARE // 2)
    )
    return launched("by_vector4", ROWS, rows, 1, (rows, groups, codes, scales, x, y))


def reading(numbers: Any, to: Any, blocks: int) -> Work:
    """Reads all bytes of ``numbers``, a multiple of 16."""
    code = load(FILE, "reading")
    return lambda: launch(code, (blocks, 1), (256, 1), (numbers.nbytes // PIECE, numbers, to))


def peak(rounds: int, blocks: int) -> tuple[Work, int]:
    """Products of bytes on tensor cores whose operands stay where they are, and the operations of each call."""
    import torch

    code, to = load(FILE, "peak"), torch.empty(256 * blocks, dtype=torch.int32, device="cuda")
    return lambda: launch(code, (blocks, 1), (256, 1), (rounds, to)), PEAKS[instruction()] * rounds * blocks


def instruction() -> str:
    """What multiplies bytes fastest on the tensor cores of this GPU, as the manual of PTX has it."""
    return "wgmma" if here() == HOPPER else "mma.sync"


def launched(name: str, shape: Shape, rows: int, columns: int, given: tuple[Any, ...]) -> Work:
    code, blocks = load(FILE, name), shape.blocks(columns, rows)
    return lambda: launch(code, blocks, shape.threads, given)


def fits(depth: int, piece: int, agrees: bool) -> None:
    if not agrees or depth % piece:
        raise ValueError(f"these shapes do not belong to one product, or its depth is no multiple of {piece}")
    if depth * 128 * 128 >= 2**31:
        raise ValueError(f"{depth:,} products of bytes may not fit 32 bits; take fewer than 131,072")


def filled(matrix: Any, piece: int = PIECE) -> Any:
    """With zeros behind each row, until it is a multiple of so many numbers."""
    import torch

    return torch.nn.functional.pad(matrix, (0, -matrix.shape[-1] % piece))


def packed4(w: Any) -> tuple[Any, Any]:
    """Codes [rows, groups, SHARE / 2] and scales [rows, groups] of real weights, as by ``kernel.packed4``."""
    import torch

    groups = filled(w, SHARE).unflatten(1, (-1, SHARE))
    scales = groups.abs().amax(-1) / 7
    codes = (groups / torch.where(scales > 0, scales, 1)[..., None]).round().to(torch.int8) + 8
    first, last = codes.to(torch.uint8).chunk(2, -1)
    return first | last << 4, scales
