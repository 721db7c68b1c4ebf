"""The kernels on a GPU: their times by its own clock, their results against float64, and PyTorch beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from labs.contract import LabError
from labs.models.fusing.loops import Kernel, Program

from native.compilers.gpu_kernel_stages import block, toolchain
from native.compilers.gpu_kernel_stages.emit import Emitted, emit
from native.compilers.gpu_kernel_stages.products import THREADS
from native.compilers.gpu_kernel_stages.tiles import Tile
from native.models import cuda_driver
from native.models.cuda_timing import timed

REPETITIONS = 11
PATIENCE = 0.15
"""Seconds for all repetitions of one kernel, as far as one launch allows"""
BRIEFLY = 0.04


def name() -> str:
    """Of the GPU. Raises ``LabError`` where there is none."""
    import torch

    if not torch.cuda.is_available() or torch.cuda.get_device_capability() < (8, 0):
        raise LabError("There is no NVIDIA GPU of 2020 or later here: choose “cpu” under “Run on”.")
    return torch.cuda.get_device_name()


class OnGpu:
    """A program's memory on the GPU, and its kernels."""

    def __init__(self, program: Program, emitted: Emitted, source: str, seed: int) -> None:
        import torch

        self.program, self.emitted = program, emitted
        self.given = block.inputs(source, seed, "cuda")
        self.memory = {
            each.name: self.given[each.name].reshape(-1)
            if each.role == "input"
            else torch.full((each.size,), torch.nan, device="cuda")
            for each in program.buffers
        }
        names = [name for name, _, _ in emitted.launches]
        self.kernels = cuda_driver.kernels(built(emitted, cuda_driver.here()), names)

    def works(self) -> Iterator[tuple[str, Callable[[], None]]]:
        for name, blocks, buffers in self.emitted.launches:
            yield name, self.work(self.kernels[name], blocks, buffers)

    def work(self, kernel: Any, blocks: int, buffers: tuple[str, ...]) -> Callable[[], None]:
        given = tuple(self.memory[each] for each in buffers)
        return lambda: cuda_driver.launch(kernel, (blocks, 1), (THREADS, 1), given)

    def all(self) -> Callable[[], None]:
        works = [work for _, work in self.works()]

        def run() -> None:
            for work in works:
                work()

        return run

    def run(self) -> None:
        """Once, so that the results are there."""
        import torch

        self.all()()
        torch.cuda.synchronize()

    def tried(self, kernel: Kernel, tiles: Sequence[Tile]) -> dict[Tile, float]:
        """Seconds of one kernel with other tiles; its inputs must have been computed."""
        texts = [emit(Program(self.program.buffers, (kernel,)), {kernel.name: tile}) for tile in tiles]
        with ThreadPoolExecutor() as pool:  # NVRTC lets go of Python meanwhile
            made = list(pool.map(built, texts, [cuda_driver.here()] * len(texts)))
        found = {}
        for tile, text, code in zip(tiles, texts, made, strict=True):
            ((name, blocks, buffers),) = text.launches
            work = self.work(cuda_driver.kernels(code, [name])[name], blocks, buffers)
            found[tile] = timed(work, 5, BRIEFLY).median
        return found


def built(emitted: Emitted, arch: str) -> cuda_driver.Built:
    return toolchain.compiled(emitted.text, arch)


def median(work: Callable[[], object]) -> float:
    """Seconds, by the GPU's own clock."""
    return timed(work, REPETITIONS, PATIENCE).median


def without_waiting(work: Callable[[], object]) -> float:
    """Seconds by the clock of the processor, which has only asked for the work when it looks again."""
    import time as clock

    import torch

    work()
    torch.cuda.synchronize()
    before = clock.perf_counter()
    work()
    after = clock.perf_counter()
    torch.cuda.synchronize()
    return after - before


def rivals(source: str, seed: int) -> Iterator[tuple[str, str, Callable[[], object]]]:
    """PyTorch's own functions: in float32, with float32 rounded for tensor cores, and in bfloat16 on them."""
    import torch

    given = block.inputs(source, seed, "cuda")
    half = {name: each.bfloat16() for name, each in given.items()}

    def way(precision: str, tensors: dict[str, Any]) -> Callable[[], object]:
        def run() -> object:
            torch.set_float32_matmul_precision(precision)
            with torch.no_grad():
                return block.in_torch(tensors)["out"]

        return run

    yield "PyTorch fp32", "PyTorch’s own functions in float32", way("highest", given)
    yield "PyTorch tf32", "the same, products on tensor cores with 11 bits", way("high", given)
    yield "PyTorch bf16", "the same in bfloat16 on tensor cores", way("highest", half)
