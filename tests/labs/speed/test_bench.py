"""Every product is float64's within what rounding allows, and a figure that cannot be ends the run."""

from __future__ import annotations

import os
import time
from dataclasses import fields
from typing import Any, get_args

import numpy as np
import pytest
import threadpoolctl
from labs.contract import ImpossibleError, LabError
from labs.models.timing import NOISE
from native.models import peak_kernel, products, timing
from native.models.tensor_cores import ladder
from native.models.timing import Timing, timed
from native.speed.bench import Kernel, Params, run, sizes_of
from native.speed.bench import cpu as bench_cpu
from native.speed.bench.cpu import BYTES, WAYS, Processor, bound, most, off, problem

pytestmark = pytest.mark.alone  # it measures

CORES = len(os.sched_getaffinity(0))
QUICK: dict[str, Any] = {"sizes": "48, 16, 100", "repetitions": 3}


@pytest.mark.parametrize(
    ("way", "precision"),
    [pytest.param(way, each, id=f"{way.name}-{each}") for way in WAYS for each in way.precisions],
)
def test_a_product_is_float64s_within_what_rounding_allows(
    way: bench_cpu.Way, precision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(products, "ROW_PATIENCE", 60.0)  # all rows, however busy the machine is
    for threads in {1, min(2, CORES)}:
        machine = Processor(precision, threads)
        for seed, n in enumerate((16, 17, 33, 100, 129)):
            given = machine.problem(n, seed)
            found = machine.measure(way, given, 3, 0.0)
            assert found.rows == n
            assert 0 <= found.error <= bound(n, precision)
            exact = given.a.astype(np.float64) @ given.b.astype(np.float64)  # all rows, not those that it checks
            assert np.allclose(given.exact, exact[given.rows])


def test_how_long_a_library_takes_to_be_found_is_not_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(threadpoolctl.ThreadpoolController):
        def __init__(self) -> None:
            time.sleep(0.3)
            super().__init__()

    monkeypatch.setattr(threadpoolctl, "ThreadpoolController", Slow)
    machine = Processor("fp32", 1)
    for way in WAYS[-2:]:
        assert machine.measure(way, machine.problem(16, 0), 3, 0.0).timing.least < 0.1


def test_numbers_are_those_of_the_precision() -> None:
    import torch

    for precision in Processor.precisions:
        given = Processor(precision, 1).problem(40, 3)
        kind = {"fp32": torch.float32, "fp64": torch.float64, "bf16": torch.bfloat16}[precision]
        assert torch.equal(torch.from_numpy(given.a).to(kind).double(), torch.from_numpy(given.a).double())
        assert np.abs(given.a).max() <= 1 and np.ptp(given.a) > 1.5


@pytest.mark.parametrize("precision", Processor.precisions)
def test_the_bound_tells_a_precision_from_the_next_coarser(precision: str) -> None:
    """A product in half as many digits is caught, and so is a single wrong number, and one that is none."""
    given = Processor(precision, 1).problem(64, 1)
    right = given.a.astype(np.float64) @ given.b.astype(np.float64)
    digits = {"fp32": 11, "fp64": 24, "bf16": 4}[precision]
    mantissa, exponent = np.frexp(right)
    assert off(given, right) <= bound(64, precision)
    assert off(given, np.ldexp(np.round(mantissa * 2**digits) / 2**digits, exponent)) > bound(64, precision)
    for wrong in (right + np.where(np.eye(64) > 0, 0.5, 0), np.where(np.eye(64) > 0, np.nan, right)):
        assert off(given, wrong) > bound(64, precision)


def test_rows_that_were_not_computed_are_not_checked() -> None:
    random = np.random.default_rng(0)
    given = problem(*(random.uniform(-1, 1, (200, 200)) for _ in range(2)))
    assert {0, 199} <= {*given.rows.tolist()} and len(given.rows) == bench_cpu.CHECKED
    product = given.a @ given.b
    assert off(given, product[:1]) == off(given, product) == 0


@pytest.mark.parametrize(
    ("text", "sizes"),
    [("256, 512, 1000", [256, 512, 1000]), ("512;16 , 512\n64", [16, 64, 512]), (" 4096 ", [4096])],
)
def test_sizes_are_read(text: str, sizes: list[int]) -> None:
    assert sizes_of(text, 4096) == sizes


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Type 1 to 12 sizes"),
        (",".join(map(str, range(16, 29))), "these are 13"),
        (" , ", "there is none"),
        ("256, 5000", "“5000” is no size: type whole numbers from 16 to 4,096"),
        ("15", "“15” is no size"),
        ("-64", "“-64” is no size"),
        ("1e3", "“1e3” is no size"),
        ("٣٢", "“٣٢” is no size"),
        ("64..256", "“64..256” is no size"),
    ],
)
def test_what_is_no_size_is_said(text: str, says: str) -> None:
    with pytest.raises(LabError, match=says):
        list(run(Params(sizes=text)))


def test_a_run_is_a_dot_for_each_kernel_and_size() -> None:
    *_, last = log = list(run(Params(**QUICK)))
    assert last.sizes == [16, 48, 100]
    assert last.kernels == [way.name for way in WAYS]
    assert [event.stage for event in log] == ["peak", "bandwidth", *last.kernels * 3]
    known = [int(np.isfinite(event.speed[..., 1]).sum()) for event in log]
    assert known == [0, *range(len(log) - 1)]
    low, median, high = np.moveaxis(last.speed, 2, 0)
    assert (low > 0).all() and (low <= median).all() and (median <= high).all()
    assert (median <= NOISE * last.peaks[0]).all()
    assert (last.error <= last.bound).all()
    assert last.intensity == pytest.approx([n / (1.5 * 4) for n in last.sizes])
    assert 0 < last.bandwidths[0] < last.bandwidths[1], "a cache is read faster than memory"


def test_other_precisions_leave_out_what_cannot_multiply_them() -> None:
    first, *_, last = run(Params(**QUICK, precision="bf16"))
    assert last.kernels == ["torch"]
    assert last.left_out == ["ijk", "ikj", "tiled", "packed", "NumPy"]
    assert "left out, not available in bf16: ijk, ikj" in first.text
    assert last.intensity[0] == pytest.approx(2 * 16 / (3 * BYTES["bf16"]))


def test_where_no_kernel_is_left_it_says_which_would_be() -> None:
    with pytest.raises(LabError, match="No kernel chosen here computes fp64: turn on NumPy or torch"):
        list(run(Params(**QUICK, precision="fp64", numpy=False, torch=False)))


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_each_kernel_has_a_switch(way: bench_cpu.Way) -> None:
    alone = {each.switch: each is way for each in WAYS}
    *_, last = run(Params(sizes="16", repetitions=3, **alone))
    assert last.kernels == [way.name] and not last.left_out


def test_switches_are_those_of_the_kernels() -> None:
    switches = [field.name for field in fields(Params) if field.type.startswith("Annotated[bool")]
    gpu = dict.fromkeys(bench_cpu.Way(way.name, (way.precision,)).switch for way in ladder())
    assert sorted(switches) == sorted([*(way.switch for way in WAYS), *gpu])


def test_threads_are_said_and_bounded() -> None:
    with pytest.raises(LabError, match=f"at most {CORES} threads"):
        list(run(Params(threads=CORES + 1)))
    team = min(2, CORES)
    *_, last = run(Params(**QUICK, threads=team))
    assert last.cores == [team if way.team else 1 for way in WAYS]
    assert last.peaks[1] >= last.peaks[0] > 0


def test_a_precision_or_a_device_that_is_not_there_is_said() -> None:
    with pytest.raises(LabError, match="does not multiply tf32 here: choose fp32 or fp64 or bf16"):
        list(run(Params(precision="tf32")))
    with pytest.raises(LabError, match="GPU"):
        list(run(Params(device="cuda")))


def test_what_takes_longer_than_a_run_may_is_refused_before_it_begins() -> None:
    sizes = ", ".join(str(4096 - n) for n in range(12))
    began = time.monotonic()
    with pytest.raises(LabError, match="choose smaller sizes, fewer of them, or fewer repetitions"):
        list(run(Params(sizes=sizes, repetitions=31)))
    assert time.monotonic() - began < 20


def test_the_roof_of_a_precision_is_what_its_units_do() -> None:
    """With room to spare: fp64 has half the lanes; bf16 has a unit that does more, or is done as fp32."""
    known = [each for each in ("fp32", "fp64", "bf16") if Processor(each, 1).peaks(0.001) is not None]
    turns = [[(Processor(each, 1).peaks() or (0.0,))[0] for each in known] for _ in range(5)]
    roof = dict(zip(known, map(max, zip(*turns, strict=True)), strict=True))
    assert 0.3 < roof["fp64"] / roof["fp32"] < 0.8
    assert roof.get("bf16", roof["fp32"]) > 0.7 * roof["fp32"]


def test_where_a_processor_has_units_that_we_do_not_use_no_peak_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peak_kernel, "_features", lambda: {"amx_bf16", "avx512_bf16"})
    assert Processor("bf16", 1).peaks() is None
    assert Processor("fp32", 1).peaks() is not None
    first, *_, last = run(Params(**QUICK, precision="bf16"))
    assert "is not known" in first.text
    assert np.isnan(last.peaks).all() and np.isfinite(last.speed).all()


def test_a_roof_counts_what_all_threads_do() -> None:
    """Of work whose time is known: each round sleeps."""

    def roof(threads: int) -> peak_kernel.Roof:
        return lambda rounds: time.sleep(0.002 * rounds), 10_000_000 * threads

    one, all_ = most(roof, 3, 0.03)
    assert one == pytest.approx(5, rel=0.3)
    assert all_ == pytest.approx(3 * one, rel=0.3)


def quick_clock(monkeypatch: pytest.MonkeyPatch, slow: float) -> None:
    """A clock that runs slower while a kernel is timed: its work seems to take less than it did."""
    measured = Processor.measure

    def measure(*given: Any) -> Any:
        found = measured(*given)
        return found._replace(timing=Timing(*(each / slow for each in found.timing[:4]), found.timing.rounds))

    monkeypatch.setattr(Processor, "measure", measure)


def test_what_is_faster_than_the_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_clock(monkeypatch, slow=1e4)
    with pytest.raises(
        ImpossibleError, match=r"at 16 × 16 came out at .*% of what this machine can do, which cannot be"
    ):
        list(run(Params(**QUICK)))


def test_the_peak_is_measured_again_before_anything_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What slowed the peak was over in the meantime."""
    true = Processor.peaks
    slow = iter([1000] * 4)  # the first limit, those of the first two sizes, and one more

    def peaks(self: Processor, patience: float) -> Any:
        return tuple(each / next(slow, 1) for each in true(self, patience) or ())

    monkeypatch.setattr(Processor, "peaks", peaks)
    *_, last = run(Params(**QUICK))
    assert (last.speed[..., 1] <= NOISE * last.peaks[0]).all()


def test_a_wrong_product_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = Processor.measure

    def wrong(*given: Any) -> Any:
        return measured(*given)._replace(error=1e-3)

    monkeypatch.setattr(Processor, "measure", wrong)
    with pytest.raises(ImpossibleError, match="ijk is wrong at 16 × 16"):
        list(run(Params(**QUICK)))


def test_a_clock_that_stands_still_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing.time, "perf_counter", lambda: 1.0)
    with pytest.raises(ImpossibleError, match="which cannot be"):
        timed(lambda rounds: None, 3, 0.01)


def test_every_kernel_is_one_that_the_bench_names() -> None:
    """In the order in which figures give them their colours."""
    names = get_args(Kernel)
    assert [way.name for way in (*WAYS, *ladder())] == list(names)
