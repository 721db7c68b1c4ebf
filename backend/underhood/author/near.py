"""The settings beside a lab's defaults, recorded so that a first move is answered while Python still starts.

A recording's file says which setting is another: ``bits=3.json``. What a lab may cost decides how many there are.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from labs.discover import Lab

from underhood.contract.schema import params_schema

BUDGET = 100_000
"""Bytes of all recordings of a lab."""
MOST = 16
SIGN = "="


def is_near(path: Path) -> bool:
    return SIGN in path.stem


def near(lab: Lab) -> Iterator[tuple[str, Any]]:
    """Names and parameters that differ from the defaults in one: of each the nearest, then of each the next.

    None of a lab that browsers do not run, or whose runs are not the same everywhere.
    """
    if "browser" in lab.runs_on and not (lab.measures or lab.shows_python or lab.on_device):
        yield from itertools.islice(one_setting_away(lab), MOST)


def one_setting_away(lab: Lab) -> Iterator[tuple[str, Any]]:
    """Of any lab, without an end to how many."""
    defaults = lab.params()
    rows = [
        [(f"{name}{SIGN}{_written(value)}", replace(defaults, **{name: value})) for value in values]
        for name, field in params_schema(lab)["properties"].items()
        if name != "seed" and (values := list(_beside(field, getattr(defaults, name))))
    ]
    for round_ in itertools.zip_longest(*rows):
        yield from (each for each in round_ if each is not None)


def _beside(field: dict[str, Any], default: Any) -> Iterable[Any]:
    """Other values of a parameter, the nearest first: those that its control is moved to first."""
    if isinstance(default, bool):
        return [not default]
    if choices := field.get("enum"):
        at = choices.index(default)
        return sorted((each for each in choices if each != default), key=lambda each: abs(choices.index(each) - at))
    if isinstance(default, str):
        return []
    low, high = field["minimum"], field["maximum"]
    step = 1 if isinstance(default, int) else 10.0 ** math.floor(math.log10((high - low) / 100))
    moved = (round(default + sign * by * step, 9) for by in range(1, MOST) for sign in (1, -1))
    return [type(default)(value) for value in moved if low <= value <= high]


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
