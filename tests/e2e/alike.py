"""Says whether two computers told the same story: structure and words equal, numbers as near as rounding allows."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from labs.contract import Sentence
from labs.discover import Lab
from underhood.author.compare_logs import first_difference

NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")


def sentences_differ(one: str, other: str) -> str | None:
    """Two sentences may differ in the last digit of a number that was rounded the other way, in nothing else."""
    if NUMBER.sub("#", one) != NUMBER.sub("#", other):
        return f"{one!r} is not {other!r}"
    for a, b in zip(NUMBER.findall(one), NUMBER.findall(other), strict=True):
        if abs(_value(a) - _value(b)) > 1.01 * max(_last_digit(a), _last_digit(b)) * (a != b):
            return f"{a} is not {b} in {one!r}"
        if a != b and not {".", "e"} & {*a, *b}:
            return f"the whole number {a} is not {b} in {one!r}"
    return None


def _value(words: str) -> float:
    return float(words.replace(",", "").replace("−", "-"))


def _last_digit(words: str) -> float:
    """What one unit of the last written digit is worth."""
    mantissa, _, exponent = words.replace(",", "").partition("e")
    return float(10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2])))


def logs_differ(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> str | None:
    """Whole numbers, structure and booleans equal, floats within 1e-6 or 4 units in float32's last place."""
    for index, (a, b) in enumerate(zip(one, other, strict=False)):
        if found := sentences_differ(Sentence.unpacked(a["text"]), Sentence.unpacked(b["text"])):
            return f"event {index}: {found}"
    old, new = ([{**event, "text": ""} for event in log] for log in (one, other))
    return first_difference(old, new, rel=max(1e-6, 4 * float(np.finfo(np.float32).eps)))


def last_sentence(lab: Lab, params: dict[str, Any]) -> str:
    """What a fresh run in this process says at its end; parameters left out take their defaults."""
    *_, end = lab.run(lab.params(**params))
    return str(end.text)
