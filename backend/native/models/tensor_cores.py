"""Our own kernels for tensor cores as more ways of the ladder, and all of its ways.

`wasm/kernels/matmul_wmma.cu` runs on every GPU that takes bfloat16, `wasm/kernels/matmul_wgmma.cu` on Hopper alone.
Operands and C are bfloat16 and sums float32, as those of Triton's program and of cuBLAS beside them are.
"""

from __future__ import annotations

from typing import Any

from native.models.cuda_driver import HOPPER, allow, boxes, launch, load
from native.models.cuda_products import ROUNDING, Shape, Way, Work, ways

FILE = "matmul_wmma.cu"
WARPGROUPS = "matmul_wgmma.cu"
STAGES = 4  # slabs in shared memory at a time


def ladder(tile: int = 32) -> tuple[Way, ...]:
    """All ways to multiply on a GPU, of which it may lack the instructions of some (``only``).

    Ours for tensor cores are the first of their precision.
    """
    ours = (
        Way("WMMA bf16", "Tiles of 16 × 16 on tensor cores, in bfloat16", "bf16", start),
        Way("WGMMA bf16", "Tiles of 64 × 256 out of shared memory, in bfloat16", "bf16", warpgroups, only=HOPPER),
    )
    others = ways(tile)
    at = [way.precision for way in others].index("bf16")
    return (*others[:at], *ours, *others[at:])


def shapes() -> dict[str, Shape]:
    """The kernels of matmul_wmma.cu by name."""
    return {each: Shape((256, 1), 128, 256, line=True) for each in ("tensor_cores", "tensor_cores_any")}


def start(a: Any, b: Any, c: Any) -> Work:
    n = len(a)
    name = "tensor_cores_any" if n % 8 else "tensor_cores"
    shape, code = shapes()[name], load(FILE, name)

    def work() -> None:
        launch(code, shape.blocks(n, len(c)), shape.threads, (n, a, b, c))

    return work


WARPGROUP = Shape((288, 1), 128, 256, line=True)
DEEP = 64  # of a slab


def shared(stages: int) -> int:
    """Bytes of shared memory that so many slabs take, each with two barriers."""
    return stages * (2 * (WARPGROUP.rows + WARPGROUP.columns) * DEEP + 2 * 8)


def warpgroups(a: Any, b: Any, c: Any, stages: int = STAGES, stay: bool = True) -> Work:
    """As many blocks as there are multiprocessors; unless they ``stay``, one for each tile of C."""
    import torch

    n = len(a)
    if n % 8:
        return _beside_zeros(a, b, c, stages, stay)
    code = load(WARPGROUPS, "warpgroups", (f"STAGES={stages}",))
    allow(code, shared(stages))
    tiles, _ = WARPGROUP.blocks(n, n)
    most = int(torch.cuda.get_device_properties().multi_processor_count) if stay else tiles

    def work() -> None:
        told = boxes(a, WARPGROUP.rows, DEEP), boxes(b, DEEP, DEEP)
        launch(code, (min(tiles, most), 1), WARPGROUP.threads, (n, *told, c), shared(stages))

    return work


def _beside_zeros(a: Any, b: Any, c: Any, stages: int, stay: bool) -> Work:
    """The copy engine takes rows that begin at multiples of 16 bytes: others are copied first, and C back."""
    n = len(a)
    left, right, whole = (a.new_zeros((-(-n // 8) * 8, -(-n // 8) * 8)) for _ in range(3))
    multiply = warpgroups(left, right, whole, stages, stay)

    def work() -> None:
        left[:n, :n].copy_(a)
        right[:n, :n].copy_(b)
        multiply()
        c.copy_(whole[:n, :n])

    return work


def used(c: Any, a: Any, b: Any, most: int = 512) -> float:
    """The largest share of what rounding may cost that a number of C uses; above 1 the kernel is wrong.

    ``a`` and ``b`` are bfloat16, and C is compared with the product of exactly these, in float64. A product of
    two of their numbers is exact in float32. A tensor core adds eight or sixteen products to a sum at once: it
    aligns them to the largest and cuts off what is below 2⁻²³ of that, which is at most (|A||B|)ᵢⱼ. It aligns n
    products and n / 8 sums, and cuts n / 8 results: an error of at most 1.25 n 2⁻²³ (|A||B|)ᵢⱼ, with n rounded up
    to a multiple of 16. Rounding C to bfloat16 adds at most 2⁻⁸ of the sum. At most ``most`` rows are compared;
    NaN if any number of C is.
    """
    import torch

    if not torch.isfinite(c).all():
        return float("nan")
    rows = torch.linspace(0, len(c) - 1, min(len(c), most), device=a.device).round().long()
    left, right = a[rows].double(), b.double()
    exact, sizes = left @ right, left.abs() @ right.abs()
    cut = 1.25 * (-(-len(a) // 16) * 16) * 2.0**-23 * sizes
    allowed = cut + ROUNDING["bf16"] * (exact.abs() + cut)
    return float(((c[rows].double() - exact).abs() / allowed).max())
