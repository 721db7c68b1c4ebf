"""What content/tensors/03-memory-reuse.mdx says, asked of the lab."""

from __future__ import annotations

from math import sqrt
from typing import Any

import pytest
from article import Article
from labs.tensors.buffer_pool import Params, Picture, run

says = Article("tensors/03-memory-reuse.mdx").says
NO_REUSE, POWERS, BEST_FIT, ARENA = range(4)


def pictures(**params: Any) -> list[Picture]:
    return list(run(Params(**params)))


def test_one_more_example() -> None:
    says(
        "takes 1.51 times as much memory",
        "needs less than one percent more",
        "takes 2.42 times what the network needs",
    )
    before, after = pictures(batch=128)[-1], pictures()[-1]
    assert Params().batch == 129 and Params().depth == 4 and Params().width == 64
    assert round(float(before.times[POWERS]), 2) == 1.51
    assert round(float(after.times[POWERS]), 2) == 2.42
    assert 1 < after.bound / before.bound < 1.01
    says("one more example in a batch can raise it by more than half")
    assert after.reserved[POWERS] > 1.5 * before.reserved[POWERS]


def test_the_second_step_asks_the_system_for_nothing() -> None:
    says("our loop asks 70 times", "for 30 of these requests, and in the second step for none")
    one, two = pictures(steps=1)[-1], pictures()[-1]
    assert one.moments == 70 and two.moments == 140
    assert 70 - one.hits[POWERS] == 30 == 140 - two.hits[POWERS]
    says("each further step would add as much again")
    assert two.reserved[NO_REUSE] == 2 * one.reserved[NO_REUSE]


def test_the_peak_comes_early_in_the_backward_pass() -> None:
    says("early in the backward pass, at the 30th request")
    log = pictures(steps=1)
    peak = max(log, key=lambda one: one.alive)
    assert peak is log[29] and peak.stage == "backward"
    backward = [one.moment for one in log if one.stage == "backward"]
    assert backward.index(29) < len(backward) / 2
    activations = [
        size for size, died, stage in zip(peak.asked, peak.died, peak.stages, strict=True) if died < 0 and not stage
    ]
    assert activations.count(129 * 64 * 4) >= 4


def test_what_rounding_takes() -> None:
    says("which is 32 KiB", "has 256 bytes more", "a block of 64 KiB", "49.6 % are unused")
    assert 128 * 64 * 4 == 32 * 1024 and 129 * 64 * 4 == 32 * 1024 + 256
    last = pictures()[-1]
    blocks = {held for asked, held in zip(last.asked, last.held, strict=True) if asked == 129 * 64 * 4}
    assert blocks == {64 * 1024}
    assert round(100 * (1 - 33024 / 65536), 1) == 49.6


def test_lists_do_not_lend() -> None:
    says("During the update the activations are gone", "goes to the system for blocks of 16 KiB")
    log = pictures(steps=1)
    asked = [
        (one.held[-1], one.reserved[POWERS] - one.bound) for one in log if one.stage == "update" and not one.hit
    ]
    assert any(held == 16 * 1024 for held, _ in asked)


def test_best_fit() -> None:
    says("does not care whether the batch has 128 examples or 129", "takes 1.32 times the bound")
    assert float(pictures(batch=128)[-1].times[BEST_FIT]) == pytest.approx(
        float(pictures()[-1].times[BEST_FIT]), abs=0.01
    )
    assert round(float(pictures(splits=False)[-1].times[BEST_FIT]), 2) == 1.32


def test_the_plan_is_perfect_here() -> None:
    says("This plan is perfect")
    last = pictures(policy="arena")[-1]
    assert last.reserved[ARENA] == last.bound


def test_keeping_less_lowers_the_bound_until_it_raises_it() -> None:
    says("falls from 740,160 bytes to 593,472", "it rises again, to 643,392", "about the square root of the depth")
    bounds = {keep: pictures(depth=8, batch=256, keep=keep, steps=1)[-1].bound for keep in (1, 2, 3, 4)}
    assert (bounds[1], bounds[3], bounds[4]) == (740_160, 593_472, 643_392)
    assert min(bounds, key=lambda keep: bounds[keep]) == round(sqrt(8))
