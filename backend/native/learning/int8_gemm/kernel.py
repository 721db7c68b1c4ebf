"""Products of bytes and of four bits (wasm/kernels/int8.c), on one thread, by this processor's own instructions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
from labs.contract import Float32, Int32
from numpy.typing import NDArray

from native.models.aligned import aligned
from native.models.kernel import LIBRARY, Kernel, at, load

INT8 = Kernel("int8.c", ("-O3", "-mcpu=native", *LIBRARY))
PAIRS = Kernel("int8.c", ("-O3", "-mcpu=native", "-DPAIRS", *LIBRARY))
"""The same by AVX2's instruction for bytes, which adds up pairs in 16 bits and saturates."""
Int8 = NDArray[np.int8]
Uint8 = NDArray[np.uint8]
LANES = 16  # sums of a vector, at most
Work = Callable[[int], object]
"""Does so many rounds."""
INSTRUCTIONS = {1: "plain C", 2: "vpmaddwd", 4: "vpmaddubsw", 8: "vpdpbusd", 12: "sdot"}
"""By what int8.c says that it uses."""


def instruction(kernel: Kernel = INT8) -> str:
    """The name of what multiplies, as processors' manuals have it."""
    return INSTRUCTIONS[int(load(kernel).instruction())]


def multiply(a: Int8, b: Int8, c: Int32, kernel: Kernel = INT8) -> Work:
    """c [rows, columns] = a [rows, depth] b [depth, columns]; b is packed now, a in every round.

    Raises ``ValueError`` if the shapes do not fit, or a sum might not fit 32 bits.
    """
    (rows, depth), (inner, columns) = a.shape, b.shape
    if depth != inner or c.shape != (rows, columns):
        raise ValueError(f"{a.shape} times {b.shape} does not give {c.shape}")
    fits(depth)
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    library = load(kernel)
    library.right_room.restype = library.left_room.restype = ctypes.c_size_t
    right = aligned(library.right_room(depth, columns) // 4)
    left = aligned(library.left_room() // 4)
    library.pack_right(depth, columns, at(b), at(right))
    return lambda rounds: library.multiply(rounds, rows, depth, columns, at(a), at(right), at(c), at(left))


def by_vector(w: Int8, x: Int8, y: Int32, kernel: Kernel = INT8) -> Work:
    """y [rows] = w [rows, depth] x [depth]. Raises ``ValueError`` like ``multiply``."""
    rows, depth = w.shape
    if x.shape != (depth,) or y.shape != (rows,):
        raise ValueError(f"{w.shape} times {x.shape} does not give {y.shape}")
    fits(depth)
    wide = x.astype(np.int16)
    return lambda rounds: load(kernel).by_vector(rounds, rows, depth, at(w), at(x), at(wide), at(y))


def by_vector4(codes: Uint8, scales: Float32, x: Int8, y: Float32, kernel: Kernel = INT8) -> Work:
    """y [rows] = the matrix that ``packed4`` made, times x [depth].

    The scale of x is left to the caller. Raises ``ValueError`` if the shapes do not fit.
    """
    rows, groups = scales.shape
    if not 0 <= groups * share() - len(x) < share() or y.shape != (rows,):
        raise ValueError(f"{groups} groups of {share()} times {x.shape} does not give {y.shape}")
    full = aligned(groups * share() // 4).view(np.int8)
    full[: len(x)] = x
    before = aligned(groups * LANES)

    def work(rounds: int) -> None:
        load(kernel).by_vector4(rounds, rows, groups, at(codes), at(scales), at(full), at(before), at(y))

    return work


def packed4(w: Float32) -> tuple[Uint8, Float32]:
    """Codes from -7 to 7, two in a byte, [rows, groups, share / 2], and scales [rows, groups].

    The lower halves of a group's bytes are its first codes, the upper ones its last; all are stored 8 higher.
    """
    rows, depth = w.shape
    groups = -(-depth // share())
    full = np.zeros((rows, groups * share()), np.float32)
    full[:, :depth] = w
    full = full.reshape(rows, groups, share())
    scales = np.abs(full).max(-1) / np.float32(7)
    codes = np.rint(full / np.where(scales > 0, scales, 1)[..., None]).astype(np.int8) + 8
    first, last = np.split(codes.astype(np.uint8), 2, axis=-1)
    return np.ascontiguousarray(first | last << 4), scales


def unpacked4(codes: Uint8) -> Int8:
    """The codes [rows, groups, share] of ``packed4``, from -7 to 7."""
    return np.concatenate([codes & 15, codes >> 4], axis=-1).astype(np.int8) - np.int8(8)


def share() -> int:
    """Numbers that have a scale together."""
    return int(load(INT8).share())


def peak(kernel: Kernel = INT8) -> tuple[Work, int]:
    """Steps on numbers in registers, and the operations of a round."""
    room = aligned(64)
    function = load(kernel).peak
    return lambda rounds: function(ctypes.c_long(rounds), at(room)), int(function(ctypes.c_long(1), at(room)))


def fits(depth: int) -> None:
    if depth * 128 * 128 >= 2**31:
        raise ValueError(f"{depth:,} products of bytes may not fit 32 bits; take fewer than 131,072")
