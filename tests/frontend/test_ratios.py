"""Timings beside each other: rows are named by the axes of what was measured, and a spread is no row of its own."""

from typing import Any

import pytest
from in_node import told

AXES = {
    "dots.speed": [
        {"name": "kernel", "of": "kernels"},
        {"name": "size", "of": "sizes"},
        {"name": "quartile", "names": ["low", "median", "high"]},
    ],
    "dots.ways": [{"name": "way", "of": "ways.name"}],
    "dots.cost.median": [{"name": "size", "of": "sizes"}],
}


def event(by: float) -> dict[str, Any]:
    numbers = [by * each for each in (1.5, 2.5, 3.5, 4.5, 5.5, 6.5)]
    speed = {"dtype": "float32", "shape": [1, 2, 3], "data": numbers}
    ways = [{"name": "numpy", "took_min": by, "took_median": 2 * by, "took_max": 4 * by, "repetitions": 7}]
    text = {"template": "Measured.", "values": []}
    return {"kind": "dots", "text": text, "kernels": ["packed"], "sizes": [16, 48], "speed": speed, "ways": ways}


def test_rows_are_named_by_axes_and_statistics_are_their_spread() -> None:
    found = told("ratios.mjs", [event(1), event(2), AXES])
    assert [each["name"] for each in found] == [
        "speed, packed, size 16",
        "speed, packed, size 48",
        "ways, numpy, took",
    ]
    for each in found:
        assert each["ratio"] == pytest.approx(2)
    assert (found[0]["one"], found[0]["spread"]) == (2.5, [3 / 3.5, 7 / 1.5])


def test_what_has_no_axes_is_numbered_and_a_part_of_a_spread_stands_alone() -> None:
    text = {"template": "Measured.", "values": []}
    one, other = ({"kind": "plain", "text": text, "took": [by * 0.25], "weight_low": by * 0.3} for by in (1, 2))
    assert [each["name"] for each in told("ratios.mjs", [one, other, {}])] == ["took, 0", "weight, low"]
