"""Bytes and operations have closed forms, values come from NumPy in float64, and times are compared with slack."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from labs.contract import LabError, Sentence
from native.models.compiler import inductor
from native.pytorch.fusion_worth import Params, Worth, clock, run, story
from native.pytorch.fusion_worth.clock import NUMPY, Bandwidth, Machine, compiled, tensors, works, written
from native.pytorch.fusion_worth.in_numpy import in_numpy
from native.pytorch.fusion_worth.joined import Joined, Kernel
from native.pytorch.fusion_worth.programs import CHAIN, Setting
from native.pytorch.fusion_worth.story import crossing
from native.pytorch.fusion_worth.tell import size_of

RANDOM = random.Random(13)
SETTINGS = [
    *(Setting("gelu", 1, n) for n in (1, 1000)),
    *(Setting("chain", length, RANDOM.randint(1, 3000)) for length in (1, 2, 5, 6, 12)),
    *(Setting("sum", length, RANDOM.randint(2, 3000)) for length in (1, 4, 12)),
    *(Setting("product", 1, side * side) for side in (1, 17, 64, 150)),
    *(Setting("window", length, RANDOM.randint(1, 3000), uses) for length in (1, 4, 12) for uses in (2, 7, 16)),
]


def arrays(setting: Setting) -> tuple[int, int]:
    """How many whole arrays cross apart and fused, of a program whose arrays have one size."""
    if setting.name == "gelu":
        return 6 * 2 + 3 * 3, 2
    reads = [1 + any(f" {name}" in step for name in "xy") for step in CHAIN * 2][: setting.length]
    inputs = 1 + (setting.length >= 1)
    total = sum(reads) + setting.length
    return (total + 1, inputs) if setting.name == "sum" else (total, inputs + 1)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_bytes_and_operations_have_closed_forms(setting: Setting) -> None:
    n, d, r, m = setting.numbers, setting.length, setting.uses, setting.side
    apart, fused = Joined(setting), Joined(setting, len(setting.steps))
    assert len(fused.groups) == 1 and len(apart.groups) == len(setting.steps)
    work = sum(apart.work.values()), sum(fused.work.values())
    match setting.name:
        case "product":
            assert (apart.bytes, fused.bytes) == (4 * (3 * m * m + 2 * m * m + m + 2 * m * m), 4 * (3 * m * m + m))
            assert work == (2 * m**3 + 2 * m * m,) * 2
        case "window":
            long = n + r - 1
            assert fused.bytes == (4 * (long + n))
            assert apart.bytes == (4 * (2 * long + long + n))
            assert work == (2 * d * long + (r - 1) * n, n * (2 * d * r + r - 1))
        case _:
            end = 4 * (setting.name == "sum")
            assert (apart.bytes, fused.bytes) == tuple(4 * n * each + end for each in arrays(setting))
            each = 8 + 14 if setting.name == "gelu" else d + (setting.name == "sum")
            assert work == (n * each,) * 2


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_steps_and_kernels_add_up(setting: Setting) -> None:
    for joined in range(len(setting.steps) + 1):
        found = Joined(setting, joined)
        crossing = sum(each.bytes for step in found.steps for each in (*step.reads, *step.writes) if each.crosses)
        assert crossing == found.bytes
        assert sum(step.work for step in found.steps) == sum(each.work for each in found.kernels)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_all_ways_compute_what_numpy_computes(setting: Setting) -> None:
    given = tensors(setting)
    truth = np.asarray(written(setting.python, NUMPY)(*(each.double().numpy() for each in given)))
    found = [compiled(Joined(setting, count), 1)(*given).numpy() for count in (0, len(setting.steps))]
    found += [written(setting.one_line, NUMPY)(*(each.numpy() for each in given))]
    found += [written(setting.python, clock.SPACE)(*given).numpy()]
    scale = max(1.0, float(np.abs(truth).max()), setting.numbers * (setting.name == "sum") / 100)
    for each in found:
        np.testing.assert_allclose(each / scale, truth / scale, atol=2e-5)


def test_a_prediction_is_the_longer_of_two() -> None:
    machine = Machine(speed=4e9, call=1e-6, step=3e-6)
    kernels = [Kernel(8000, 1000, True), Kernel(8000, 40000, True), Kernel(8000, 0, False)]
    assert machine.predicted(kernels, Bandwidth(8, 16), 1e-6) == pytest.approx(1e-6 + 1e-6 + 1e-5 + 0.5e-6)


def test_where_two_ways_cross() -> None:
    x = np.array([1, 2, 4, 8])
    flat = np.full(4, 3.0)
    assert crossing(x, [flat, x.astype(float)]) == pytest.approx(3)
    assert crossing(x, [flat, x + 9.0]) == 1 and crossing(x, [flat, x / 9]) == 0
    assert crossing(x, [flat, np.array([5, 1, 9, 9])]) == pytest.approx(2 * 2 ** (np.log(3) / np.log(9)))


def test_numpy_in_one_line_still_needs_memory() -> None:
    """The tutorial says that it needs none: measured by tracemalloc."""
    n = 1 << 16
    found = in_numpy(Setting("gelu", 1, n))
    lines, one = (peak / (4 * n) for peak in found.peak)
    assert lines == pytest.approx(9, abs=0.1)
    assert 2.9 < one < 4.1
    assert all(each.median > 0 for each in found.took)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "PATIENCE", 0.002)
    monkeypatch.setattr(story, "SIZES", (1 << 10, 1 << 12))
    monkeypatch.setattr(story, "USES", (2, 16))
    monkeypatch.setattr(story, "refuse_impossible", lambda *_: None)


def log(**params: Any) -> list[Worth]:
    return list(run(Params(**{"size": "4 K", "repetitions": 3, **params})))


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("program", ["gelu", "chain", "sum", "product", "window"])
def test_a_run_joins_predicts_and_measures(program: Any) -> None:
    found = log(program=program, uses=3, length=3)
    stages = [each.stage for each in found]
    joining = len(found[0].steps) - 1
    points = len(found[0].x)
    assert stages == ["apart", *["joined"] * joining, "machine", *["measured"] * points, "worth"]
    crossing = [each.moved for each in found[: joining + 1]]
    assert crossing == sorted(crossing, reverse=True) and crossing[0] == found[0].moved_apart
    last = found[-1]
    assert last.kernels == 1 and np.isfinite(last.predicted).all() and np.isfinite(last.took[:3]).all()
    assert np.isnan(last.took[3:]).all() and last.x[last.at] == (3 if program == "window" else 4096)
    assert np.allclose(last.gain[1], last.took[1, :, 1] / last.took[2, :, 1])
    assert (last.work > last.work_apart) == (program == "window")


@pytest.mark.usefixtures("quick")
def test_more_ways_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise LabError("No compiler works here.")

    monkeypatch.setattr(inductor, "compile", refuse)
    found = log(inductor=True, one_line=True)
    assert [each.stage for each in found[-3:]] == ["inductor", "numpy", "worth"]
    assert found[-3].text == "Inductor: No compiler works here."
    assert found[-1].peak[1] > 2.9 * 4 * 4096 and np.isfinite(found[-1].took[4:, found[-1].at]).all()


def test_fusing_pays_and_loses() -> None:
    """With slack: a chain of twelve moves a tenth of its bytes, and a window computes fifteen times as much."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for setting, faster in ((Setting("chain", 12, 1 << 20), True), (Setting("window", 12, 1 << 18, 16), False)):
            _, apart, fused = clock.measured(setting, 1, 5)
            ratio = apart.low / fused.low
            assert ratio > 1.5 if faster else ratio < 0.8
    finally:
        torch.set_num_threads(before)


def test_ours_runs_on_memory_that_is_kept() -> None:
    setting = Setting("chain", 3, 1000)
    for work in works(setting, 1):
        work(3)


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (999, "999 bytes"),
        (1000, "0.977 KiB"),
        (1024, "1 KiB"),
        (1_023_487, "999 KiB"),
        (1_023_488, "0.976 MiB"),
        (21 * 2**24, "336 MiB"),
        (50_331_648.0, "48 MiB"),
    ],
)
def test_sizes_in_words(count: float, words: str) -> None:
    assert size_of(count) == words


def test_recorded_words_say_the_recorded_bytes() -> None:
    """Of nine steps of GELU, each with arrays of 16 MiB: 21 cross apart, and two in one kernel."""
    log = json.loads(Path("content/recordings/pytorch/fusion_worth/default.json").read_text("utf-8"))["events"]
    texts = [(event, str(Sentence.unpacked(event["text"]))) for event in log[1:-1]]
    said = [(event["moved"], [float(each) for each in re.findall(r"([\d.]+) MiB", text)]) for event, text in texts]
    assert [first / 16 for _, (first, *_) in filter(lambda each: each[1], said)] == [
        21,
        18,
        16,
        13,
        11,
        9,
        7,
        6,
        2,
        2,
    ]
    assert all(moved == first * 2**20 for moved, (first, *_) in filter(lambda each: each[1], said))
    assert said[-1][1] == [2 * 16, 21 * 16]
