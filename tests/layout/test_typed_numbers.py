"""A number that looks measured stands in a <Value>, or in the list of those that were not, with its reason."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from style import ENGLISH, ROOT, prose
from typed import covers, uncovered

LISTED: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("typed_numbers.json").read_text("utf-8"))


def words(article: str) -> str:
    return re.sub(r"\s+", " ", prose(ROOT / article))


def test_articles_are_listed() -> None:
    assert {name for name in ENGLISH if name.endswith(".mdx")} == LISTED.keys()


@pytest.mark.parametrize("article", LISTED)
def test_no_measured_number_is_typed(article: str) -> None:
    found = uncovered(words(article), [*LISTED[article]])
    assert not found, f"{article}: take these from a run with <Value>, or list them with the reason: {found}"


@pytest.mark.parametrize("article", LISTED)
def test_the_list_is_not_longer_than_needed(article: str) -> None:
    text = words(article)
    idle = [phrase for phrase in LISTED[article] if not covers(text, phrase)]
    assert not idle, f"{article} no longer says {idle}, or they need no reason"
    assert all(LISTED[article].values())


@pytest.mark.parametrize(
    "text",
    ["It takes 4.8 ms.", "a fifth of the time", "five times as many", "It lost 12 %.", "within 10 %", "one in six",
     "a factor of 12", "a gain of two decibels", "nearly half of them", "413 GFLOP/s"],
)  # fmt: skip
def test_what_looks_measured_is_found(text: str) -> None:
    assert uncovered(text, [])
    assert not uncovered(text, [text])


@pytest.mark.parametrize(
    "text", ["64 bytes", "in step 3", "a third walk", "four points", "sixteen bits", "128 of 64 KiB"]
)
def test_what_does_not_is_left_alone(text: str) -> None:
    assert not uncovered(text, [])
