"""Every way to a product that the ladder times, on a GPU, against float64: `make test` has none.

    PYTHONPATH=backend:wasm python -m pytest -c tests/gpu/pytest.ini tests/gpu

Needs PyTorch with its CUDA build, pytest, NumPy and annotated-types; nothing of ours is installed.
"""

from __future__ import annotations

import pytest
import torch
from native.models.cuda_driver import here
from native.models.cuda_products import Way, bound, cast, error, operands, ways
from native.models.tensor_cores import ladder, used

# Around the sides of tiles and of reads of 16 bytes; sizes that descriptors take and such that they do not.
SIZES = (1, 2, 7, 16, 31, 32, 33, 100, 127, 128, 129, 132, 255, 257, 500, 1000, 1024, 1111)
BEYOND = 4096  # numbers on each side that nobody may write


@pytest.mark.parametrize("way", ladder(), ids=lambda way: way.name)
def test_the_product_of_any_size_and_nothing_beside_it(way: Way) -> None:
    if not way.runs_on(here()):
        pytest.skip(f"this GPU is no {way.only}")
    for n in SIZES:
        check(way, n)


@pytest.mark.parametrize("tile", [8, 16])
def test_tiles_of_every_side(tile: int) -> None:
    (way,) = [each for each in ways(tile) if each.name == "shared"]
    for n in (1, 7, 17, 70, 513):
        check(way, n)


def test_a_part_of_the_rows() -> None:
    for way in (each for each in ways() if each.part):
        check(way, 1000, rows=384)


def check(way: Way, n: int, rows: int = 0) -> None:
    a, b = operands(n, seed=n)
    left, right = cast(a, way.precision), cast(b, way.precision)
    held = torch.full((n * n + 2 * BEYOND,), -12345.0, dtype=left.dtype, device="cuda")
    c = held[BEYOND : BEYOND + (rows or n) * n].view(rows or n, n)
    c.fill_(torch.nan)
    way.start(left, right, c)()
    torch.cuda.synchronize()
    assert error(c, a, b) <= bound(way.precision, n), (way.name, n)
    if way.ours and way.precision == "bf16":
        assert used(c, left, right) <= 1, (way.name, n)
    guard = held[:BEYOND], held[BEYOND + (rows or n) * n :]
    assert all((each == held[0]).all() for each in guard), (way.name, n)
