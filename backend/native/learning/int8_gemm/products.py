"""Products of square matrices of the same whole numbers: as float32 by torch, as bytes by ours and by torch."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from native.learning.int8_gemm import kernel
from native.learning.int8_gemm.names import SQUARES
from native.models.aligned import aligned
from native.models.torch_threads import one_thread


@dataclass(frozen=True)
class Product:
    name: str
    size: int
    """Bytes of A, B and C"""
    roof: int | None
    """Which peak bounds it; None where a library may know better instructions than ours"""
    work: Callable[..., object]
    """Does so many rounds; on a GPU it puts one on the stream"""
    error: Callable[[], float]
    """After the work: the share of sums that are wrong"""
    by: str = ""
    """On a GPU, the instruction or the library that multiplies"""
    ours: bool = False
    """Then a speed above its roof is refused: a library's may come from units that the roof does not know."""


def each(n: int, bits: int, seed: int) -> Iterator[Product]:
    """One after the other; A and B hold all codes of so many bits alike.

    Right sides of bytes are packed before: weights are known.
    """
    random = np.random.default_rng(seed + 1)
    most = 2 ** (bits - 1)
    a, b = (random.integers(-most, most, (n, n), dtype=np.int8) for _ in range(2))
    exact = a.astype(np.float64) @ b.astype(np.float64)  # below 2⁵³, and so exact
    floats, found = np.empty((n, n), np.float32), aligned(n * n).view(np.int32).reshape(n, n)
    left, right, result = torch.from_numpy(a).float(), torch.from_numpy(b).float(), torch.from_numpy(floats)

    def in_float32() -> object:
        return torch.mm(left, right, out=result)

    bytes_size = 2 * n * n + found.nbytes
    yield Product(SQUARES[0], 3 * floats.nbytes, 0, repeated(in_float32), lambda: wrong(floats, exact))
    for name, roof, of in ((SQUARES[1], 1, kernel.INT8), (SQUARES[2], 2, kernel.PAIRS)):
        work = kernel.multiply(a, b, found, of)
        yield Product(name, bytes_size, roof, work, lambda: wrong(found, exact), ours=True)
    yield torchs(a, b, exact)
    if not lacking():
        yield whole_numbers(a, b, exact)


def lacking() -> str:
    """Why torch's product of bytes is not measured here; nothing if it is."""
    if not hasattr(torch, "_int_mm"):
        return "this build of torch has no such product"
    has_instruction = getattr(torch.cpu, "_is_vnni_supported", lambda: False)()
    return "" if has_instruction else "without VNNI torch multiplies one number at a time"


def whole_numbers(a: NDArray[np.int8], b: NDArray[np.int8], exact: NDArray[np.float64]) -> Product:
    """torch's own product of bytes with sums of 32 bits, by oneDNN; neither side is packed before."""
    left, right = torch.from_numpy(a), torch.from_numpy(b)
    found = torch.empty(exact.shape, dtype=torch.int32)

    def product() -> object:
        return torch._int_mm(left, right, out=found)

    size = a.nbytes + b.nbytes + found.nbytes
    return Product(SQUARES[4], size, None, repeated(product), lambda: wrong(found.numpy(), exact))


def torchs(a: NDArray[np.int8], b: NDArray[np.int8], exact: NDArray[np.float64]) -> Product:
    """torch's linear layer of bytes, by oneDNN.

    Its left side has no sign, and its result is rounded to bytes: wrong is what is more than one off.
    """
    step = float(np.abs(exact).max()) / 127
    with warnings.catch_warnings():  # torch says that these ways to make tensors of codes may go one day
        warnings.simplefilter("ignore")
        left = torch.quantize_per_tensor(torch.from_numpy(a).float(), 1.0, 128, torch.quint8)
        right = torch.quantize_per_tensor(torch.from_numpy(b.T.copy()).float(), 1.0, 0, torch.qint8)
    before = torch.backends.quantized.engine
    torch.backends.quantized.engine = "onednn"
    try:
        layer = torch.ops.quantized.linear_prepack(right, None)
    finally:
        torch.backends.quantized.engine = before

    def linear() -> torch.Tensor:
        torch.backends.quantized.engine = "onednn"
        try:
            found: torch.Tensor = torch.ops.quantized.linear(left, layer, step, 128)
        finally:
            torch.backends.quantized.engine = before
        return found

    def error() -> float:
        with one_thread():
            return float(
                (np.abs(linear().int_repr().numpy() - (exact / step + 128).round().clip(0, 255)) > 1).mean()
            )

    return Product(SQUARES[3], 3 * len(a) ** 2, None, repeated(linear), error)


def repeated(once: Callable[[], object]) -> kernel.Work:
    def work(rounds: int) -> None:
        with one_thread():
            for _ in range(rounds):
                once()

    return work


def wrong(found: NDArray[np.float32] | NDArray[np.int32], exact: NDArray[np.float64]) -> float:
    return float((found != exact).mean())
