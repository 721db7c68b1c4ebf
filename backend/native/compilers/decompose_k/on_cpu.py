"""The product on this processor: lanes in C by a team of threads, and PyTorch."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray

from native.compilers.decompose_k.cut import DEEP, group_of
from native.compilers.decompose_k.lanes import Lanes, fastest, lanes
from native.compilers.decompose_k.split_k_kernel import SPLIT_K
from native.models import peak_kernel
from native.models.compiler import team_kernel
from native.models.kernel import load
from native.models.timing import SPIN, Timing, timed, together

if TYPE_CHECKING:
    from native.compilers.decompose_k import Params

TRACES, STAMPS = 5, 4
Work = Callable[[int], object]


class Shape(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_longlong) for name in ("rows", "columns", "k", "splits", "group", "bf16", "relu", "traced")
    ]


class Processor:
    """Our operands of one depth, on so many threads."""

    def __init__(self, params: Params, k: int) -> None:
        self.params, self.k, self.workers = params, k, params.threads
        self.a, self.b = operands(params, k)
        self.bf16 = params.dtype == "bf16"

    def start(self, way: str, splits: int, traced: bool = False) -> tuple[Work, Callable[[], NDArray[np.float64]]]:
        """Work that does so many rounds, and what one more of them gives."""
        if way in ("batched", "eager"):
            made = self.batched(splits) if way == "batched" else self.eager()
            return self.calling(made)
        work, c, _ = self.lanes(way, splits, traced)

        def found() -> NDArray[np.float64]:
            c.fill_(torch.nan)
            work(1)
            return c.double().numpy()

        return work, found

    def calling(self, made: Callable[[], torch.Tensor]) -> tuple[Work, Callable[[], NDArray[np.float64]]]:
        def work(rounds: int) -> None:
            with torch.no_grad():
                for _ in range(rounds):
                    made()

        return work, lambda: made().double().numpy()

    def lanes(self, way: str, splits: int, traced: bool) -> tuple[Work, torch.Tensor, NDArray[np.int64]]:
        params = self.params
        m, n = params.m, params.n
        shape = Shape(m, n, self.k, splits, group_of(way, splits), self.bf16, params.relu, traced)
        partial = torch.empty((splits + 1) * m * n)
        finished = torch.zeros(splits + 2, dtype=torch.int32)
        c = torch.full((m, n), torch.nan, dtype=self.a.dtype)
        stamps = np.zeros((splits, STAMPS), np.int64)
        held = (self.a, self.b, partial, finished, c)
        buffers = (ctypes.c_void_p * 7)(
            ctypes.addressof(shape), *(each.data_ptr() for each in held), stamps.ctypes.data
        )
        task = ctypes.cast(load(SPLIT_K).split_k, ctypes.c_void_p)
        phase = team_kernel.Phase(task, self.k // DEEP, splits)
        run = team_kernel.library().run
        keep = (shape, held)

        def work(rounds: int) -> object:
            for _ in range(rounds):
                run(ctypes.byref(phase), 1, buffers, self.params.threads)
            return keep  # whose memory the buffers point to

        return work, c, stamps

    def batched(self, splits: int) -> Callable[[], torch.Tensor]:
        params = self.params
        part = self.k // splits
        a, b = self.a.view(params.m, splits, part).transpose(0, 1), self.b.view(splits, part, params.n)
        widen = self.bf16 and not params.round_partials

        def made() -> torch.Tensor:
            sums = torch.bmm(a.float(), b.float()) if widen else torch.bmm(a, b)
            c = sums.sum(0).to(self.a.dtype)
            return c.relu_() if params.relu else c

        return made

    def eager(self) -> Callable[[], torch.Tensor]:
        if self.params.relu:
            return lambda: torch.relu(self.a @ self.b)
        return lambda: self.a @ self.b

    def trace(self, way: str, splits: int) -> Lanes:
        work, _, stamps = self.lanes(way, splits, True)
        work(3)
        found = []
        for _ in range(TRACES):
            work(1)
            found.append(lanes(np.unique(stamps[:, 0], return_inverse=True)[1], stamps[:, 1:]))
        return fastest(found)

    def clock(self, works: Sequence[Work], repetitions: int, most: float) -> list[Timing]:
        """Ours, in turns: what slows the machine for a while slows all of them."""
        return together(works, repetitions, most)

    def clock_torch(self, work: Work, repetitions: int, most: float) -> Timing:
        """PyTorch's threads look out for more work for a while, and keep their cores from ours."""
        found = timed(work, repetitions, most)
        if self.params.threads > 1:
            time.sleep(SPIN)
        return found

    def peak(self, patience: float) -> float:
        """Operations a second of multiply-adds in registers: by one thread at best, times the threads."""
        work, flops = peak_kernel.peak("fp32", 1)
        return self.params.threads * flops / timed(work, 5, patience).least

    def launched(self, work: Work) -> list[float]:
        return [np.nan, np.nan]

    def kernels(self, work: Work) -> list[str]:
        return []


def operands(params: Params, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Never zeros, on which some machines are faster: uniform in [-1, 1), or in [0, 1)."""
    random = np.random.default_rng(params.seed)
    low = 0 if params.operands == "positive" else -1
    a, b = (torch.from_numpy(random.uniform(low, 1, s).astype(np.float32)) for s in ((params.m, k), (k, params.n)))
    return (a.bfloat16(), b.bfloat16()) if params.dtype == "bf16" else (a, b)
