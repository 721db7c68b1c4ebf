"""What content/bits/04-hash-tables.mdx says, asked of the labs, of their recordings and of Python itself.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import article
import numpy as np
import pytest
from article import Article
from labs.bits import hash_quality, hash_table
from labs.bits.hash_table import theory
from labs.bits.hash_table.make import make
from labs.models.hashing.functions import choose
from labs.models.hashing.keys import Key

ROOT = Path(__file__).parents[2]
ARTICLE = Article("bits/04-hash-tables.mdx")
says = ARTICLE.says


@lru_cache(maxsize=64)
def table(**params: Any) -> list[hash_table.Picture]:
    return list(hash_table.run(hash_table.Params(**params)))


def quality(**params: Any) -> hash_quality.Picture:
    *_, last = hash_quality.run(hash_quality.Params(**params))
    return last


def recorded(lab: str, name: str = "default") -> dict[str, Any]:
    """The last picture of a recording."""
    return article.recorded(f"bits/{lab}", name)[-1]


def step(n: int) -> hash_table.Picture:
    return table()[n - 1]


def test_the_opening() -> None:
    says(
        "Put 32 keys into a table with 64 slots.", "the keys lie 64 apart, so all of them leave the same remainder."
    )
    attacked, defended = recorded("hash_table", "attacked"), recorded("hash_table", "defended")
    assert len({int(name) % 64 for name in attacked["names"]}) == 1 and int(attacked["names"][0]) % 64 != 0
    assert attacked["slots"] == 64 and attacked["many_hit"][-1] == (32 + 1) / 2
    assert len(attacked["many_hit"]) == 12  # the article takes number 11
    assert defended["many_hit"][-1] < 2


def test_the_underscore() -> None:
    says('`ord("_") - 97` is −2', "the answer is the count of `y`", "is found in slot 24")
    assert ord("_") - 97 == -2 and ord("y") - 97 == 24 == 26 - 2
    found = table(collisions="direct", keys="letters", slots=26, load=100, negative_index=True)
    assert any("To look for _: 1 probe, found in slot 24" in picture.text for picture in found)


def test_multiplication_in_32_bits() -> None:
    says("`k * 2654435769 mod 2**32`")
    assert abs(2654435769 / 2**32 - 2 / (1 + 5**0.5)) < 1e-9


def test_the_steps_that_the_article_names() -> None:
    says("the slot of the fourteenth key is taken, with 19 of 32 slots still free")
    assert step(14).outcome == "looking" and len(step(14).names) == 13
    assert all(picture.outcome == "stored" for picture in table()[:13])
    says("its home is slot 17, and it comes to rest in 31 after fifteen probes")
    last = step(66)
    assert (last.target, last.path[-1], len(last.path), last.outcome) == (17, 31, 15, "stored")
    assert table()[66].stage == "update"
    says("9783 is deleted", "5493 is still found, beyond three of them")
    assert step(89).stage == "delete" and step(89).key == "9783" and step(89).tombstones.tolist() == [23]
    assert step(95).key == "5493" and step(95).outcome == "found" and len(step(95).tombstones) == 3


def test_deleting_without_a_tombstone() -> None:
    says(
        "looks at slot 21, finds it empty and reports that 5493 is not there, although it stands three slots "
        "further on"
    )
    wrong = next(picture for picture in table(no_tombstones=True) if not picture.right)
    assert wrong.key == "5493" and wrong.path.tolist() == [21]
    assert wrong.place[wrong.names.index("5493")] == 24


def test_quadratic_probing_misses_slots() -> None:
    says("the table must refuse a key while other slots are empty")
    found = table(collisions="quadratic", slots=31, load=100, keys="against_division")
    assert any(picture.outcome == "full" for picture in found) and len(found[-1].names) < 31
    assert recorded("hash_table", "quadratic_prime")["longest"] == len({k * (k + 1) // 2 % 31 for k in range(31)})


def test_the_table_of_theory() -> None:
    says("At half load linear probing needs 2.5 probes to miss a key, at 90 % it needs 50.5")
    says("at 99 % more than five thousand")

    def linear(a: float) -> float:
        return (1 + 1 / (1 - a) ** 2) / 2

    assert [linear(a) for a in (0.5, 0.9)] == pytest.approx([2.5, 50.5]) and linear(0.99) > 5000
    says("at 90 % load 5.95 probes", "only $\\alpha/2$ more than finding one")
    assert pytest.approx(5.95) == (1 + 1 / 0.1) / 2 + 0.45
    m = 100_000
    assert theory.miss("robin_hood", 90_000, m) == pytest.approx(5.95, rel=0.01)


def test_keys_in_sequence_are_better_than_chance() -> None:
    says("one probe each, far below every curve")
    assert table(keys="sequential", hash="division")[-1].many_hit.max() == 1


def test_robin_hood_shares_the_cost() -> None:
    says("The total of all costs stays exactly the same")
    fills = [
        [picture for picture in table(collisions=scheme) if picture.stage == "insert"][-1]
        for scheme in ("linear", "robin_hood")
    ]
    assert fills[0].probes.sum() == fills[1].probes.sum()
    linear, robin = recorded("hash_table"), recorded("hash_table", "robin_hood")
    assert robin["longest"] < linear["longest"] / 3


def test_growing_moves_about_half_and_costs_less_than_n() -> None:
    says("is a different place from $k \\bmod m$ about half of the time")
    keys = np.random.default_rng(0).integers(0, 2**31, 10_000)
    assert np.mean(keys % 128 != keys % 64) == pytest.approx(0.5, abs=0.02)
    says("less than $n$ together")
    assert sum(2**k for k in range(20)) < 2**20


def test_the_buckets() -> None:
    says("only the lowest seven matter, three of them are always zero", "more even than chance")
    plain = recorded("hash_quality")
    assert plain["buckets"] == 128 and plain["empty"] == 128 - 2**4
    assert quality(function="division_prime", pattern="multiples").chi_squared == 0
    says("chance, whatever the keys")
    for pattern in ("multiples", "pages", "sequential", "powers", "against_division"):
        chi = quality(function="murmur3", pattern=pattern).chi_squared
        assert abs(chi - 127) < 5 * math.sqrt(2 * 127)
    assert quality(function="murmur3").avalanche_mean == pytest.approx(0.5, abs=0.01)
    says("It works as well against Murmur as against division.")
    assert quality(function="murmur3").attack_longest == quality(function="division").attack_longest == 256


def test_a_draw_can_be_unlucky() -> None:
    says("a choice can be unlucky")
    longest = recorded("hash_quality")["fresh_longest"]
    assert len(longest) == 50 and longest.max() > 3 * np.median(longest)


def test_universal_without_the_last_step() -> None:
    says("points far outside the table")
    assert {picture.outcome for picture in table(hash="universal", no_last_mod=True)[:-1]} == {"refused"}


def test_cpython() -> None:
    says("A small whole number is its own hash")
    assert [hash(k) for k in (0, 1, 4096, 2**60)] == [0, 1, 4096, 2**60]
    says("a `dict` starts with 8, and the sixth key makes it grow")
    grown, size = [], None
    for count in range(1, 12):
        now = sys.getsizeof(fill(count))
        if size is not None and now != size:
            grown.append(count)
        size = now
    assert grown == [6, 11]  # 5 of 8, 10 of 16
    says("$5j + 1$ alone visits every slot, because their number is a power of two")
    for slots in (8, 64, 4096):
        assert {slot for _, slot in zip(range(slots), followed(slots), strict=False)} == set(range(slots))
    says('why `hash("a")` differs from run to run')
    runs = {
        subprocess.run([sys.executable, "-c", "print(hash('a'))"], env={}, capture_output=True, check=True).stdout
        for _ in range(3)
    }
    assert len(runs) > 1


def followed(slots: int) -> Iterator[int]:
    """The slots that a search looks at when nothing of the hash is left."""
    slot = 0
    while True:
        yield slot
        slot = (5 * slot + 1) % slots


def fill(count: int) -> dict[int, int]:
    """Key by key: a dict that is made in one go knows beforehand how many slots it needs."""
    grown: dict[int, int] = {}
    for key in range(count):
        grown[key] = key
    return grown


# -- exercises


def test_exercise_by_hand() -> None:
    says("3 goes to slot 3, 11 to 4, 19 to 5", "on average $9/4 = 2.25$")
    small = make("linear", 8, choose("division", 0))
    traces = [small.insert(Key(number, str(number)), 0) for number in (3, 11, 19, 4)]
    assert [trace.slot for trace in traces] == [3, 4, 5, 6]
    assert [len(trace.probes) for trace in traces] == [1, 2, 3, 3]


def test_exercise_who_misses_best() -> None:
    robin, double, linear = (
        recorded("hash_table", f"crowded{name}")["many_miss"][-1] for name in ("_robin_hood", "_double", "")
    )
    assert robin < double < linear
    says("The first and the last have the very same taken slots.")
    places = [
        sorted([picture for picture in found if picture.stage == "insert"][-1].place.tolist())
        for found in (
            table(collisions=scheme, slots=128, load=90, hash="universal", every="operation")
            for scheme in ("linear", "robin_hood")
        )
    ]
    assert places[0] == places[1]


def test_exercise_pages() -> None:
    says("All but one. $4096 = 32 \\cdot 128$")
    assert quality(function="division", pattern="pages", buckets=128).empty == 127
    assert quality(function="division_prime", pattern="pages", buckets=128).empty == 0
    assert quality(function="division", pattern="pages", buckets=512).empty == 511
    assert quality(function="cpython", pattern="pages", buckets=128).empty == 127
