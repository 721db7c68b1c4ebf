"""The product on an NVIDIA GPU: lanes as blocks of one launch (wasm/kernels/split_k.cu), and PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from labs.models.timing import Timing
from numpy.typing import NDArray

from native.compilers.decompose_k.cut import group_of
from native.compilers.decompose_k.lanes import Lanes, fastest, lanes
from native.compilers.decompose_k.on_cpu import TRACES, operands
from native.models.cuda_driver import launch, load
from native.models.cuda_products import peak
from native.models.cuda_timing import between_events, timed

if TYPE_CHECKING:
    from native.compilers.decompose_k import Params

FILE, THREADS, STAMPS = "split_k.cu", 256, 7
CALLS = 30  # of which the shortest counts
Work = Callable[[], object]


def defines(params: Params) -> tuple[str, ...]:
    """What the kernel is compiled for."""
    of = (f"ROWS={params.m}", f"COLUMNS={params.n}")
    return (*of, "BF16") if params.dtype == "bf16" else of


class Gpu:
    """Our operands of one depth, on all multiprocessors."""

    def __init__(self, params: Params, k: int) -> None:
        self.params, self.k = params, k
        self.a, self.b = (each.cuda() for each in operands(params, k))
        self.bf16 = params.dtype == "bf16"
        self.workers = torch.cuda.get_device_properties().multi_processor_count
        torch.set_float32_matmul_precision("highest")

    def start(self, way: str, splits: int) -> tuple[Work, Callable[[], NDArray[np.float64]]]:
        """Work that puts one product on the stream, and what it gives."""
        if way in ("batched", "eager"):
            return self.calling(self.batched(splits) if way == "batched" else self.eager())
        work, c, _ = self.lanes(way, splits, False)

        def found() -> NDArray[np.float64]:
            c.fill_(torch.nan)
            work()
            return read(c)

        return work, found

    def calling(self, made: Callable[[], Any]) -> tuple[Work, Callable[[], NDArray[np.float64]]]:
        def work() -> object:
            with torch.no_grad():
                return made()

        return work, lambda: read(made())

    def lanes(self, way: str, splits: int, traced: bool) -> tuple[Work, Any, Any]:
        params = self.params
        cells = params.m * params.n
        code = load(FILE, "split_k", defines(params))
        partial = torch.zeros(splits * cells, device="cuda")
        finished = torch.zeros(splits + 1, dtype=torch.int32, device="cuda")
        c = torch.full((params.m, params.n), torch.nan, dtype=self.a.dtype, device="cuda")
        stamps = torch.zeros(splits, STAMPS, dtype=torch.int64, device="cuda")
        nobody = torch.empty(0, dtype=torch.int64, device="cuda")  # its address is 0
        numbers = (self.k, splits, group_of(way, splits), int(params.relu))
        given = (*numbers, self.a, self.b, partial, finished, c, stamps if traced else nobody)

        def work() -> None:
            launch(code, (splits, 1), (THREADS, 1), given)

        return work, c, stamps

    def batched(self, splits: int) -> Callable[[], Any]:
        params = self.params
        part = self.k // splits
        a, b = self.a.view(params.m, splits, part).transpose(0, 1), self.b.view(splits, part, params.n)
        widen: dict[str, Any] = {"out_dtype": torch.float32} if self.bf16 and not params.round_partials else {}

        def made() -> Any:
            c = torch.bmm(a, b, **widen).sum(0).to(self.a.dtype)
            return c.relu_() if params.relu else c

        return made

    def eager(self) -> Callable[[], Any]:
        if self.params.relu:
            return lambda: torch.relu(self.a @ self.b)
        return lambda: self.a @ self.b

    def trace(self, way: str, splits: int) -> Lanes:
        work, _, stamps = self.lanes(way, splits, True)
        found = []
        for _ in range(TRACES + 1):  # the first one warms up
            work()
            torch.cuda.synchronize()
            seen = stamps.cpu().numpy()
            found.append(lanes(seen[:, 0], seen[:, [1, 3, 5]]))
        return fastest(found[1:])

    def clock(self, works: Sequence[Work], repetitions: int, most: float) -> list[Timing]:
        return [timed(work, repetitions, most) for work in works]

    def clock_torch(self, work: Work, repetitions: int, most: float) -> Timing:
        return timed(work, repetitions, most)

    def peak(self, patience: float) -> float:
        """Operations a second of multiply-adds in registers, by all multiprocessors."""
        work, flops = peak("fp32", 16384)
        return flops / timed(work, 5, patience).least

    def launched(self, work: Work) -> list[float]:
        """Seconds by the GPU's clock of one call from Python, gaps between launches included: the least of some,
        with what it reads in the cache and without."""
        everything = torch.empty(torch.cuda.get_device_properties().L2_cache_size // 4, device="cuda")
        found = []
        for fill in (work, everything.zero_):
            took = []
            for _ in range(CALLS):
                fill()
                took.append(between_events(work, 1))
            found.append(min(took))
        return found

    def kernels(self, work: Work) -> list[str]:
        """The names of the kernels that one call starts, in their order."""
        from torch.profiler import ProfilerActivity, profile

        work()
        torch.cuda.synchronize()
        with profile(activities=[ProfilerActivity.CUDA]) as seen:
            work()
            torch.cuda.synchronize()
        events = [each for each in seen.events() if str(each.device_type).endswith("CUDA")]
        return [each.name for each in sorted(events, key=lambda each: each.time_range.start)]


def read(c: Any) -> NDArray[np.float64]:
    found: NDArray[np.float64] = c.double().cpu().numpy()
    return found
