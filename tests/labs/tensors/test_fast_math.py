"""Fast math: the strict loops against exact arithmetic by fractions and against gcc; what flags break."""

from __future__ import annotations

import ctypes
import subprocess
from contextlib import nullcontext
from fractions import Fraction
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from disturbed import undisturbed
from labs.contract import ImpossibleError
from labs.models.timing import Timing
from native.models.kernel import KERNELS, at
from native.tensors.fast_math import (
    LOOPS,
    OTHER_RESULTS,
    SAME_CODE,
    SAME_RESULTS,
    Clock,
    Pair,
    Params,
    Process,
    run,
)
from native.tensors.fast_math.compare import compare
from native.tensors.fast_math.data import changed, data, errors, exact
from native.tensors.fast_math.kernel import FLAGS, ONE_RESULT, Floats, flushing, once
from native.tensors.fast_math.listing import functions, hot

BY_NAME = {each.name: each for each in FLAGS}
COUNTS = [64, 1001, 4096]
CASES = [(loop, count, seed) for loop in LOOPS for count, seed in zip(COUNTS, (0, 1, 999), strict=True)]


@pytest.mark.parametrize(("loop", "count", "seed"), CASES)
def test_exact_is_what_fractions_say(loop: str, count: int, seed: int) -> None:
    numbers = data(loop, count, seed)
    found = exact(loop, numbers)
    x = [None if np.isnan(each) else Fraction(float(each)) for each in numbers.x]
    if loop == "nans":
        assert found.tolist() == [sum(each is None for each in x)]
        return
    whole = [each for each in x if each is not None]
    wanted = {
        "sum": lambda: [sum(whole)],
        "kahan": lambda: [sum(whole)],
        "plus_zero": lambda: whole,
        "divide": lambda: [each / 3 for each in whole],
        "guarded": lambda: [1 / each if each > 0 else Fraction(0) for each in whole],
        "determinant": lambda: [Fraction(0)] * count,
        "halve": lambda: [each / 2 for each in whole],
        "root": lambda: [None if each < 0 else each for each in whole],
        "power": lambda: [each**5 for each in whole],
    }[loop]()
    # A root and a power are compared by what is true of their squares.
    squared = [Fraction(float(y)) ** 2 if y == y else None for y in found] if loop in ("root", "power") else None
    for one, other in zip(squared or [Fraction(float(y)) for y in found], wanted, strict=True):
        if one is None or other is None:
            assert one is other
        else:
            assert abs(one - other) <= abs(other) * Fraction(1, 1 << 51)


@pytest.mark.parametrize("loop", LOOPS)
def test_strict_results_are_rounded_once_where_one_operation_makes_them(loop: str) -> None:
    numbers = data(loop, 4096, 3)
    results, _, _ = once((), loop, numbers)
    worst = float(errors(loop, numbers, results).max())
    assert worst <= {"sum": sqrt(4096), "kahan": 1, "power": 1}.get(loop, 0.5)


@pytest.fixture(scope="module")
def by_gcc(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], ctypes.CDLL]:
    """The same file by another compiler: strict, and with two of its flags."""
    folder: Path = tmp_path_factory.mktemp("gcc")
    made = {}
    for n, flags in enumerate([(), ("-ffinite-math-only",), ("-fno-signed-zeros",)]):
        out = folder / f"{n}.so"
        base = ["gcc", "-O3", "-ffp-contract=off", "-shared", "-fPIC", "-o", str(out)]
        subprocess.run([*base, *flags, str(KERNELS / "fast_math.c"), "-lm"], check=True, timeout=60)
        made[flags] = ctypes.CDLL(str(out))
    return made


def gccs(library: ctypes.CDLL, loop: str, count: int, seed: int) -> Floats:
    numbers = data(loop, count, seed)
    library.once(LOOPS.index(loop), ctypes.c_size_t(count), at(numbers.x), at(numbers.w), at(numbers.y))
    return numbers.y[: 1 if loop in ONE_RESULT else count]


@pytest.mark.parametrize(("loop", "count", "seed"), CASES)
def test_gcc_comes_to_the_same_bits(
    loop: str, count: int, seed: int, by_gcc: dict[tuple[str, ...], ctypes.CDLL]
) -> None:
    ours, _, _ = once((), loop, data(loop, count, seed))
    assert not changed(ours, gccs(by_gcc[()], loop, count, seed)).any()


def test_gcc_drops_the_same_tests_by_the_same_flags(by_gcc: dict[tuple[str, ...], ctypes.CDLL]) -> None:
    for flags, loop in ((("-ffinite-math-only",), "nans"), (("-fno-signed-zeros",), "plus_zero")):
        ours, _, _ = once(flags, loop, data(loop, 1001, 5))
        assert not changed(ours, gccs(by_gcc[flags], loop, 1001, 5)).any()
        strict, _, _ = once((), loop, data(loop, 1001, 5))
        assert changed(strict, ours).any()


@pytest.mark.parametrize("seed", range(5))
def test_what_each_flag_does_to_its_loop(seed: int) -> None:
    def found(loop: str, flag: str) -> tuple[int, tuple[float, float]]:
        pair = compare(loop, BY_NAME[flag], data(loop, 4096, seed))
        return int(pair.changed.sum()), pair.worst

    assert found("nans", "-ffinite-math-only")[0] == 1
    assert found("plus_zero", "-fno-signed-zeros")[0] == np.signbit(data("plus_zero", 4096, seed).x).sum()
    assert found("kahan", "-fassociative-math")[1][0] <= 0.5
    without, with_flag = found("divide", "-freciprocal-math")[1]
    assert without <= 0.5 < with_flag < 1.5
    assert found("root", "-fno-math-errno")[0] == 0
    assert found("determinant", "-ffp-contract=fast")[0] > 4000
    assert found("halve", "FTZ and DAZ")[0] == 4096


def test_kahans_sum_is_no_better_than_any_other_once_its_terms_may_be_moved() -> None:
    pairs = [compare("kahan", BY_NAME["-fassociative-math"], data("kahan", 4096, seed)) for seed in range(20)]
    assert max(each.worst[0] for each in pairs) <= 0.5
    assert max(each.worst[1] for each in pairs) > 1.5


def test_errno_and_exceptions_are_seen() -> None:
    root, guarded = data("root", 100, 0), data("guarded", 100, 0)
    assert compare("root", BY_NAME["-fno-math-errno"], root).beside[0].startswith("errno 33")
    assert "errno" not in compare("root", BY_NAME["-fno-math-errno"], root).beside[1]
    trapping = BY_NAME["-fno-trapping-math"]
    # AVX-512 divides under a mask: what is thrown away is not computed, and raises nothing.
    masked = any("div" in line and "{%k" in line for line in functions(trapping.on)["guarded"])
    raised = "" if masked else "raises divide by zero"
    assert compare("guarded", trapping, guarded).beside == ["", raised]


def test_denormals_come_back() -> None:
    tiny = np.float32(1e-40)
    with flushing():
        assert tiny * np.float32(1) == 0
    assert tiny * np.float32(1) != 0


def test_the_code_that_is_shown_is_the_loop_that_runs_most() -> None:
    """On x86-64: eight numbers at a time where the order of a sum is free, and one where it is not."""
    strict, free = hot(functions(())["sum"]), hot(functions(("-fno-signed-zeros", "-fassociative-math"))["sum"])
    if any("xmm" in line for line in strict):
        assert any(line.startswith(("vaddss", "addss")) for line in strict)
        assert any(line.startswith(("vaddps", "addps")) for line in free)
    assert strict[0].endswith(":") and strict[0][:-1] in strict[-1]


def test_what_reads_nothing_is_the_loop_that_vanished() -> None:
    for flag in FLAGS:
        for loop in LOOPS:
            vanished = loop == "nans" and flag.name in ("-ffinite-math-only", "-ffast-math")
            assert compare(loop, flag, data(loop, 100, 0)).reads == (True, not vanished), (loop, flag.name)


@pytest.mark.parametrize(("loop", "refused"), [("halve", True), ("nans", False)])
def test_what_is_faster_than_the_first_cache_is_refused(
    loop: str, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, flag, taken = data(loop, 4096, 0), BY_NAME["-ffinite-math-only"], iter([1.0, 1e-6, 1e-3])
    monkeypatch.setattr("native.tensors.fast_math.together", lambda *_: [Timing(*[each] * 4, 1) for each in taken])
    with pytest.raises(ImpossibleError, match="with -ffinite-math-only") if refused else nullcontext():
        Clock(3).measure(loop, flag, compare(loop, flag, numbers), numbers)


@pytest.mark.alone
def test_a_run_measures_what_differs_and_nothing_else() -> None:
    undisturbed(lambda: list(run(Params(repetitions=3))), sums_in_another_order_are_faster)


def sums_in_another_order_are_faster(logs: list[list[Pair | Process]]) -> None:
    *pairs, last = logs[-1]
    assert isinstance(last, Process) and last.before[0] == "True" and last.after[0] == "False"
    assert last.after[-1] == "True"  # a thread that ran before
    final = pairs[-1]
    assert isinstance(final, Pair)
    assert set(np.unique(final.found)) == {SAME_CODE, SAME_RESULTS, OTHER_RESULTS}
    assert (np.isnan(final.speed) == (final.found == SAME_CODE)).all()
    assert len(pairs) == (final.found != SAME_CODE).sum()
    assert ((last.all_changed > 0) == (final.found == OTHER_RESULTS)).all()
    for pair in pairs:
        place = LOOPS.index(pair.stage), [*BY_NAME].index(pair.flag)
        assert pair.changed == last.all_changed[place] and (pair.error == last.all_errors[place]).all()
    assert final.speed[LOOPS.index("kahan"), [*BY_NAME].index("-fassociative-math")] > 4


def test_the_least_and_the_most_numbers() -> None:
    for count in (64, 65_536):
        pair = next(iter(run(Params(count=count, repetitions=3, seed=999))))
        assert isinstance(pair, Pair) and np.isfinite(pair.time).all()
