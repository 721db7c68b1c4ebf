"""Matrix products on an NVIDIA GPU as the bench measures them: what ``cpu.Processor`` is for a processor."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from labs.contract import LabError

from native.models import cuda_products, cuda_timing, tensor_cores
from native.models.cuda_driver import here
from native.models.cuda_products import Precision
from native.speed.bench.cpu import Measured, Way

ROUNDS = {"fp32": 16384, "tf32": 2048, "bf16": 2048}  # about 10 ms at the peak
PART = 1024  # rows that the slowest ways multiply
MEMORY, CACHE = 1 << 30, 1 << 24  # bytes read for the slopes


class Problem(NamedTuple):
    n: int
    a: Any
    b: Any


class Gpu:
    """Raises ``LabError`` where there is none."""

    largest = 16384
    precisions = ("fp32", "tf32", "bf16")

    def __init__(self, precision: Precision) -> None:
        if not found("torch"):
            raise LabError("A GPU is measured through PyTorch, which is not installed here: choose the CPU.")
        import torch

        if not torch.cuda.is_available():
            raise LabError("There is no GPU here that CUDA can use: choose the CPU.")
        self.precision = precision
        ways = [way for way in tensor_cores.ladder() if way.runs_on(here())]
        self.by_name = {way.name: way for way in ways}
        self.ways = tuple(Way(way.name, (way.precision,)) for way in ways if possible(way.name))

    def peaks(self, patience: float = 0.03) -> tuple[float, float] | None:
        """GFLOP/s of multiply-adds in registers, or of tensor cores on tiles that stay where they are."""
        if not possible("peak" if self.precision == "fp32" else "Triton"):
            return None
        work, flops = cuda_products.peak(self.precision, ROUNDS[self.precision])
        most = flops / cuda_timing.timed(work, 5, patience).least / 1e9
        return most, most

    def bandwidths(self) -> tuple[float, float]:
        """GB/s that are read from memory, and from what its cache holds."""
        import torch

        def read(size: int) -> float:
            numbers, sums = torch.ones(size // 4, device="cuda"), torch.empty((), device="cuda")
            taken = cuda_timing.timed(lambda: torch.sum(numbers, 0, out=sums), 5, 0.1)
            return float(size / taken.least / 1e9)

        return read(MEMORY), read(CACHE)

    def problem(self, n: int, seed: int) -> Problem:
        return Problem(n, *(cuda_products.cast(each, self.precision) for each in cuda_products.operands(n, seed)))

    def bound(self, n: int) -> float:
        return float(cuda_products.bound(self.precision, n))

    def measure(self, way: Way, given: Problem, repetitions: int, patience: float) -> Measured:
        import torch

        chosen = self.by_name[way.name]
        rows = min(given.n, PART) if chosen.part and given.n > 2 * PART else given.n
        out = torch.full_like(given.a[:rows], torch.nan)
        work = chosen.start(given.a, given.b, out)
        work()
        error = cuda_products.error(out, given.a, given.b)
        return Measured(cuda_timing.timed(work, repetitions, patience), rows, error)


def possible(way: str) -> bool:
    """Whether this machine has what compiles it: older torch brings no bindings of CUDA, some no Triton."""
    if way.startswith("cuBLAS"):
        return True
    return found("triton" if way.startswith("Triton") else "cuda.bindings")


@cache
def found(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package that it would lie in
        return False
