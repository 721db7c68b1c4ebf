"""The pictures of a table: whole, consistent, right without a mistake, contradicted with one."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.bits.hash_table import Params, Picture, glances, run, theory
from labs.contract import pack
from labs.models.hashing.functions import choose
from labs.models.hashing.keys import NUMBERS

SCHEMES = ["chaining", "linear", "quadratic", "double", "robin_hood"]
PATTERNS = list(NUMBERS)


def pictures(**params: Any) -> list[Picture]:
    return list(run(Params(**params)))


def stages(found: list[Picture], stage: str) -> list[Picture]:
    return [picture for picture in found if picture.stage == stage and picture.outcome != "looking"]


@settings(max_examples=60)
@given(
    st.sampled_from(["direct", *SCHEMES]),
    st.sampled_from(["division", "multiplication", "universal"]),
    st.sampled_from([*PATTERNS, "words", "letters"]),
    st.integers(8, 64),
    st.integers(5, 150),
    st.booleans(),
    st.integers(50, 95),
    st.integers(0, 1000),
)
def test_without_a_mistake_no_answer_is_wrong(
    collisions: Any, name: Any, keys: Any, slots: int, load: int, grow: bool, limit: int, seed: int
) -> None:
    found = pictures(
        collisions=collisions, hash=name, keys=keys, slots=slots, load=load, grow=grow, limit=limit, seed=seed
    )
    assert found[-1].wrong == 0 and all(picture.right for picture in found)
    for picture in found:
        entries = len(picture.names)
        assert picture.place.shape == picture.home.shape == picture.probes.shape == (entries,)
        assert picture.runs.shape == (picture.slots,)
        assert picture.load == entries / picture.slots
        assert len(picture.path) == len(picture.depths)
        assert len(json.dumps(pack(picture))) < 64 * 1024
        if collisions != "chaining":
            assert len(set(picture.place.tolist())) == entries <= picture.slots
            assert set(np.flatnonzero(picture.runs)) == {*picture.place.tolist(), *picture.tombstones.tolist()}
        if picture.target is not None and len(picture.path):
            assert picture.path[0] == picture.target
    if grow:
        for picture in found:
            assert 100 * len(picture.names) <= limit * picture.slots or picture.slots == 8


def test_every_operation_is_the_same_run_without_what_lies_between() -> None:
    for scheme in SCHEMES:
        probes, operations = (pictures(collisions=scheme, every=every) for every in ("probe", "operation"))
        ends = [pack(picture) for picture in probes if picture.outcome != "looking"]
        assert ends == [pack(picture) for picture in operations]
        assert len(probes) > len(operations)


def test_between_two_operations_the_table_stands_still() -> None:
    found = pictures()
    for before, after in itertools.pairwise(found):
        if after.outcome == "looking":
            assert after.names == before.names and after.operations == before.operations
            if len(after.path) > 1:
                assert after.path[: len(before.path)].tolist() == before.path.tolist()


def test_long_searches_are_shown_in_leaps() -> None:
    assert glances(0) == glances(1) == [] and glances(2) == [1] and glances(5) == [1, 2, 3, 4]
    assert len(glances(128)) == 12 and glances(128)[0] == 1 and glances(128)[-1] < 128


def test_the_mean_of_the_searches_is_that_of_the_entries() -> None:
    for picture in stages(pictures(collisions="double", load=90), "insert"):
        assert picture.hit[-1] == pytest.approx(picture.probes.mean())
        assert picture.at[-1] == pytest.approx(picture.load)


def test_curves_are_theory_for_tables_of_this_size() -> None:
    picture = pictures(slots=64)[-1]
    for a, hit, miss in zip(picture.axis, picture.hit_expected, picture.miss_expected, strict=True):
        n = round(float(a) * 64)
        assert hit == pytest.approx(theory.hit("linear", n, 64))
        assert (np.isnan(miss) and n == 64) or miss == pytest.approx(theory.miss("linear", n, 64))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_many_tables_lie_near_theory(scheme: Any) -> None:
    last = pictures(collisions=scheme, hash="universal", slots=128, load=70, seed=3)[-1]
    assert last.stage == "many"
    assert last.many_hit[-1] == pytest.approx(last.many_hit_expected, rel=0.2)
    assert last.many_miss[-1] == pytest.approx(last.many_miss_expected, rel=0.45)


def test_letters_are_found_and_an_underscore_is_refused() -> None:
    found = pictures(collisions="direct", keys="letters", slots=26, load=100)
    assert sorted(stages(found, "insert")[-1].names) == [chr(c) for c in range(97, 123)]
    assert next(picture.key for picture in found if picture.outcome == "refused") == "_"


# -- the mistakes: each is contradicted by a dict, and only where it can be


def wrong(**params: Any) -> list[str]:
    found = pictures(**params)
    assert found[-1].wrong == sum(not picture.right for picture in found)
    return [picture.text for picture in found if not picture.right]


@pytest.mark.parametrize("scheme", ["linear", "quadratic", "double", "robin_hood"])
def test_delete_without_a_tombstone_loses_keys(scheme: Any) -> None:
    lost = wrong(collisions=scheme, load=90, no_tombstones=True)
    assert lost and all("the key is not there, but a dict has it" in text for text in lost)
    assert not wrong(collisions="chaining", load=90, no_tombstones=True)


@pytest.mark.parametrize("scheme", ["linear", "quadratic", "double", "robin_hood"])
def test_a_silent_full_table_loses_keys(scheme: Any) -> None:
    lost = wrong(collisions=scheme, load=110, silent_when_full=True)
    assert len(lost) == 3 and all("the table says nothing" in text for text in lost)
    assert not wrong(collisions=scheme, load=100, silent_when_full=True)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_inserting_blindly_finds_the_old_value(scheme: Any) -> None:
    assert any("but a dict" in text for text in wrong(collisions=scheme, insert_blindly=True, keys="zipf", seed=2))
    again = stages(pictures(collisions=scheme, insert_blindly=True), "update")[0]
    assert "now in the table 2 times" in again.text


def test_universal_without_the_last_mod_finds_no_slot() -> None:
    found = pictures(hash="universal", no_last_mod=True)
    assert not found[-1].names and {picture.outcome for picture in found[:-1]} == {"refused"}
    function = choose("universal", 1)
    share = sum((function.a * k + function.b) % (2**31 - 1) < 32 for k in range(100_000)) / 100_000
    assert share < 1e-3


def test_the_underscore_gets_the_value_of_y() -> None:
    texts = wrong(collisions="direct", keys="letters", slots=26, load=100, negative_index=True)
    assert any(text.startswith("To look for _: 1 probe, found in slot 24") for text in texts)


def test_ord_takes_one_character() -> None:
    (only,) = pictures(keys="words", ord_of_key=True)
    with pytest.raises(TypeError, match=r"ord\(\) expected a character, but string of length"):
        ord(only.key)
    assert only.outcome == "refused" and "TypeError" in only.text
    assert len(pictures(keys="random", ord_of_key=True)) > 1
