"""What a warp reads: 32 threads ask at once, and the same product moves far more bytes or far fewer.

Six kernels multiply the same matrices on a GPU. For each, the first warp's first reads: which numbers of A and B
its lanes want, in how many sectors of 32 bytes of global memory those lie, and how they share the banks of shared
memory. Counted from the indices in the kernels (`matmul.cu`), so no GPU is needed. What the caches then keep is not
counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labs.models.warp_pictures import Access, Product, pictures

POSTER = 4


@dataclass(frozen=True)
class Params(Product):
    """Of what is counted; nothing is measured."""


def run(params: Params) -> Iterator[Access]:
    yield from pictures(params)
