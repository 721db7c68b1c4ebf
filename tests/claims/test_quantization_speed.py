"""What the article says of the speed of integers, and of sums that saturate."""

from __future__ import annotations

import re

import numpy as np
from article import machine, recorded
from labs.discover import find
from native.learning.int8_gemm import POINTS, kernel, on_gpu, products
from native.models.kernel import KERNELS
from quantization_article import says

WITH_PAIRS = kernel.instruction(kernel.PAIRS) == "vpmaddubsw"


def last() -> dict[str, dict[str, float]]:
    """By product, the numbers of the recording that the page shows."""
    event = recorded("learning/int8_gemm")[-1]
    assert event["kind"] == "measured" and event["points"] == list(POINTS)
    numbers = ("milliseconds", "error", "bound", "intensity")
    return {name: dict(zip(POINTS, event[name], strict=True)) for name in numbers}


def test_fewer_bytes_are_faster_beside_a_vector() -> None:
    says("uses each weight once, and memory sets its speed", "a scale for each 128 weights")
    found = last()
    took, bound = found["milliseconds"], found["bound"]
    assert took["float32 × vector"] > 3.5 * took["int8 × vector"] > 3.5 * 1.2 * took["int4 × vector"]
    says("The int8 product takes hardly longer than reading the weights")
    reached = {name: 2 * 8192**2 / took[name] / 1e6 / bound[name] for name in bound if "vector" in name}
    assert reached["int8 × vector"] > 1 / 1.2
    says("The int4 weights nearly fit into the last-level cache, but they have to be unpacked first")
    cache = re.search(r"L3 (\d+) MiB", machine("learning/int8_gemm"))
    assert cache
    size = 8192**2 // kernel.share() * (kernel.share() / 2 + 4)  # and each share's scale
    assert 1 < size / (int(cache[1]) * 2**20) < 1.1
    bandwidth = {name: bound[name] / found["intensity"][name] for name in reached}
    assert bandwidth["int4 × vector"] > 1.2 * bandwidth["int8 × vector"]
    assert reached["int4 × vector"] < 0.9 * reached["int8 × vector"]
    assert kernel.share() == 128


def test_pairs_saturate_with_eight_bits_and_not_with_seven() -> None:
    says("255 × 127 twice is 64,770, and the instruction stores 32,767, the most that it can")
    assert 2 * 255 * 127 == 64_770 and 2**15 - 1 == 32_767
    if not WITH_PAIRS:
        return
    a, b, c = np.full((1, 2), 127, np.int8), np.full((2, 1), 127, np.int8), np.empty((1, 1), np.int32)
    kernel.multiply(a, b, c, kernel.PAIRS)(1)
    assert c[0, 0] + 128 * 2 * 127 == 32_767
    says("With [seven bits](/labs/learning/int8_gemm/?int8_gemm.bits=7) all are right")
    for bits in (7, 8):
        made = list(products.each(256, bits, 0))
        for each in made:
            each.work(1)
            right = bits == 7 or each.name in ("float32", "int8, exact", "int8, _int_mm")
            if each.name != "int8, torch" or right:
                assert (each.error() == 0) == right, each.name


def test_the_recorded_errors_are_what_is_said() -> None:
    says("of our sums come out wrong")
    error = last()["error"]
    assert error["int8, exact"] == error["int8, _int_mm"] == error["float32"] == 0
    assert error["int8, in pairs"] > 0.99


def test_vnni_beside_torchs_own() -> None:
    says("With VNNI our product reaches … · 10⁹ operations a second, and oneDNN's in `torch._int_mm` …")
    event = recorded("learning/int8_gemm")[-1]
    speed = dict(zip(POINTS, (each[1] for each in event["speed"]), strict=True))
    assert event["instruction"] == "vpdpbusd" and speed["float32"] < speed["int8, exact"] / 3
    best = max(event["peaks"][1], speed["int8, _int_mm"], speed["int8, torch"])
    assert speed["int8, exact"] > 0.9 * best


def test_tensor_cores_sum_up_in_32_bits() -> None:
    says("So do the tensor cores of NVIDIA GPUs")
    assert find()["learning/int8_gemm"].runs_on == ("cpu", "cuda")
    assert "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32" in (KERNELS / on_gpu.FILE).read_text()
