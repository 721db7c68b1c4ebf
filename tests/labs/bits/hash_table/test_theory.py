"""Theory against other forms of itself, and the tables against theory over many seeds."""

from __future__ import annotations

import itertools
import math
import random
import statistics

import pytest
from labs.bits.hash_table import theory
from labs.bits.hash_table.make import make
from labs.bits.hash_table.survey import hits, misses
from labs.models.hashing.functions import choose
from labs.models.hashing.keys import Key

SCHEMES = ["chaining", "linear", "quadratic", "double", "robin_hood"]
CURVES = {
    "chaining": (lambda a: 1 + a / 2, lambda a: a + math.exp(-a)),
    "linear": (lambda a: (1 + 1 / (1 - a)) / 2, lambda a: (1 + 1 / (1 - a) ** 2) / 2),
    "quadratic": (lambda a: 1 - math.log(1 - a) - a / 2, lambda a: 1 / (1 - a) - a - math.log(1 - a)),
    "double": (lambda a: math.log(1 / (1 - a)) / a, lambda a: 1 / (1 - a)),
    "robin_hood": (lambda a: (1 + 1 / (1 - a)) / 2, lambda a: (1 + 1 / (1 - a)) / 2 + a / 2),
}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("load", [0.25, 0.5, 0.75, 0.9])
def test_in_a_large_table_the_sums_become_the_known_curves(scheme: str, load: float) -> None:
    m = 50_000
    hit, miss = CURVES[scheme]
    assert theory.hit(scheme, round(load * m), m) == pytest.approx(hit(load), rel=0.01)
    assert theory.miss(scheme, round(load * m), m) == pytest.approx(miss(load), rel=0.01)


def test_small_linear_tables_by_counting_every_case() -> None:
    m = 5
    for n in range(1, m):
        found, missed = [], []
        for homes in itertools.product(range(m), repeat=n):
            taken: set[int] = set()
            cost = 0
            for home in homes:
                away = next(k for k in range(m) if (home + k) % m not in taken)
                taken.add((home + away) % m)
                cost += away + 1
            found.append(cost / n)
            missed += [next(k for k in range(m) if (home + k) % m not in taken) + 1 for home in range(m)]
        assert theory.hit("linear", n, m) == pytest.approx(statistics.fmean(found))
        assert theory.miss("linear", n, m) == pytest.approx(statistics.fmean(missed))


def test_small_chains_by_counting_every_case() -> None:
    m, n = 3, 4
    missed = [max(1, homes.count(slot)) for homes in itertools.product(range(m), repeat=n) for slot in range(m)]
    assert theory.miss("chaining", n, m) == pytest.approx(statistics.fmean(missed))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_tables_over_many_seeds(scheme: str) -> None:
    """The mean over the tables lies within five of its own standard errors of theory, plus two percent, which is
    how far Knuth's curves for quadratic probing and random steps are from any real rule."""
    m, tables = 509, 60
    for load in (0.5, 0.8, 0.9):
        found, missed = [], []
        for seed in range(tables):
            rng = random.Random(f"{scheme} {load} {seed}")
            keys = [Key(number, "") for number in rng.sample(range(2**31 - 1), round(load * m) + 60)]
            table = make(scheme, m, choose("universal", seed))
            for key in keys[60:]:
                table.insert(key, 0)
            found.append(hits(table))
            missed.append(misses(table, keys[:60]))
        n = round(load * m)
        for values, expected in ((found, theory.hit(scheme, n, m)), (missed, theory.miss(scheme, n, m))):
            assert expected is not None
            error = statistics.stdev(values) / math.sqrt(tables)
            assert abs(statistics.fmean(values) - expected) < 5 * error + 0.02 * expected, (load, expected)


def test_where_there_is_no_such_number() -> None:
    assert theory.hit("linear", 0, 8) is None and theory.hit("double", 9, 8) is None
    assert theory.miss("linear", 8, 8) is None and theory.miss("chaining", 20, 8) is not None
    assert theory.hit("linear", 8, 8) is not None
