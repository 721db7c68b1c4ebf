"""What content/tensors/04-simd-and-ieee-754.mdx says, asked of the lab and of decimal arithmetic."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal

import numpy as np
from article import Article, recorded
from native.tensors.fast_math.data import changed, data, errors
from native.tensors.fast_math.kernel import FLAGS, LOOPS, once
from native.tensors.fast_math.listing import functions, hot, source
from native.tensors.fast_math.process import told

says = Article("tensors/04-simd-and-ieee-754.mdx").says
FAST = FLAGS[-1].on
REASSOCIATED = ("-fno-signed-zeros", "-fassociative-math")


def test_ten_loops_by_ten_flags() -> None:
    says("ten loops are compiled with one flag at a time", "grid of ten loops by ten compiler flags")
    assert len(LOOPS) == len(FLAGS) == 10


def test_four_sums_in_each_round() -> None:
    says("Four sums in each round bring a little in the first cache and hardly anything beyond it")
    found = recorded("tensors/simd_elementwise")[-1]
    assert found["ways"] == ["numbers", "numbers, 4 a step", "vectors", "vectors, 4 a step"]
    one, four = (found["speed"][:, [way, way + 2], 0, 1] for way in (0, 1))  # one or four a round; aligned; medians
    assert (four[0] / one[0] > 1.02).all() and (four[0] / one[0] < 1.35).all()
    assert (abs(four[1:] / one[1:] - 1) < 0.1).all()


def test_kahans_sum_becomes_the_plain_sum() -> None:
    says("is the plain sum, instruction by instruction", "`(next - s) - more`, where `next` is `s + more`")
    assert "lost = (next - s) - more;" in source("kahan")
    for seed in range(5):
        numbers = data("kahan", 4096, seed)
        ours, plain = (once(REASSOCIATED, loop, numbers)[0] for loop in ("kahan", "sum"))
        assert not changed(ours, plain).any()
    mine, other = (hot(functions(REASSOCIATED)[loop]) for loop in ("kahan", "sum"))
    assert [line.split()[0] for line in mine[1:]] == [line.split()[0] for line in other[1:]]


def test_many_short_sums_round_less() -> None:
    says("its error goes *down*", "many short sums round less than one long one")
    numbers = [data("sum", 4096, seed) for seed in range(30)]
    long, short = (
        np.mean([errors("sum", each, once(flags, "sum", each)[0]).max() for each in numbers])
        for flags in ((), REASSOCIATED)
    )
    assert short < long / 2


def test_there_are_three_nans_and_none_is_found() -> None:
    says("it returns 0, and there are three")
    found = [once(flags, "nans", data("nans", 4096, 0))[0][0] for flags in ((), ("-ffinite-math-only",))]
    assert found == [3, 0]


def test_a_zero_keeps_its_sign() -> None:
    says("$-0 + 0$ is $+0$, so now every $-0$ stays negative", "$1/{-0}$ is $-\\infty$")
    results, _, _ = once(("-fno-signed-zeros",), "plus_zero", numbers := data("plus_zero", 4096, 0))
    assert (np.signbit(results) == np.signbit(numbers.x)).all()
    with np.errstate(divide="ignore"):
        assert np.float32(1) / np.float32(-0.0) == -np.inf


def test_flags_that_change_no_result() -> None:
    says("Two flags change no result here", "with the same bits", "Clang does so unless told otherwise")
    for flag in FLAGS:
        if flag.name in ("-fno-math-errno", "-fno-trapping-math"):
            for loop in LOOPS:
                one, other = (once(flags, loop, data(loop, 1000, 1))[0] for flags in (flag.off, flag.on))
                assert not changed(one, other).any()


def test_python_without_denormals() -> None:
    says("`5e-324 > 0` becomes False", "have the difference 0", "A thread that ran before keeps its arithmetic")
    lines, before, after = told()
    assert dict(zip(lines, after, strict=True))["5e-324 > 0"] == "False"
    assert float(dict(zip(lines, after, strict=True))["2.3e-308 - 2.25e-308"]) == 0 < float(before[2])
    assert after[-2:] == ["False", "True"] and before[-2:] == ["True", "True"]


def test_three_digits_by_hand() -> None:
    says("$1000 + 4 + 4$ from left to right")
    three = Context(prec=3, rounding=ROUND_HALF_UP)
    big, small = Decimal(1000), Decimal(4)
    assert three.add(three.add(big, small), small) == 1000
    assert three.add(big, three.add(small, small)) == 1010
    s, lost = big, Decimal(0)
    carried = []
    for x in (small, small):
        more = three.subtract(x, lost)
        following = three.add(s, more)
        lost = three.subtract(three.subtract(following, s), more)
        s = following
        carried.append(lost)
    assert carried[0] == -4 and s == 1010
