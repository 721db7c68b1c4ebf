"""The kernel for warpgroups on a Hopper GPU, set up in several ways: is it right, and how fast?

    PYTHONPATH=backend:wasm python scripts/try_warpgroups.py

Each set-up runs in a process of its own, which ends after some seconds even where the kernel waits for ever.
Every number of C is held against float64 and the bound of rounding, at sizes around all sides of tiles, and nothing
beside C may be written. Where C is wrong, products with a matrix of ones on its diagonal say which numbers came
from where.
"""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import torch
from native.models.cuda_products import cast, operands
from native.models.cuda_timing import timed
from native.models.tensor_cores import ladder, start, used, warpgroups

SETUPS = ((4, True), (4, False), (3, True), (2, True))  # slabs, and whether blocks stay for more than one tile
SIZES = (8, 16, 56, 64, 72, 120, 128, 136, 248, 256, 264, 520, 1000, 1024, 1, 7, 33, 129, 257, 1111)
TIMED = (1024, 2048, 4096, 8192)
BEYOND = 4096  # numbers on each side that nobody may write
PATIENCE = 25  # seconds for a set-up


def product(n: int, a: Any, b: Any, setup: tuple[int, bool]) -> Any:
    """C, which begins as NaN. Raises ``AssertionError`` where something beside it was written."""
    held = torch.full((n * n + 2 * BEYOND,), -12345.0, dtype=a.dtype, device="cuda")
    c = held[BEYOND : BEYOND + n * n].view(n, n)
    c.fill_(torch.nan)
    warpgroups(a, b, c, *setup)()
    torch.cuda.synchronize()
    for guard in (held[:BEYOND], held[BEYOND + n * n :]):
        assert (guard == held[0]).all(), f"n = {n}: something beside C was written"
    return c


def right(n: int, setup: tuple[int, bool]) -> bool:
    a, b = (cast(each, "bf16") for each in operands(n, seed=n))
    c = product(n, a, b, setup)
    share = used(c, a, b, most=n)
    if not share <= 1:
        missing = int(c.isnan().sum())
        print(f"  WRONG n = {n}: uses {share:.3g} of the bound; {missing:,} of {n * n:,} are NaN", flush=True)
    return share <= 1


def whence(n: int, setup: tuple[int, bool]) -> None:
    """C = 1 B and C = A 1, where A and B hold the number of their row or column: which of them C has instead."""
    one = torch.eye(n, device="cuda").bfloat16()
    index = torch.arange(n, device="cuda").float().expand(n, n)
    for name, matrix in (("columns", index), ("rows", index.T)):
        given = matrix.contiguous().bfloat16()
        for side, c in (("B", product(n, one, given, setup)), ("A", product(n, given, one, setup))):
            wrong = (c != given).nonzero()
            if not len(wrong):
                print(f"  {name} of {side}: right", flush=True)
                continue
            print(f"  {name} of {side}: {len(wrong):,} wrong, the first at {wrong[0].tolist()}", flush=True)
            for i in sorted({0, 1, 2, 8, 9, 16, 64, int(wrong[0][0])} & set(range(n))):
                print(f"    row {i}: {[round(each, 1) for each in c[i, : 2 * 64 : 4].tolist()]}", flush=True)


def tell(stages: int, stay: bool) -> None:
    setup = (stages, stay)
    wrong = [n for n in SIZES if not right(n, setup)]
    print(f"  {len(SIZES) - len(wrong)} of {len(SIZES)} sizes right", flush=True)
    if wrong:
        whence(128, setup)
        return
    for n in TIMED:
        speed(f"n = {n:,}", n, lambda a, b, c: warpgroups(a, b, c, *setup))


def speed(name: str, n: int, begin: Any) -> None:
    a, b = (cast(each, "bf16") for each in operands(n, seed=0))
    c = torch.full_like(a, torch.nan)
    work = begin(a, b, c)
    work()
    share = used(c, a, b)
    took = timed(work, 7, 0.2)
    print(
        f"  {name}: {2 * n**3 / took.median / 1e12:.0f} TFLOP/s, {took.median * 1e6:.1f} µs; "
        f"uses {share:.2f} of the bound",
        flush=True,
    )


def main() -> None:
    begun = time.monotonic()
    print(torch.cuda.get_device_name(), torch.__version__, flush=True)
    library = {way.name: way for way in ladder()}["cuBLAS bf16"]
    for n in TIMED:
        speed(f"cuBLAS, n = {n:,}", n, library.start)
    speed("WMMA, n = 4,096", 4096, start)
    for stages, stay in SETUPS:
        print(f"{stages} slabs, blocks {'stay' if stay else 'make one tile'}:", flush=True)
        try:
            code = subprocess.run(
                [sys.executable, __file__, str(stages), str(int(stay))], timeout=PATIENCE
            ).returncode
            print(f"  ended with {code} after {time.monotonic() - begun:.0f} s in all", flush=True)
        except subprocess.TimeoutExpired:
            print(f"  did not end within {PATIENCE} s", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        tell(int(sys.argv[1]), bool(int(sys.argv[2])))
    else:
        main()
