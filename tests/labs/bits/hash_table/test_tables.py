"""Every kind of table against a plain dict, and its probes against brute force."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.bits.hash_table.chained import Chained
from labs.bits.hash_table.clusters import clusters
from labs.bits.hash_table.make import grown, make
from labs.bits.hash_table.open_addressing import OpenAddressing
from labs.bits.hash_table.robin_hood import RobinHood
from labs.bits.hash_table.table import Mistakes, Table
from labs.models.hashing.functions import HashFunction, choose
from labs.models.hashing.keys import Key

SCHEMES = ["chaining", "linear", "quadratic", "double", "robin_hood"]
OPEN = SCHEMES[1:]
OPERATIONS = 10_000
SLOTS = 64


def key(number: int) -> Key:
    return Key(number, str(number))


def agree(table: Table, truth: dict[int, int]) -> None:
    assert {stored.entry.key.number: stored.entry.value for stored in table.entries()} == truth
    assert table.count == len(truth) == len(table.entries())
    for absent in (key(1_000), key(1_001)):
        assert table.to_miss(absent) == len(table.search(absent).probes)


@pytest.mark.parametrize("name", ["division", "multiplication", "universal"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_ten_thousand_operations_end_as_in_a_dict(scheme: str, name: str) -> None:
    rng = random.Random(f"{scheme} {name}")
    table, truth = make(scheme, SLOTS, choose(name, 3)), {}
    outcomes = set()
    for value in range(OPERATIONS):
        number = rng.randrange(90)  # more keys than slots, so that an open table fills up
        operation = rng.choices(("insert", "search", "delete"), (5, 3, 2))[0]
        if operation == "insert":
            full = number not in truth and len(truth) == SLOTS and scheme != "chaining"
            trace = table.insert(key(number), value)
            assert trace.outcome == ("full" if full else "updated" if number in truth else "stored")
            if not full:
                truth[number] = value
        elif operation == "search":
            trace = table.search(key(number))
            assert (trace.outcome, trace.value) == (
                ("found", truth[number]) if number in truth else ("absent", None)
            )
        else:
            trace = table.delete(key(number))
            assert trace.outcome == ("removed" if number in truth else "absent")
            truth.pop(number, None)
        outcomes.add(trace.outcome)
        assert len(trace.probes) <= max(SLOTS, len(truth) + 1)
        if value % 500 == 0:
            agree(table, truth)
    agree(table, truth)
    assert outcomes >= {"stored", "updated", "found", "absent", "removed"}
    assert ("full" in outcomes) == (scheme != "chaining")


@settings(max_examples=60)
@given(
    st.sampled_from(SCHEMES),
    st.sampled_from([8, 11, 16, 31]),
    st.lists(st.tuples(st.sampled_from("isd"), st.integers(0, 40)), max_size=120),
    st.booleans(),
)
def test_any_history_on_any_size_with_and_without_growth(
    scheme: str, slots: int, history: list[tuple[str, int]], grows: bool
) -> None:
    table, truth = make(scheme, slots, choose("division", 0)), {}
    for value, (operation, number) in enumerate(history):
        if operation == "i":
            if grows and 2 * (table.count + len(table.tombstones) + 1) > table.slots:
                table = grown(table, scheme, 2 * table.slots)
                assert not table.tombstones
            if table.insert(key(number), value).outcome != "full":
                truth[number] = value
            else:  # quadratic probing may miss a free slot unless their number is a power of two
                assert table.count == table.slots or (scheme == "quadratic" and slots not in (8, 16))
                assert not grows
        elif operation == "s":
            assert table.search(key(number)).value == truth.get(number)
        else:
            table.delete(key(number))
            truth.pop(number, None)
    agree(table, truth)


@pytest.mark.parametrize("scheme", OPEN)
@pytest.mark.parametrize("slots", [8, 16, 31, 128])
def test_a_search_walks_from_slot_to_slot_as_its_scheme_says(scheme: str, slots: int) -> None:
    rng = random.Random(slots)
    table = make(scheme, slots, choose("division", 0))
    keys = [key(number) for number in rng.sample(range(10_000), slots)]
    for each in keys:
        table.insert(each, 0)
    for each in keys:
        home = each.number % slots
        steps = {
            "linear": range(slots),
            "robin_hood": range(slots),
            "quadratic": itertools.accumulate(range(slots)),
            "double": (i * table.step(each) for i in range(slots)) if isinstance(table, OpenAddressing) else (),
        }[scheme]
        expected = [(home + step) % slots for step in steps]
        trace = table.search(each)
        assert [probe.slot for probe in trace.probes] == expected[: len(trace.probes)]
    if scheme in ("linear", "double") or (scheme == "quadratic" and slots != 31):
        assert table.count == slots
        walked = [probe.slot for probe in table.search(key(10_001)).probes]
        assert sorted(walked) == list(range(slots))  # every slot, each once


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_probes_of_an_entry_are_those_of_its_search(scheme: str) -> None:
    rng = random.Random(7)
    table = make(scheme, 64, choose("multiplication", 0))
    for number in rng.sample(range(1_000_000), 60):
        table.insert(key(number), 0)
    for stored in table.entries()[::3]:
        table.delete(stored.entry.key)
    for stored in table.entries():
        trace = table.search(stored.entry.key)
        assert len(trace.probes) == stored.probes and trace.slot == stored.slot


def test_robin_hood_orders_runs_by_home_and_needs_no_more_than_linear_probing_in_all() -> None:
    rng = random.Random(5)
    for _ in range(50):
        keys = [key(number) for number in rng.sample(range(10_000), 28)]
        robin, linear = (make(scheme, 32, choose("division", 0)) for scheme in ("robin_hood", "linear"))
        for each in keys:
            robin.insert(each, 0)
            linear.insert(each, 0)
        costs = [[stored.probes for stored in table.entries()] for table in (robin, linear)]
        assert sum(costs[0]) == sum(costs[1])  # the mean is the same, the worst is not
        assert max(costs[0]) <= max(costs[1])
        assert isinstance(robin, RobinHood)
        for slot in range(32):
            here, after = robin.cells[slot], robin.cells[(slot + 1) % 32]
            if here and after:
                assert robin.distance(after, (slot + 1) % 32) <= robin.distance(here, slot) + 1
        for each in keys[:14]:
            robin.delete(each)
        fresh = make("robin_hood", 32, choose("division", 0))
        for each in keys[14:]:
            fresh.insert(each, 0)
        assert sorted((s.slot, s.entry.home) for s in robin.entries()) == sorted(
            (s.slot, s.entry.home) for s in fresh.entries()
        )  # shifting back leaves the table as if the key had never been there


def test_direct_addressing_takes_its_slots_and_no_others() -> None:
    table, truth = make("direct", 10, choose("division", 0)), {}
    rng = random.Random(1)
    for value in range(2_000):
        number = rng.randrange(-3, 13)
        trace = rng.choice((lambda k, v: table.insert(k, v), lambda k, _: table.search(k)))(key(number), value)
        if not 0 <= number < 10:
            assert trace.outcome == "refused"
        elif trace.outcome in ("stored", "updated"):
            truth[number] = value
        else:
            assert trace.value == truth.get(number)
    agree(table, truth)


# -- the mistakes


def collide(scheme: str, mistakes: Mistakes, count: int = 3) -> Table:
    table = make(scheme, 8, choose("division", 0), mistakes)
    for number in range(count):
        table.insert(key(8 * number), number)
    return table


@pytest.mark.parametrize("scheme", OPEN)
def test_without_a_tombstone_what_lies_behind_is_lost(scheme: str) -> None:
    for forget in (False, True):
        table = collide(scheme, Mistakes(forget=forget))
        first = next(stored for stored in table.entries() if stored.slot == 0)
        table.delete(first.entry.key)
        lost = [n for n in range(3) if n != first.entry.value and table.search(key(8 * n)).value != n]
        assert bool(lost) == forget


@pytest.mark.parametrize("scheme", OPEN)
def test_a_full_table_says_so_or_not(scheme: str) -> None:
    for drop in (False, True):
        table = collide(scheme, Mistakes(drop=drop), 8)
        assert table.insert(key(1), 1).outcome == ("dropped" if drop else "full")
        assert table.insert(key(8), 9).outcome == "updated"  # what is there can be written


@pytest.mark.parametrize("scheme", SCHEMES)
def test_inserting_blindly_stores_twice_and_a_delete_uncovers_the_other(scheme: str) -> None:
    table = collide(scheme, Mistakes(blind=True))
    assert table.insert(key(8), 99).outcome == "stored"
    assert table.count == 4
    table.delete(key(8))
    assert table.search(key(8)).outcome == "found"


def test_without_the_last_mod_there_is_no_such_slot() -> None:
    function = choose("universal", 0, reduced=False)
    assert make("linear", 8, function).insert(key(5), 0).outcome == "refused"
    assert make("chaining", 8, function).search(key(5)).outcome == "refused"
    assert function.slot(5, 8) % 8 == choose("universal", 0).slot(5, 8)


def test_a_negative_index_reads_from_the_end_as_a_list_does() -> None:
    letters = [0] * 26
    table = make("direct", 26, choose("division", 0), Mistakes(unchecked=True))
    table.insert(Key(ord("y") - 97, "y"), 7)
    letters[ord("y") - 97] = 7
    underscore = ord("_") - 97
    assert letters[underscore] == 7
    assert table.search(Key(underscore, "_")).value == 7
    assert make("direct", 26, choose("division", 0)).search(Key(underscore, "_")).outcome == "refused"


# -- clusters


@given(st.sets(st.integers(0, 15)), st.sets(st.integers(0, 15)))
def test_clusters_are_runs_around_the_ring(taken: set[int], deleted: set[int]) -> None:
    table = make("linear", 16, HashFunction("division"))
    for slot in taken | deleted:
        table.insert(key(slot), 0)
    for slot in deleted:
        table.delete(key(slot))
    busy = taken | deleted
    for slot, run in enumerate(clusters(table)):
        expected = 0
        if slot in busy:
            right = next((n for n in range(16) if (slot + n) % 16 not in busy), 16)
            left = next((n for n in range(16) if (slot - n) % 16 not in busy), 16)
            expected = min(16, left + right - 1)
        assert run == expected


def test_of_chains_the_length_is_told() -> None:
    table = Chained(4, HashFunction("division"))
    for number in (0, 4, 8, 3):
        table.insert(key(number), 0)
    assert clusters(table).tolist() == [3, 0, 0, 1]
