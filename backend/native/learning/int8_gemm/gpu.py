"""What the board asks of an NVIDIA GPU: roofs of its tensor cores and its memory, products by ours and by torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from typing import Any

import torch
from labs.contract import LabError, Sentence, say
from labs.models.timing import Timing

from native.learning.int8_gemm import on_gpu
from native.learning.int8_gemm.names import GPU_SQUARES, GPU_VECTORS, PATIENCE, three
from native.learning.int8_gemm.products import Product
from native.learning.int8_gemm.vectors import Vector
from native.models.cuda_products import Precision, cublas, peak
from native.models.cuda_timing import timed

DEVICE = "cuda"  # or what plays it in a test
ROUNDS = 1024  # of products on tensor cores: about 10 ms at the peak
CACHES = 8  # times as many bytes as the cache holds, or more, are read before any is read again
MOST_COPIES = 1000


class Gpu:
    """Raises ``LabError`` where there is none."""

    kind, vectors, squares = "GPU", GPU_VECTORS, GPU_SQUARES

    def __init__(self, repetitions: int) -> None:
        if not torch.cuda.is_available() or torch.cuda.get_device_capability() < (8, 0):
            raise LabError(
                "These products are measured on an NVIDIA GPU of 2020 or later, and there is none here: "
                "choose the CPU."
            )
        facts = torch.cuda.get_device_properties()
        self.repetitions, self.name = repetitions, str(facts.name)
        self.blocks, self.cache = 8 * facts.multi_processor_count, int(facts.L2_cache_size)
        self.instruction = on_gpu.instruction()
        torch.set_float32_matmul_precision("highest")

    def time(self, work: on_gpu.Work) -> Timing:
        return timed(work, self.repetitions, PATIENCE)

    def peaks(self) -> list[float]:
        works = (peak("fp32", 16 * ROUNDS), on_gpu.peak(ROUNDS, self.blocks), peak("bf16", 2 * ROUNDS))
        return [does / timed(work, 5, 0.03).least / 1e9 for work, does in works]

    def reads(self, size: int) -> float:
        numbers = torch.ones(-(-size // 16) * 4, dtype=torch.int32, device=DEVICE)
        to = torch.empty(1, dtype=torch.int32, device=DEVICE)
        work = self.by_turns(lambda each: on_gpu.reading(each, to, self.blocks), numbers)
        return float(numbers.nbytes / self.time(work).least / 1e9)

    def beside_reading(self, work: on_gpu.Work, size: int) -> tuple[Timing, float]:
        before = self.reads(size)
        taken = self.time(work)
        return taken, max(before, self.reads(size))  # others use the same memory, now and then

    def by_turns(self, start: Callable[..., on_gpu.Work], *given: Any) -> on_gpu.Work:
        """On copies of what is given, one after the other, so many that they come from memory, not from a cache."""
        size = sum(each.nbytes for each in given)
        copies = min(MOST_COPIES, -(-CACHES * self.cache // size))
        works = cycle([start(*(each.clone() for each in given)) for _ in range(copies)])
        return lambda: next(works)()

    def by_vector(self, n: int, seed: int) -> Iterator[Vector]:
        """One after the other, as ``vectors.each`` has them."""
        random = torch.Generator(DEVICE).manual_seed(seed)
        x, w = (torch.randn(shape, device=DEVICE, generator=random) for shape in ((n,), (n, n)))
        exact = w.double() @ x.double()
        for name, kind in zip(GPU_VECTORS, (torch.float32, torch.bfloat16), strict=False):
            yield self.by_torch(name, w.to(kind), x.to(kind), exact)
        step, scales = x.abs().max() / 127, w.abs().amax(1) / 127
        rounded = (x / step).round().to(torch.int8)
        eight = on_gpu.filled((w / scales[:, None]).round().to(torch.int8))
        four, shared = on_gpu.packed4(w)
        whole, short = torch.empty(n, dtype=torch.int32, device=DEVICE), torch.empty(n, device=DEVICE)
        as_long = on_gpu.filled(rounded)
        yield Vector(
            GPU_VECTORS[2],
            eight.nbytes + scales.nbytes,
            self.by_turns(lambda w: on_gpu.by_vector(w, as_long, whole), eight),
            lambda: off(whole * scales.double() * step, exact),
            "dp4a",
        )
        as_groups = on_gpu.filled(rounded, on_gpu.SHARE)
        yield Vector(
            GPU_VECTORS[3],
            four.nbytes + shared.nbytes,
            self.by_turns(lambda w, scales: on_gpu.by_vector4(w, scales, as_groups, short), four, shared),
            lambda: off(short.double() * step, exact),
            "dp4a",
        )

    def by_torch(self, name: str, w: Any, x: Any, exact: Any) -> Vector:
        y = torch.empty_like(x)
        work = self.by_turns(lambda each: partial(torch.mv, each, x, out=y), w)
        return Vector(name, w.nbytes, work, lambda: off(y.double(), exact), "cuBLAS")

    def by_matrix(self, n: int, bits: int, seed: int) -> Iterator[Product]:
        """One after the other; A and the weights hold all codes of so many bits alike."""
        random = torch.Generator(DEVICE).manual_seed(seed + 1)
        most = 2 ** (bits - 1)
        a, w = (
            torch.randint(-most, most, (n, n), dtype=torch.int8, device=DEVICE, generator=random) for _ in range(2)
        )
        exact = a.double() @ w.double().t()  # below 2⁵³, and so exact
        kinds: tuple[tuple[Precision, torch.dtype, int], ...] = (
            ("fp32", torch.float32, 0),
            ("bf16", torch.bfloat16, 2),
        )
        for name, (precision, kind, roof) in zip(GPU_SQUARES, kinds, strict=False):
            left, right = a.to(kind), w.to(kind).t().contiguous()
            c = torch.full_like(left, torch.nan)
            work = cublas(precision)(left, right, c)
            yield Product(name, 3 * c.nbytes, roof, work, partial(wrong, c, exact), "cuBLAS")
        left, right = on_gpu.filled(a), on_gpu.filled(w)
        c = torch.full((n, n), -1, dtype=torch.int32, device=DEVICE)
        size = left.nbytes + right.nbytes + c.nbytes
        work = on_gpu.multiply(left, right, c)
        yield Product(GPU_SQUARES[2], size, 1, work, partial(wrong, c, exact), "WMMA", ours=True)
        if not self.lacking(n):
            c = torch.full_like(c, -1)
            work = partial(torch._int_mm, a, w.t(), out=c)
            yield Product(GPU_SQUARES[3], size, None, work, partial(wrong, c, exact), "cuBLAS")

    def lacking(self, n: int) -> str:
        """Why torch's product of bytes is not measured here; nothing if it is."""
        return "torch requires a multiple of 8 rows and columns, and more than 16" if n % 8 or n <= 16 else ""

    def who(self, name: str, by: str) -> Sentence:
        return say("{} by {} on {}", name, by, self.name)

    def about_roofs(self, peaks: list[float], bandwidth: float) -> Sentence:
        return say(
            "{}: {:,g} trillion float32 operations a second in registers, {:,g} on bytes with "
            "{}, {:,g} in bfloat16 on tensor cores; memory delivers {:,g} GB/s.",
            *(self.name, three(peaks[0] / 1e3), three(peaks[1] / 1e3), self.instruction),
            *(three(peaks[2] / 1e3), three(bandwidth)),
        )

    def about_product(self, who: Sentence, speed: float, share: float, error: float) -> Sentence:
        return say(
            "{}: {:,g} trillion operations a second, {:,g} % of its roof; {:,g} % of the sums are wrong.",
            *(who, three(speed / 1e3), three(100 * share), three(100 * error)),
        )


def wrong(found: Any, exact: Any) -> float:
    return float((found.double() != exact).double().mean())


def off(found: Any, exact: Any) -> float:
    return float((found - exact).norm() / exact.norm())
