"""The bench on a GPU: the flow alone, on a stand-in; a GPU that is there has tests of its own."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from labs.contract import LabError
from native.models.timing import Timing, timed
from native.speed.bench import Params, run
from native.speed.bench import gpu as bench_gpu

QUICK: dict[str, Any] = {"sizes": "48, 16, 100", "repetitions": 3}


class StandIn:
    """In the place of native.models.cuda_products, cuda_timing and tensor_cores: ways on this processor."""

    class Way:
        def __init__(self, name: str, precision: str, part: bool) -> None:
            self.name, self.precision, self.part = name, precision, part

        def runs_on(self, architecture: str) -> bool:
            return True

        def start(self, a: Any, b: Any, c: Any) -> Any:
            return lambda: c.copy_(a[: len(c)] @ b)

    @classmethod
    def ladder(cls) -> tuple[Way, ...]:
        return (
            cls.Way("naive", "fp32", True),
            cls.Way("cuBLAS fp32", "fp32", False),
            cls.Way("Triton bf16", "bf16", False),
        )

    @staticmethod
    def timed(work: Any, repetitions: int, most: float) -> Timing:
        return timed(lambda rounds: [work() for _ in range(rounds)], repetitions, most)

    @staticmethod
    def operands(n: int, seed: int) -> Any:
        import torch

        random = torch.Generator().manual_seed(seed)
        return tuple(torch.rand(n, n, generator=random) * 2 - 1 for _ in range(2))

    @staticmethod
    def cast(matrix: Any, precision: str) -> Any:
        return matrix.bfloat16() if precision == "bf16" else matrix

    @staticmethod
    def bound(precision: str, n: int) -> float:
        return 1e-5 if precision == "fp32" else 0.02

    @staticmethod
    def error(c: Any, a: Any, b: Any) -> float:
        exact = a[: len(c)].double() @ b.double()
        return float((c.double() - exact).norm() / exact.norm())

    @staticmethod
    def peak(precision: str, rounds: int) -> Any:
        return (lambda: time.sleep(1e-3)), 10**10


def test_a_gpu_is_measured_as_a_processor_is(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(bench_gpu, "cuda_products", StandIn)
    monkeypatch.setattr(bench_gpu, "cuda_timing", StandIn)
    monkeypatch.setattr(bench_gpu, "tensor_cores", StandIn)
    monkeypatch.setattr(bench_gpu, "here", lambda: "sm_90a")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(bench_gpu.Gpu, "bandwidths", lambda self: (4000.0, 9000.0))
    monkeypatch.setattr(bench_gpu, "PART", 20)
    *_, last = log = list(run(Params(**QUICK, device="cuda")))
    assert (last.kernels, last.left_out) == (["naive", "cuBLAS fp32"], ["Triton bf16"])
    assert np.isfinite(last.speed).all() and (last.error <= last.bound).all()
    assert last.device == "cuda" and last.bandwidths.tolist() == [4000, 9000]
    assert "timed on 20 rows" in next(event.text for event in log if "naive, 100" in event.text)
    *_, last = run(Params(**QUICK, device="cuda", precision="bf16"))
    assert last.kernels == ["Triton bf16"]
    with pytest.raises(LabError, match="A GPU does not multiply fp64 here: choose fp32 or tf32 or bf16"):
        list(run(Params(device="cuda", precision="fp64")))
