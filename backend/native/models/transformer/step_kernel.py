"""One step of the transformer for a batch of rows (wasm/kernels/transformer.c), and its weights."""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass
from itertools import chain, cycle

import numpy as np
from numpy.typing import NDArray

from native.models.aligned import aligned
from native.models.kernel import LIBRARY, Kernel, at, load
from native.models.transformer.shape import BLOCK, BLOCKS, CONTEXT, HEADS, LAYERS, VOCABULARY, WIDTH

MOST = 256  # rows of a step
NOWHERE_NEAR = 96 << 20  # bytes that no cache holds
SHAPE = {"D": WIDTH, "HEADS": HEADS, "LAYERS": LAYERS, "CONTEXT": CONTEXT, "VOCABULARY": VOCABULARY, "BLOCK": BLOCK}
STEP = Kernel(
    "transformer.c",
    ("-O3", "-mcpu=native", *LIBRARY, *(f"-D{name}={value}" for name, value in SHAPE.items()), f"-DMOST={MOST}"),
)
Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Weights:
    layers: Floats
    """[copies, numbers] all matrices of all layers, in the order in which a step reads them, in panels.
    Each step reads the next copy."""
    tokens: Floats
    """[VOCABULARY, WIDTH]"""
    places: Floats
    """[CONTEXT, WIDTH]"""
    head: Floats
    """The transpose of ``tokens``, in panels."""

    @property
    def read(self) -> int:
        """Bytes that every step reads, however many rows it has."""
        return self.layers.nbytes // len(self.layers) + self.head.nbytes


def packed(matrices: dict[str, Floats], cached: bool = True) -> Weights:
    """From the matrices of ``network.Network``, [outputs, inputs] each.

    Not ``cached``: in so many copies that none is in a cache when its turn comes, as with weights too many for it.
    """
    names = [f"layers.{n}.{part}.weight" for n in range(LAYERS) for part in ("attention", "mix", "up", "down")]
    layers = np.concatenate([panels(matrices[name]) for name in names])
    copies = 1 if cached else -(-NOWHERE_NEAR // layers.nbytes)
    room = aligned(copies * layers.size).reshape(copies, -1)
    room[:] = layers
    return Weights(
        room,
        matrices["tokens.weight"],
        matrices["places.weight"],
        panels(matrices["tokens.weight"]),
    )


def panels(matrix: Floats) -> Floats:
    """[outputs, inputs] with so many outputs side by side as a tile of the kernel is wide."""
    inputs = matrix.shape[1]
    wide = int(load(STEP).panel())
    room = aligned(matrix.size)
    room.reshape(-1, inputs, wide)[:] = matrix.reshape(-1, wide, inputs).transpose(0, 2, 1)
    return room


class Machine:
    """A transformer with a cache of so many blocks for so many lanes, and room for the rows of one step."""

    def __init__(self, weights: Weights, blocks: int, lanes: int) -> None:
        self.cache = aligned(blocks * LAYERS * 2 * WIDTH * BLOCK).reshape(blocks, LAYERS, 2, WIDTH * BLOCK)
        self.tables = np.zeros((lanes, BLOCKS), np.int32)
        self.logits = np.empty((MOST, VOCABULARY), np.float32)
        self.rows = np.empty((MOST, 4), np.int32)
        """A token, its position, its lane, and whether its logits are asked for."""
        self.weights = weights
        before = (self.rows, self.tables, self.cache)
        after = (weights.tokens, weights.places, weights.head, self.logits)
        self._arguments = tuple(map(at, before)), tuple(map(at, after))
        self._turns = cycle([at(copy) for copy in weights.layers])
        self._step = load(STEP).step

    def step(self, rows: list[tuple[int, int, int, bool]]) -> Floats:
        """Logits [rows that ask, VOCABULARY] of at most ``MOST`` rows; good until the next step."""
        if len(rows) > MOST:
            raise ValueError(f"{len(rows)} rows are more than {MOST}")
        struct.pack_into(f"{4 * len(rows)}i", self.rows.data, 0, *chain.from_iterable(rows))  # NumPy takes longer
        before, after = self._arguments
        asked = self._step(ctypes.c_int(len(rows)), *before, next(self._turns), *after)
        return self.logits[:asked]
