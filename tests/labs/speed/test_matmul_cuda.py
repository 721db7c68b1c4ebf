"""The ladder on a GPU, as far as it goes without one: its pictures, what it refuses, what it makes of timings.

No GPU is pretended to run anything: ``StandIn`` says a peak, and timings are made up, so that what the lab computes
from them can be told beforehand.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from labs.contract import LabError, pack
from labs.models.timing import summary
from labs.speed import warp_access
from native.models.cuda_driver import HOPPER
from native.models.cuda_products import Precision, Shape, Way, bound, shapes
from native.models.cuda_timing import LONG_ENOUGH, MOST_ROUNDS, Weather, rounds_for
from native.models.tensor_cores import ladder
from native.speed import matmul_cuda
from native.speed.matmul_cuda import Board, Gpu, Params, rows_for, run
from underhood.machine.provenance import has_cuda

ROOT = Path(__file__).parents[3]
SITE = Path(np.__file__).parents[1]
PEAKS: dict[Precision, float] = {"fp32": 60e3, "tf32": 400e3, "bf16": 800e3}
MILD = Weather(1755, 51, 640.0)


class StandIn:
    """What a board asks of a GPU, with no GPU behind it."""

    name, cache, arch = "a stand-in", 50 << 20, HOPPER

    def __init__(self) -> None:
        self.asked: list[Precision] = []

    def peak(self, precision: Precision) -> float:
        self.asked.append(precision)
        return PEAKS[precision] * (1 + 0.01 * len(self.asked))


def board(**changes: Any) -> tuple[Board, StandIn]:
    gpu = StandIn()
    return Board(Params(**changes), cast(Gpu, gpu)), gpu


def place(of: Board, name: str) -> int:
    return [way.name for way in of.ways].index(name)


def seconds(n: int, rows: int, gflops: float) -> float:
    return 2 * n * n * rows / gflops / 1e9


def test_the_pictures_come_first_and_without_a_gpu() -> None:
    front = [pack(event) for event in warp_access.run(warp_access.Params(1001, 16))]
    came, log = [], run(Params(n=1001, tile=16))
    for _ in front:
        came.append(pack(next(log)))
    assert came == front
    if not has_cuda():
        with pytest.raises(LabError, match="there is none here"):
            next(log)


def test_what_is_reckoned_from_timings() -> None:
    made, gpu = board(n=4096, repetitions=5)
    took = [seconds(4096, 1024, each) for each in (500, 400, 300, 200, 100)]
    event = made.add(place(made, "naive"), 1024, summary([3 * each for each in took], 3), 1e-7, MILD)
    at = place(made, "naive")
    np.testing.assert_allclose(event.speed[at], [200, 300, 400], rtol=1e-5)  # by the quartiles of seconds
    assert event.seconds[at] == pytest.approx(seconds(4096, 4096, 300))
    assert event.rows.tolist() == [1024] + 13 * [0]
    assert np.isnan(event.speed[1:]).all() and np.isnan(event.error[1:]).all()
    assert event.peak[:8] == pytest.approx(PEAKS["fp32"] * 1.01)
    assert np.isnan(event.peak[8:]).all()
    assert (event.clock[at], event.temperature[at], event.power[at]) == (1755, 51, 640.0)
    assert "0.3 TFLOP/s" in event.text and "timed on 1,024 of 4,096 rows" in event.text
    assert not event.cached and board(n=2048)[0].picture("", made.ways[0]).cached
    assert gpu.asked == ["fp32"]


def test_the_peak_is_the_best_that_was_seen_in_that_precision() -> None:
    made, gpu = board(n=4096)
    for name in ("coalesced", "Triton bf16", "shared"):
        rate = 1000.0
        event = made.add(place(made, name), 4096, summary(3 * [seconds(4096, 4096, rate)], 1), 1e-8, MILD)
    assert gpu.asked == ["fp32", "bf16", "fp32"]
    assert event.peak[0] == pytest.approx(PEAKS["fp32"] * 1.03)
    assert event.peak[-1] == pytest.approx(PEAKS["bf16"] * 1.02)


@pytest.mark.parametrize("off", (1e-2, float("nan"), float("inf")))
def test_a_wrong_product_is_not_timed(off: float) -> None:
    made, _ = board(n=256)
    with pytest.raises(LabError, match="pipelined came out wrong"):
        made.add(place(made, "pipelined"), 256, summary([1e-3] * 3, 1), off, MILD)


def test_what_cannot_be_is_refused_for_ours_alone() -> None:
    made, _ = board(n=4096)
    fast = summary(3 * [seconds(4096, 4096, 1.2 * PEAKS["fp32"])], 1)
    with pytest.raises(LabError, match="which cannot be"):
        made.add(place(made, "pipelined"), 4096, fast, 1e-8, MILD)
    made.add(place(made, "cuBLAS fp32"), 4096, fast, 1e-8, MILD)  # may know of units that we do not


def test_bounds_are_those_of_the_arithmetic() -> None:
    """Rounded as each precision rounds, random products in float64 stay within the bound, and use a part of it."""
    import torch

    for n in (64, 512):
        torch.manual_seed(n)
        a, b = (torch.rand(n, n, dtype=torch.float64) * 2 - 1 for _ in range(2))
        exact = a @ b

        def cut(x: torch.Tensor) -> torch.Tensor:  # as tensor cores drop the low bits of float32
            return (x.float().view(torch.int32) & ~0x1FFF).view(torch.float32).double()

        products = {
            "fp32": a.float() @ b.float(),
            "tf32": cut(a) @ cut(b),
            "bf16": (a.bfloat16().double() @ b.bfloat16().double()).bfloat16(),
        }
        for precision, product in products.items():
            off = float((product.double() - exact).norm() / exact.norm())
            assert 0.02 < off / bound(cast(Precision, precision), n) < 1, (precision, n)


def test_blocks_cover_every_number_once() -> None:
    for name, shape in shapes(16).items():
        for n in (1, 16, 127, 128, 129, 500):
            covered = np.prod(shape.blocks(n, n))
            assert covered == -(-n // shape.rows) * -(-n // shape.columns), name
    assert shapes()["naive"].blocks(4096, 1024) == (32, 512)
    assert shapes()["coalesced"].blocks(4096, 1024) == (128, 128)
    assert isinstance(shapes()["shared"], Shape)


def test_slow_ways_multiply_whole_blocks_of_rows() -> None:
    assert [rows_for(n) for n in (256, 4096, 8192, 16384)] == [256, 4096, 1024, 256]
    for n in range(4097, 16385, 97):
        rows = rows_for(n)
        assert rows % 128 == 0 and 0 < rows < n
        assert rows * n * n < 4096**3 + 128 * n * n


def test_each_precision_ends_with_its_library() -> None:
    by_precision: dict[str, list[Way]] = {}
    for way in ladder():
        by_precision.setdefault(way.precision, []).append(way)
    assert by_precision.keys() == PEAKS.keys()
    for each in by_precision.values():
        assert [way.ours for way in each] == [True] * (len(each) - 1) + [False]


@pytest.mark.parametrize("took", (1e-6, 1e-4, 1e-2, 3.0))
def test_a_repetition_is_long_enough_and_not_too_long(took: float) -> None:
    rounds = rounds_for(took, 11, 0.5)
    assert 1 <= rounds <= MOST_ROUNDS
    assert rounds * took >= min(LONG_ENOUGH, MOST_ROUNDS * took) * 0.99
    assert rounds == 1 or rounds * took <= max(LONG_ENOUGH, 0.5 / 11)


def test_a_bare_gpu_machine_can_record(tmp_path: Path) -> None:
    """Nothing of ours is installed there, and of others only NumPy and annotated-types: its labs are found."""
    for name in ("numpy", "numpy.libs", "annotated_types"):
        found = SITE / name
        if found.exists():
            (tmp_path / name).symlink_to(found)
    path = ":".join(map(str, (ROOT / "backend", ROOT / "wasm", tmp_path)))
    code = "from labs.discover import find; print(*[lab.id for lab in find().values() if lab.runs_on == ('cuda',)])"

    def bare(*command: str) -> str:
        run = [sys.executable, "-S", *command]
        return subprocess.run(run, capture_output=True, text=True, env={"PYTHONPATH": path}, check=True).stdout

    assert bare("-c", code).split() == [
        "pytorch/allocator_snapshot",
        "pytorch/streams_measured",
        "speed/gpu_timing",
        "speed/matmul_cuda",
    ]
    done = bare("-m", "underhood.record", "speed/warp_access", "--n", "1001", "--out", str(tmp_path / "out"))
    assert "recorded (20 events): new" in done


def test_the_front_takes_what_the_lab_takes() -> None:
    assert matmul_cuda.FRONT == "speed/warp_access"
    assert matmul_cuda.Params().device == "cuda"
