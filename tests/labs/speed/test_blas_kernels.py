"""Each kernel gives the product, is the one that was asked for, and stays below what the processor can do."""

from __future__ import annotations

import numpy as np
import pytest
from labs.contract import LabError
from labs.models.timing import NOISE
from native.speed import blas_kernels
from native.speed.blas_kernels import NEEDS, WAYS, Params, abilities, measure, run, vectors
from native.tensors.simd_elementwise.kernel import lanes

pytestmark = pytest.mark.alone  # it measures

QUICK = Params(n=256, repetitions=3)


def test_a_run_asks_for_each_kernel_that_the_processor_knows() -> None:
    *_, last = log = list(run(QUICK))
    assert [event.stage for event in log] == last.names == list(WAYS)
    known = [True, *(needs <= abilities() for needs in NEEDS.values()), True]
    assert (~np.isnan(last.speed[:, 1])).tolist() == known
    assert (last.error[known] < 1e-5).all()
    assert (last.lanes, last.fused) == vectors(last.picked, abilities())
    assert last.lanes[-1] == lanes()  # as it was compiled
    low, median, high = last.speed[known].T
    assert (low > 0).all() and (low <= median).all() and (median <= high).all()
    peak = max(last.peak, *(next(run(QUICK)).peak for _ in range(5)))  # one alone may be disturbed
    assert (median <= NOISE * peak).all()
    if any(known[1:-1]):
        assert last.gain == pytest.approx(np.nanmax(last.speed[1:-1, 1]) / last.speed[0, 1])


def test_the_library_takes_what_it_is_told() -> None:
    able = [name for name, needs in NEEDS.items() if needs <= abilities()]
    assert [measure(QUICK, name)["names"] for name in able] == [[name] for name in able]


def test_our_kernel_has_the_widest_vectors_of_the_processor() -> None:
    avx = {"sse4_2", "avx"}
    assert vectors("Sandybridge", avx) == ([8, 4, 8, 8, 16, 8], [False, False, False, True, True, False])
    assert vectors("Zen", avx | {"avx2", "fma"}) == ([8, 4, 8, 8, 16, 8], [True, False, False, True, True, True])
    assert vectors("neoversen1", set()) == ([4, 4, 8, 8, 16, 4], [True, False, False, True, True, True])


def test_what_a_processor_does_not_know_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blas_kernels, "abilities", lambda: {"sse4_2", "avx"} & abilities())
    *_, last = log = list(run(QUICK))
    assert np.isnan(last.speed[3:5]).all()
    assert log[4].text == "SkylakeX needs avx512bw, avx512dq, avx512f, avx512vl, which this processor lacks."


def test_another_library_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blas_kernels, "measure", lambda params, core: {"names": []})
    with pytest.raises(LabError, match="does not call OpenBLAS"):
        list(run(QUICK))
