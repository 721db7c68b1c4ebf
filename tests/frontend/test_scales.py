"""Scales against d3's, on many ranges: where a value stands, what stands there, and the marks between."""

import random
from typing import Any

import pytest
from in_node import told


def beside(asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = told("scales.mjs", asked)
    assert len(found) == len(asked)
    return found


@pytest.mark.parametrize("kind", ["linear", "counts", "logarithmic"])
def test_values_stand_where_d3_has_them(kind: str) -> None:
    rng = random.Random(kind)
    asked = []
    for _ in range(200):
        size = 10 ** rng.uniform(0, 5)
        low = {"linear": -size * rng.random(), "counts": 0, "logarithmic": size * rng.uniform(0.001, 0.9)}[kind]
        high = size * rng.uniform(1, 3)
        beyond = 0.1 if kind == "counts" else 0.5
        values = [low, high, *(rng.uniform(low, high + beyond * size) for _ in range(5))]
        asked.append({"kind": kind, "low": low, "high": high, "values": values, "count": rng.randint(1, 12)})
    for each in beside(asked):
        assert each["ours"] == pytest.approx(each["theirs"], rel=1e-9, abs=1e-9)
        if kind == "linear":
            assert [value for value, _ in each["ticks"]] == [value for value, _ in each["words"]]
            assert [words.replace(",", "") for _, words in each["ticks"]] == [
                words.replace(",", "") for _, words in each["words"]
            ]


def test_an_empty_axis_divides_by_nothing() -> None:
    (empty, one) = beside(
        [
            {"kind": "linear", "low": 3, "high": 3, "values": [], "count": 3},
            {"kind": "logarithmic", "low": 5, "high": 5, "values": [5], "count": 3},
        ]
    )
    assert empty["ticks"] and 3 in [value for value, _ in empty["ticks"]]
    assert one["ours"] == [50, 5]
