"""The ways to multiply two square matrices on an NVIDIA GPU: kernels of ours in CUDA C and in Triton, and cuBLAS.

``tensor_cores.ladder`` puts two more among them. Each can be used on a machine with such a GPU::

    a, b = operands(n, seed)
    given = [cast(each, way.precision) for each in (a, b)]
    c = torch.full_like(given[0], torch.nan)
    work = way.start(*given, c)
    work()                      # puts one product on the current stream
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from native.models.cuda_driver import launch, load

FILE = "matmul.cu"
Precision = Literal["fp32", "tf32", "bf16"]
Work = Callable[[], object]
"""Puts one product on the current stream."""


@dataclass(frozen=True)
class Way:
    """``start(a, b, c)`` takes n × n tensors on the GPU: bfloat16 where that is the precision, else float32.

    Where ``part`` is true, ``c`` may have fewer rows, a multiple of 128: then that many rows of A are multiplied.
    """

    name: str
    says: str
    """What is done, as the first half of a sentence."""
    precision: Precision
    start: Callable[[Any, Any, Any], Work]
    ours: bool = True
    part: bool = False
    only: str = ""
    """The one architecture that has the instructions, where not all have them"""

    def runs_on(self, architecture: str) -> bool:
        return self.only in ("", architecture)


@dataclass(frozen=True)
class Shape:
    """How a kernel of matmul.cu is launched: a block of threads makes ``rows`` × ``columns`` numbers of C."""

    threads: tuple[int, int]
    rows: int
    columns: int
    rows_first: bool = False
    """Whether neighbouring blocks lie below each other."""
    line: bool = False
    """Whether the kernel places its blocks itself."""

    def blocks(self, n: int, rows: int) -> tuple[int, int]:
        """How many blocks, in both directions, multiply so many rows of A."""
        down, across = -(-rows // self.rows), -(-n // self.columns)
        return (down * across, 1) if self.line else (down, across) if self.rows_first else (across, down)


def shapes(tile: int = 32) -> dict[str, Shape]:
    """The kernels of matmul.cu by name; ``tile`` is the side of a tile of the one called shared."""
    return {
        "naive": Shape((32, 8), 32, 8, rows_first=True),
        "coalesced": Shape((32, 8), 8, 32),
        "shared": Shape((tile, tile), tile, tile),
        "registers": Shape((256, 1), 128, 128),
        "vectors": Shape((256, 1), 128, 128),
        "pipelined": Shape((256, 1), 128, 256, line=True),
        "pipelined_any": Shape((256, 1), 128, 256, line=True),
    }


def kernel(name: str, tile: int = 32) -> Callable[[Any, Any, Any], Work]:
    def start(a: Any, b: Any, c: Any) -> Work:
        n = len(a)
        exact = "pipelined_any" if name == "pipelined" and n % 4 else name
        shape, code = shapes(tile)[exact], load(FILE, exact, (f"TILE={tile}",))

        def work() -> None:
            launch(code, shape.blocks(n, len(c)), shape.threads, (n, a, b, c))

        return work

    return start


def triton(precision: Precision) -> Callable[[Any, Any, Any], Work]:
    def start(a: Any, b: Any, c: Any) -> Work:
        from native.models import triton_matmul

        return triton_matmul.start(a, b, c, precision)

    return start


def cublas(precision: Precision) -> Callable[[Any, Any, Any], Work]:
    """What torch calls, allowed to round float32 to tf32 only where that is asked for."""

    def start(a: Any, b: Any, c: Any) -> Work:
        import torch

        def work() -> None:
            torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
            torch.mm(a, b, out=c)

        return work

    return start


def ways(tile: int = 32) -> tuple[Way, ...]:
    """From the simplest on; the library of a precision comes after our own of that precision."""
    return (
        Way("naive", "A thread for each number of C, a warp down a column", "fp32", kernel("naive"), part=True),
        Way("coalesced", "The same, a warp along a row", "fp32", kernel("coalesced"), part=True),
        Way("shared", f"Tiles of {tile} × {tile} in shared memory", "fp32", kernel("shared", tile), part=True),
        Way("registers", "8 × 8 numbers of C in the registers of a thread", "fp32", kernel("registers")),
        Way("vectors", "Four numbers in each read, A transposed, no bank conflicts", "fp32", kernel("vectors")),
        Way("pipelined", "8 × 16 numbers per thread, copies two slabs ahead", "fp32", kernel("pipelined")),
        Way("Triton fp32", "A tile of C in Triton, in float32", "fp32", triton("fp32")),
        Way("cuBLAS fp32", "NVIDIA's library, in float32", "fp32", cublas("fp32"), ours=False),
        Way("Triton tf32", "The same tile on tensor cores, operands rounded to 11 bits", "tf32", triton("tf32")),
        Way("cuBLAS tf32", "NVIDIA's library, operands rounded to 11 bits", "tf32", cublas("tf32"), ours=False),
        Way("Triton bf16", "A tile of C in Triton on tensor cores, in bfloat16", "bf16", triton("bf16")),
        Way("cuBLAS bf16", "NVIDIA's library, in bfloat16", "bf16", cublas("bf16"), ours=False),
    )


ROUNDING: dict[Precision, float] = {"fp32": 2.0**-24, "tf32": 2.0**-11, "bf16": 2.0**-8}
"""How far a number may be from the nearest one of the precision, as a share of itself."""


def bound(precision: Precision, n: int) -> float:
    """What ‖C − AB‖ / ‖AB‖ may be for matrices of random sign.

    Both operands are rounded, and in bfloat16 the result; tensor cores drop bits of tf32 instead of rounding, which
    doubles it. Adding up rounds a sum that grows like √k n times, each to float32: at most √n roundings at random,
    and n/8 steps of one sign where tensor cores cut off.
    """
    if precision == "fp32":
        return float(2 * ROUNDING["fp32"] * max(1.0, n**0.5))
    operands = {"tf32": 4.0, "bf16": 3.0}[precision] * ROUNDING[precision]
    return operands + 2 * ROUNDING["fp32"] * n / 8


def operands(n: int, seed: int) -> tuple[Any, Any]:
    """Two n × n matrices of float32 on the GPU, uniform in [-1, 1): never zeros, on which a GPU runs faster."""
    import torch

    random = torch.Generator("cuda").manual_seed(seed)
    a, b = (torch.rand(n, n, device="cuda", generator=random) * 2 - 1 for _ in range(2))
    return a, b


def cast(matrix: Any, precision: Precision) -> Any:
    return matrix.bfloat16() if precision == "bf16" else matrix


def error(c: Any, a: Any, b: Any, most: int = 512) -> float:
    """‖C − AB‖ / ‖AB‖ in float64, over at most so many rows of C, spread from the first to the last.

    NaN if any number of C is: who fills C with NaN before sees that all of it was written.
    """
    import torch

    if not torch.isfinite(c).all():
        return float("nan")
    rows = torch.linspace(0, len(c) - 1, min(len(c), most), device=a.device).round().long()
    exact = a[rows].double() @ b.double()
    return float((c[rows].double() - exact).norm() / exact.norm())


def peak(precision: Precision, rounds: int) -> tuple[Work, int]:
    """Multiply-adds that need no memory, by every multiprocessor, and the operations of each call.

    In float32 a kernel of matmul.cu, in registers; for tensor cores one of Triton, on tiles that stay in place.
    """
    import torch

    given, to = (torch.rand(128 * 256, device="cuda") * 2 - 1 for _ in range(2))
    if precision != "fp32":
        from native.models import triton_matmul

        return triton_matmul.peak(precision, given, to, rounds)
    code = load(FILE, "peak", ("TILE=32",))
    blocks = 8 * torch.cuda.get_device_properties().multi_processor_count
    to = torch.empty(256 * blocks, device="cuda")

    def work() -> None:
        launch(code, (blocks, 1), (256, 1), (rounds, 0.9921875, to))

    return work, 2 * 16 * 256 * rounds * blocks
