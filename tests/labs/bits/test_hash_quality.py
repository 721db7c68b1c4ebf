"""Buckets beside chance, and attacks: against counting, scipy, and what is known of each function."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import numpy as np
import pytest
from labs.bits.hash_quality import DRAWS, Params, Picture, run
from labs.bits.hash_quality.mixers import Mixer
from labs.models.hashing.keys import stream

STAGES = ["fill"] * 12 + ["sizes", "avalanche", "attack", "fresh"]
FIXED = ["division", "division_prime", "multiplication", "fnv1a", "murmur3", "splitmix64", "cpython"]


def pictures(**params: Any) -> list[Picture]:
    return list(run(Params(**params)))


def last(**params: Any) -> Picture:
    return pictures(**params)[-1]


@pytest.mark.parametrize("function", Mixer.__args__)
@pytest.mark.parametrize("pattern", ["random", "powers", "words", "against_division"])
def test_every_function_fills_and_counts(function: Any, pattern: Any) -> None:
    found = pictures(function=function, pattern=pattern, buckets=64, mean=3)
    assert [picture.stage for picture in found] == STAGES
    for picture in found:
        assert picture.counts.sum() == picture.keys and len(picture.counts) == picture.buckets
        assert picture.longest == picture.counts.max() and picture.empty == (picture.counts == 0).sum()
    final = found[-1]
    assert final.keys == 3 * final.buckets
    assert dict(enumerate(final.sizes)) == {
        size: Counter(final.counts.tolist())[size] for size in range(final.longest + 1)
    }
    assert final.sizes_by_chance.sum() <= final.buckets * 1.0001
    assert final.fresh_longest.shape == (DRAWS,) and final.fresh_counts.sum() == final.attack_counts.sum() == 256


def test_division_is_counting_remainders() -> None:
    final = last(function="division", pattern="random", buckets=256, mean=2, seed=5)
    keys = islice(stream("random", 256, 5), 512)
    assert final.counts.tolist() == np.bincount([key.number % 256 for key in keys], minlength=256).tolist()


@pytest.mark.parametrize("function", Mixer.__args__)
def test_random_keys_fall_as_chance_has_them(function: Any) -> None:
    from scipy import stats

    final = last(function=function, pattern="random", buckets=256, mean=4, seed=2)
    assert 1e-4 < stats.chi2.sf(final.chi_squared, final.freedom) < 1 - 1e-4
    assert final.chi_squared == pytest.approx(stats.chisquare(final.counts).statistic)


@pytest.mark.parametrize("pattern", ["sequential", "multiples", "pages", "powers", "clustered", "against_division"])
@pytest.mark.parametrize("function", ["murmur3", "splitmix64"])
def test_a_good_mixer_makes_chance_of_any_pattern(function: Any, pattern: Any) -> None:
    chis = [last(function=function, pattern=pattern, buckets=128, seed=seed).chi_squared for seed in range(5)]
    assert abs(np.mean(chis) - 127) < 6 * (2 * 127 / 5) ** 0.5


def test_a_power_of_two_keeps_what_division_by_a_prime_spreads() -> None:
    for pattern, used in (("multiples", 16), ("pages", 1)):
        assert last(function="division", pattern=pattern, buckets=128).empty == 128 - used
        assert last(function="cpython", pattern=pattern, buckets=128).empty == 128 - used
        assert last(function="division_prime", pattern=pattern, buckets=128).empty == 0


def test_words_fall_as_chance_has_them_under_siphash() -> None:
    for seed in range(3):
        final = last(function="cpython", pattern="words", seed=seed)
        assert abs(final.chi_squared - 127) < 5 * (2 * 127) ** 0.5
    one, other = (last(function="cpython", pattern="words", seed=seed).counts for seed in (0, 1))
    assert one.tolist() != other.tolist()


@pytest.mark.parametrize("function", FIXED)
def test_an_attack_breaks_a_fixed_function_and_not_the_family(function: Any) -> None:
    final = last(function=function)
    assert final.attack_longest == 256
    assert np.median(final.fresh_longest) <= 10


@pytest.mark.parametrize(("function", "mean"), [("murmur3", 0.5), ("splitmix64", 0.5), ("division", 1 / 31)])
def test_avalanche(function: Any, mean: float) -> None:
    final = last(function=function)
    assert final.avalanche_mean == pytest.approx(mean, abs=0.01)
    assert len(final.avalanche) == 31 * final.index_bits
