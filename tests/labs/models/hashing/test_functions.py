"""Hash functions against published vectors, big integers and CPython itself; key streams against their promise."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from labs.bits.hash_quality import mixers, spread
from labs.bits.hash_quality.siphash import siphash13
from labs.models.hashing.functions import GOLDEN, PRIME, choose
from labs.models.hashing.keys import NUMBERS, fnv1a, stream

PATTERNS = [*NUMBERS, "words", "letters"]


def words(*numbers: int) -> mixers.Words:
    return np.array(numbers, np.uint64)


def test_fnv_vectors_of_its_authors() -> None:
    assert fnv1a(b"") == 0x811C9DC5
    assert fnv1a(b"a") == 0xE40C292C
    assert fnv1a(b"foobar") == 0xBF9CF968
    numbers = np.random.default_rng(0).integers(0, 2**32, 500, dtype=np.uint64)
    assert mixers.fnv1a(numbers).tolist() == [fnv1a(int(n).to_bytes(4, "little")) for n in numbers]


def test_splitmix_vectors() -> None:
    """The first outputs of the generator from seed 0, of Vigna's reference implementation."""
    state = [k * 0x9E3779B97F4A7C15 % 2**64 for k in range(3)]
    assert mixers.splitmix64(words(*state)).tolist() == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


def test_murmur_finaliser() -> None:
    def fmix32(h: int) -> int:
        h ^= h >> 16
        h = h * 0x85EBCA6B % 2**32
        h ^= h >> 13
        h = h * 0xC2B2AE35 % 2**32
        return h ^ h >> 16

    numbers = np.random.default_rng(0).integers(0, 2**32, 500, dtype=np.uint64)
    assert mixers.murmur3(numbers).tolist() == [fmix32(int(n)) for n in numbers]
    assert mixers.murmur3(words(0, 1)).tolist() == [0, 0x514E28B7]  # MurmurHash3_x86_32 of nothing, seeds 0 and 1


def test_whole_numbers_as_in_cpython() -> None:
    numbers = [0, 1, 2**31, 2**61 - 2, 2**61 - 1, 2**61, 2**64 - 1]
    assert mixers.cpython_int(words(*numbers)).tolist() == [hash(n) for n in numbers]


def test_words_as_in_cpython() -> None:
    texts = ["a", "hello", "exactly8", "seventeen letters", "x" * 64]
    code = f"print(*(hash(text) % 2**64 for text in {texts!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": "0"}, capture_output=True, check=True
    )
    assert [siphash13(text.encode(), 0, 0) for text in texts] == [int(n) for n in done.stdout.split()]


def test_multiplication_is_knuths_in_exact_arithmetic() -> None:
    function = choose("multiplication", 0)
    rng = random.Random(0)
    for _ in range(500):
        key, slots = rng.randrange(PRIME), rng.randrange(8, 129)
        assert function.slot(key, slots) == int(Fraction(key * GOLDEN, 2**32) % 1 * slots)
    assert pow(GOLDEN, -1, 2**32) * GOLDEN % 2**32 == 1
    assert abs(2**32 / GOLDEN - (1 + 5**0.5) / 2) < 1e-9


@pytest.mark.parametrize("name", ["division", "multiplication", "universal"])
def test_arrays_and_single_keys_have_the_same_slots(name: str) -> None:
    keys = np.random.default_rng(1).integers(0, PRIME, 1000, dtype=np.uint64)
    function = choose(name, 9)
    for slots in (64, 512):
        assert mixers.bucket(name, keys, slots, 9).tolist() == [function.slot(int(k), slots) for k in keys]


def test_universal_collides_for_no_pair_more_often_than_one_in_m() -> None:
    """Over the draws of a and b, for pairs chosen to be nasty; five standard errors of room."""
    m, draws = 32, 4000
    functions = [choose("universal", seed) for seed in range(draws)]
    assert len({(f.a, f.b) for f in functions}) == draws and all(f.a for f in functions)
    for one, other in [(0, 32), (5, 5 + 32 * 1000), (1, 2), (0, PRIME - 1), (2**20, 2**30)]:
        share = sum(f.slot(one, m) == f.slot(other, m) for f in functions) / draws
        assert share < 1 / m + 5 * (1 / m / draws) ** 0.5
        assert share > 0  # and it is no promise that they differ


@pytest.mark.parametrize("pattern", PATTERNS)
def test_streams_are_their_seeds_and_stay_below_the_prime(pattern: str) -> None:
    first = list(itertools.islice(stream(pattern, 32, 4), 500))
    assert first == list(itertools.islice(stream(pattern, 32, 4), 500))
    numbers = [key.number for key in first]
    assert all(0 <= number < PRIME for number in numbers)
    assert (len(set(numbers)) == 500) == (pattern != "zipf")


@pytest.mark.parametrize(("pattern", "name"), [("against_division", "division"), ("against_multiplication",) * 2])
def test_attacks_share_one_slot(pattern: str, name: str) -> None:
    name = name.removeprefix("against_")
    for slots in (8, 31, 64, 128):
        numbers = [key.number for key in itertools.islice(stream(pattern, slots, 2), 200)]
        assert len({choose(name, 0).slot(number, slots) for number in numbers}) == 1
        assert len({choose("universal", 1).slot(number, slots) for number in numbers}) > slots / 3


def test_zipf_is_steep() -> None:
    numbers = [key.number for key in itertools.islice(stream("zipf", 32, 0), 1000)]
    counts = sorted((numbers.count(n) for n in set(numbers)), reverse=True)
    assert counts[0] > 1.5 * counts[1] > 0 and counts[0] == pytest.approx(1000 / 4.74, rel=0.25)  # H(64) = 4.74


# -- spread


def test_poisson_and_chi_squared_as_in_scipy() -> None:
    from scipy import stats

    counts = np.random.default_rng(0).poisson(4, 128)
    assert spread.poisson(4, 20) == pytest.approx(stats.poisson.pmf(range(21), 4), rel=1e-5)
    assert spread.chi_squared(counts) == pytest.approx(stats.chisquare(counts).statistic)
    for mean, buckets in ((0.3, 64), (1, 512), (8, 61)):
        k = spread.longest_by_chance(mean, buckets)
        assert stats.poisson.cdf(k, mean) ** buckets >= 0.5 > stats.poisson.cdf(k - 1, mean) ** buckets


def test_avalanche_by_single_keys() -> None:
    table = spread.avalanche("murmur3", 64, 5)
    assert table.shape == (31, 6) and abs(table.mean() - 0.5) < 0.01
    plain = spread.avalanche("division", 64, 5)
    expected = np.zeros((31, 6))
    np.fill_diagonal(expected, 1)
    assert (plain == expected).all()
    assert spread.avalanche("division_prime", 64, 5).shape == (31, 6)


@pytest.mark.parametrize("name", mixers.Mixer.__args__)
def test_any_known_function_can_be_attacked(name: mixers.Mixer) -> None:
    keys, tried = spread.attack(name, 128, 3, 256)
    assert len(set(keys.tolist())) == 256 and len(set(mixers.bucket(name, keys, 128, 3))) == 1
    assert tried == keys.max() + 1


def test_primes() -> None:
    assert [mixers.prime_below(n) for n in (64, 128, 256, 512)] == [61, 127, 251, 509]
