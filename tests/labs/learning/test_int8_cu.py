"""Kernels for bytes without a GPU: played by a processor against exact products, and compiled for two GPUs.

The lab's whole run on a GPU is played as well, with the played kernels in it; its times alone are made up.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import int8_on_a_processor as processor
import numpy as np
import pytest
import torch
from cuda_on_a_processor import BACKWARD, FORWARD, SHUFFLED
from labs.contract import ImpossibleError, LabError
from labs.models.timing import summary
from native.learning.int8_gemm import Measured, Params, gpu, kernel, on_gpu, run
from native.models.cuda_driver import HOPPER, build
from numpy.typing import NDArray
from underhood.machine.provenance import has_cuda

Bytes = NDArray[np.int8]
# Rows of A and of W, and depth: around fragments, pieces, slabs and blocks, and more slabs than stages.
SIZES = (
    (1, 1, 1), (15, 17, 16), (16, 16, 15), (17, 15, 17), (33, 40, 100), (64, 65, 48), (127, 129, 31),
    (129, 257, 129), (257, 128, 33), (1200, 3, 7),
)  # fmt: skip
ARCHES = ("sm_80", HOPPER)


def some(*shape: int, bits: int = 8) -> Bytes:
    most = 2 ** (bits - 1)
    return np.random.default_rng(list(shape)).integers(-most, most, shape, dtype=np.int8)


def filled(matrix: Bytes, piece: int = 16) -> Bytes:
    return np.pad(matrix, ((0, 0),) * (matrix.ndim - 1) + ((0, -matrix.shape[-1] % piece),))


def check(a: Bytes, w: Bytes, order: int = FORWARD, mistake: str = "") -> None:
    ran = processor.run("multiply", (filled(a), filled(w)), order, mistake)
    assert ran.flaws == 0 and np.array_equal(ran.c, a.astype(np.int64) @ w.astype(np.int64).T), (a.shape, w.shape)


def check_vector(w: Bytes, x: Bytes, order: int = FORWARD, mistake: str = "") -> None:
    ran = processor.run("by_vector", (filled(w), filled(x)), order, mistake)
    assert ran.flaws == 0 and np.array_equal(ran.c, w.astype(np.int64) @ x.astype(np.int64)), w.shape


def check_vector4(w: NDArray[np.float32], x: Bytes, order: int = FORWARD, mistake: str = "") -> None:
    """Scales are added up in an order that is not ours: rounding may cost as much as there are groups."""
    codes, scales = kernel.packed4(w)
    exact = kernel.unpacked4(codes).astype(np.int64) * filled(x, on_gpu.SHARE).reshape(-1, on_gpu.SHARE)
    parts = exact.sum(-1) * scales.astype(np.float64)
    ran = processor.run("by_vector4", (codes, scales, filled(x, on_gpu.SHARE)), order, mistake)
    allowed = (scales.shape[1] + 8) * 2.0**-23 * (np.abs(exact).sum(-1) * scales).sum(-1)
    assert ran.flaws == 0 and (np.abs(ran.c - parts.sum(-1)) <= allowed).all(), w.shape


def check_reading(count: int, order: int = FORWARD, mistake: str = "") -> None:
    """Of three blocks each reads its third, and each piece is read once."""
    offsets = []
    for block in range(3):
        ran = processor.run("reading", (some(16 * count),), order, mistake, trace=block)
        assert ran.flaws == 0
        offsets += ran.reads["offset"].tolist()
    assert sorted(offsets) == list(range(0, 16 * count, 16))


def test_a_product_of_any_size_is_that_of_int64() -> None:
    for rows, columns, depth in SIZES:
        check(some(rows, depth), some(columns, depth, 1)[..., 0])


@pytest.mark.parametrize("value", (-128, 127))
def test_the_ends_of_eight_bits(value: int) -> None:
    a, w = np.full((17, 129), -128, np.int8), np.full((33, 129), value, np.int8)
    check(a, w)
    check_vector(a, w[0])


def test_a_vector_of_any_length() -> None:
    for rows, _, depth in (*SIZES, (9, 0, 511), (7, 0, 512), (8, 0, 1100)):
        check_vector(some(rows, depth), some(depth))
        w = np.random.default_rng(depth).standard_normal((rows, depth), np.float32)
        w[0] = 0
        check_vector4(w, some(depth))


def test_codes_are_packed_as_for_a_processor() -> None:
    for shape in ((3, 1), (2, 128), (5, 300)):
        w = np.random.default_rng(shape).standard_normal(shape, np.float32)
        w[1] = 0
        codes, scales = kernel.packed4(w)
        found = on_gpu.packed4(torch.from_numpy(w))
        assert np.array_equal(found[0], codes) and np.array_equal(found[1], scales)
    assert kernel.share() == on_gpu.SHARE


def test_everything_is_read_once() -> None:
    for count in (1, 255, 257, 5000):
        check_reading(count)


def all_checks(order: int, mistake: str = "") -> None:
    check_vector(some(13, 600), some(600), order, mistake)
    check_vector4(np.random.default_rng(1).standard_normal((9, 1000), np.float32), some(1000), order, mistake)
    check_reading(900, order, mistake)
    check(some(130, 144), some(258, 144, 1)[..., 0], order, mistake)


@pytest.mark.parametrize("order", (BACKWARD, SHUFFLED))
def test_the_order_of_threads_does_not_matter(order: int) -> None:
    all_checks(order)


@pytest.mark.parametrize("mistake", processor.MISTAKES)
def test_a_mistake_is_found(mistake: str) -> None:
    with pytest.raises(AssertionError):
        for order in (FORWARD, BACKWARD, SHUFFLED):
            all_checks(order, mistake)


def test_what_does_not_fit_is_refused() -> None:
    a, c = torch.zeros(2, 16, dtype=torch.int8), torch.zeros(2, 2, dtype=torch.int32)
    for given in ((a, a[:, :8], c), (a, a, c[:1]), (a[:, :8], a[:, :8], c)):
        with pytest.raises(ValueError, match="do not belong"):
            on_gpu.multiply(*given)
    with pytest.raises(ValueError, match="do not belong"):
        on_gpu.by_vector(a, a[0, :8], c[0])
    with pytest.raises(ValueError, match="do not belong"):
        on_gpu.by_vector4(torch.zeros(2, 1, 64, dtype=torch.uint8), torch.zeros(2, 1), a[0], c[0])
    long = torch.zeros(1, 1 << 17, dtype=torch.int8)
    with pytest.raises(ValueError, match="fewer than 131,072"):
        on_gpu.by_vector(long, long[0], c[0, :1])


@pytest.mark.parametrize("arch", ARCHES)
def test_nothing_is_spilled_and_the_instructions_are_those_for_bytes(arch: str, tmp_path: Path) -> None:
    import triton

    built = build(on_gpu.FILE, arch)
    assert built.resources.keys() == {*processor.NAMES, "peak"}
    for taken in built.resources.values():
        assert taken.spilled == 0 and taken.shared <= 48 * 1024 and taken.registers * 256 <= 65536
    (tmp_path / "cubin").write_bytes(built.cubin)
    program = Path(triton.__file__).parent / "backends/nvidia/bin/nvdisasm"
    text = subprocess.run([program, "-c", tmp_path / "cubin"], capture_output=True, text=True, check=True).stdout
    found = {}
    for name in built.resources:
        (body,) = re.findall(rf"\.section\s+\.text\.{name},(.*?)(?=\.section\s|\Z)", text, re.DOTALL)
        found[name] = re.findall(r"\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.x]+)", body)
    assert found["multiply"].count("IMMA.16816.S8.S8") == 2 * 16 * 2  # halves of fragments, of two parts of a slab
    assert "LDG.E.128.CONSTANT" in found["by_vector"] and "IDP.4A.S8.S8" in found["by_vector"]
    assert "LDG.E.128.CONSTANT" in found["by_vector4"] and "IDP.4A.S8.S8" in found["by_vector4"]
    assert found["reading"].count("LDG.E.128.CONSTANT") >= 8
    instruction = "IGMMA.64x256x32.S8.S8" if arch == HOPPER else "IMMA.16832.S8.S8"
    assert {each for each in found["peak"] if "MMA" in each} == {instruction}


# -- the lab, whose kernels a processor plays -------------------------------------------------------------------


def seconds(work: Any, repetitions: int, most: float) -> Any:
    """Each round ten microseconds, by no clock."""
    work()
    return summary(repetitions * [1e-5], 1)


def launch(code: str, blocks: Any, threads: Any, given: Any) -> None:
    sizes = [each for each in given if isinstance(each, int)]
    *arrays, to = (each.numpy() for each in given if torch.is_tensor(each))
    assert processor.launch(code, blocks[0], sizes, arrays, to) == 0


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    facts = SimpleNamespace(name="a stand-in", multi_processor_count=1, L2_cache_size=1 << 14)
    monkeypatch.setattr(gpu, "DEVICE", "cpu")
    monkeypatch.setattr(gpu, "timed", seconds)
    monkeypatch.setattr(
        gpu, "peak", lambda precision, rounds: (lambda: None, 10**9 if precision == "fp32" else 10**10)
    )
    monkeypatch.setattr(on_gpu, "peak", lambda rounds, blocks: (lambda: None, 2 * 10**10))
    monkeypatch.setattr(on_gpu, "load", lambda file, name: name)
    monkeypatch.setattr(on_gpu, "launch", launch)
    monkeypatch.setattr(on_gpu, "here", lambda: HOPPER)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: (9, 0))
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda: facts)
    before = torch.get_float32_matmul_precision()
    yield monkeypatch
    torch.set_float32_matmul_precision(before)


def test_a_run_on_a_gpu_has_the_same_events(played: pytest.MonkeyPatch) -> None:
    log: list[Measured] = list(run(Params(n=24, vector=256, repetitions=3, device="cuda")))
    last, points = log[-1], [*gpu.GPU_VECTORS, *gpu.GPU_SQUARES]
    assert [event.stage for event in log] == ["roofs", *points] and last.points == points and last.vectors == 4
    assert last.instruction == "wgmma" and last.peaks.tolist() == pytest.approx([1e5, 2e6, 1e6])
    error = dict(zip(points, last.error.tolist(), strict=True))
    assert error["float32"] == error["int8, exact"] == error["int8, _int_mm"] == 0 < error["bfloat16"]
    assert error["float32 × vector"] < 1e-5 < error["bfloat16 × vector"] < 0.01
    assert 1e-3 < error["int8 × vector"] < 0.03 < error["int4 × vector"] < 0.2
    assert last.intensity[:2] == pytest.approx((0.5, 1)) and (last.bound > 0).all()
    said = {event.stage: event.text for event in log}
    assert said["roofs"].startswith(
        "a stand-in: 100 trillion float32 operations a second in registers, 2,000 on bytes"
    )
    assert said["int4 × vector"].startswith("int4 × vector by dp4a on a stand-in: 0.01 ms, 1 times")
    assert said["int8, exact"].startswith("int8, exact by WMMA on a stand-in: ")


def test_weights_are_read_by_turns(played: pytest.MonkeyPatch) -> None:
    made, started = gpu.Gpu(3), []
    work = made.by_turns(lambda each: lambda: started.append(each.data_ptr()), torch.zeros(1 << 14))
    for _ in range(4):
        work()
    assert len({*started[:2]}) == 2 and started[:2] == started[2:]  # 64 KiB twice, the cache eight times


def test_bits_that_are_fewer_leave_bfloat16_fewer_to_round(played: pytest.MonkeyPatch) -> None:
    made = gpu.Gpu(3)
    for bits, all_right in ((8, False), (2, True)):
        found = {each.name: (each.work(), each.error())[1] for each in made.by_matrix(32, bits, 0)}
        assert found["int8, exact"] == 0 and (found["bfloat16"] == 0) == all_right
    assert "multiple of 8" in made.lacking(20) and made.lacking(16) and not made.lacking(24)
    assert len(list(made.by_matrix(20, 8, 0))) == 3


def test_a_product_of_ours_above_its_roof_is_refused(played: pytest.MonkeyPatch) -> None:
    played.setattr(on_gpu, "peak", lambda rounds, blocks: (lambda: None, 10))
    with pytest.raises(ImpossibleError, match="what this GPU can do"):
        list(run(Params(n=24, vector=256, repetitions=3, device="cuda")))


@pytest.mark.skipif(has_cuda(), reason="there is a GPU")
def test_it_says_that_there_is_no_gpu() -> None:
    with pytest.raises(LabError, match="there is none here"):
        list(run(Params(device="cuda")))
