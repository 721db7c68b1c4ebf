"""The page compares two runs by the rules of recordings; `underhood.author.compare_logs` is the oracle."""

import random
from typing import Any

import numpy as np
import pytest
from in_node import told
from labs.contract import pack
from underhood.author.compare_logs import first_difference

Log = list[dict[str, Any]]


def compare(*pairs: tuple[Log, Log]) -> list[dict[str, Any]]:
    """What the page's own comparison says of each pair."""
    found: list[dict[str, Any]] = told("compare_logs.mjs", pairs)
    return found


def log(**change: Any) -> Log:
    event = {
        "kind": "picture",
        "text": "The error is 0.5.",
        "error": 0.5,
        "count": 3,
        "on": True,
        "none": None,
        "names": ["a", "b"],
        "cells": [{"name": "a", "value": 1.5, "deep": {"scale": 2.25}}],
        "floats": np.array([[1.0, np.nan], [3.0, 4.0]], np.float32),
        "codes": np.array([1, 2, 3], np.int32),
    }
    return [pack(event), pack(event | change)]


CHANGES: dict[str, tuple[dict[str, Any], str, str]] = {
    # what is changed in the second event, the verdict, the field that is named
    "nothing": ({}, "same", ""),
    "a float, by rounding": ({"error": 0.5 + 1e-8}, "close", "error"),
    "an array, by rounding": ({"floats": np.array([[1 + 2e-7, np.nan], [3, 4]], np.float32)}, "close", "floats"),
    "a sentence": ({"text": "The error is 0.6."}, "different", "text"),
    "a value in a sentence": ({"text": ["The error is {}.", "0.6"]}, "different", "text"),
    "the same words": ({"text": ["The error is {}.", "0.5"]}, "same", ""),
    "a float": ({"error": 0.501}, "different", "error"),
    "a whole number": ({"count": 4}, "different", "count"),
    "a switch": ({"on": False}, "different", "on"),
    "a value that was none": ({"none": 0.5}, "different", "none"),
    "an item of a list": ({"names": ["a", "c"]}, "different", "names"),
    "a list's length": ({"names": ["a"]}, "different", "names"),
    "a field of an item": (
        {"cells": [{"name": "a", "value": 1.75, "deep": {"scale": 2.25}}]},
        "different",
        "cells[0].value",
    ),
    "one item of an array": ({"codes": np.array([1, 2, 4], np.int32)}, "different", "codes"),
    "an array's type": ({"codes": np.array([1, 2, 3], np.float32)}, "different", "codes"),
    "an array's shape": ({"codes": np.array([[1, 2, 3]], np.int32)}, "different", "codes"),
    "a new field": ({"extra": 1}, "different", "extra"),
}


def test_every_kind_of_difference_is_seen_and_named() -> None:
    found = compare(*((log(), log(**change)) for change, _, _ in CHANGES.values()))
    for (name, (change, verdict, field)), said in zip(CHANGES.items(), found, strict=True):
        assert said["verdict"] == verdict, name
        assert (first_difference(log(), log(**change)) is None) == (verdict != "different"), name
        assert [each["name"] for each in said["fields"]] == ([field] if field else []), name
        assert said["steps"] == ["same", verdict], name
        assert all(each["steps"] == [1] for each in said["fields"]), name


def test_a_run_that_is_shorter_differs() -> None:
    (said,) = compare((log(), log()[:1]))
    assert (said["verdict"], said["counts"], said["steps"]) == ("different", [2, 1], ["same"])


def test_differences_are_measured() -> None:
    other = log(codes=np.array([1, 4, 5], np.int32), error=0.75)
    (said,) = compare((log(), other))
    error, codes = said["fields"]
    assert (error["absolute"], error["relative"]) == (0.25, pytest.approx(1 / 3))
    assert (codes["absolute"], codes["relative"], codes["items"]) == (2, 0.5, 2)


def test_it_agrees_with_the_oracle_on_numbers_of_all_sizes() -> None:
    chance = random.Random(4)
    pairs = []
    for _ in range(300):
        value = chance.choice([-1, 1]) * 10 ** chance.uniform(-12, 12) * 1.0000001
        apart = value + chance.choice([-1, 1]) * abs(value) * 10 ** chance.uniform(-9, -3)
        as_array = chance.random() < 0.5
        one, other = ({"text": "", "x": np.array([each]) if as_array else each} for each in (value, apart))
        pairs.append(([pack(one)], [pack(other)]))
    for (one, other), said in zip(pairs, compare(*pairs), strict=True):
        assert (first_difference(one, other) is None) == (said["verdict"] != "different"), (one, other)


def test_timings_are_ratios_with_a_spread() -> None:
    one = pack({"text": "", "n": 64, "seconds_min": 1.0, "seconds_median": 2.0, "seconds_max": 4.0, "share": 0.5})
    other = pack(
        {"text": "", "n": 64, "seconds_min": 3.0, "seconds_median": 6.0, "seconds_max": 8.0, "share": 0.75}
    )
    (said,) = compare(([one], [other]))
    assert said["ratios"] == [
        {"name": "seconds", "one": 2, "other": 6, "ratio": 3, "spread": [0.75, 8]},
        {"name": "share", "one": 0.5, "other": 0.75, "ratio": 1.5},
    ]


def test_arrays_and_objects_of_timings() -> None:
    def event(scale: float) -> Any:
        rungs = [{"name": "naive", "gflops": {"min": 1.5 * scale, "median": 2.5 * scale, "max": 3.0 * scale}}]
        arrays = {f"ns_{name}": np.array([10.0, 20.0]) * scale for name in ("min", "median", "max")}
        return pack({"text": "", "rungs": rungs, **arrays})

    (said,) = compare(([event(1)], [event(2)]))
    assert {each["name"]: each["ratio"] for each in said["ratios"]} == {
        "rungs, naive, gflops": 2,
        "ns, 0": 2,
        "ns, 1": 2,
    }
    assert all(each["spread"] for each in said["ratios"])
