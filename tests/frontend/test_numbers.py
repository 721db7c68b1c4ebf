"""Numbers in exercises: read as the page prints them, and as people elsewhere write them."""

from typing import Any

import pytest
from in_node import told


def judged(lang: str, *asked: tuple[Any, ...]) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = told("numbers.mjs", {"lang": lang, "asked": asked})
    return answers


@pytest.mark.parametrize(
    ("lang", "text", "answer"),
    [
        ("en", "65,534", 65534),
        ("en", "65 534", 65534),
        ("en", "65534", 65534),
        ("en", "65.534", 65534),  # as a German reader groups
        ("en", "1,048,576.5", 1048576.5),
        ("en", "0,125", 0.125),
        ("en", "2,25", 2.25),
        ("en", "2,250", 2.25),
        ("en", "−1,024", -1024),
        ("en", "2.5/15", 1 / 6),
        ("en", "1,000/3", 1000 / 3),
        ("en", "1e3", 1000),
        ("de", "65.534", 65534),
        ("de", "1.048.576,5", 1048576.5),
        ("de", "0,125", 0.125),
        ("de", "0.125", 0.125),
        ("de", "65,534", 65534),
    ],
)
def test_what_is_meant_is_read(lang: str, text: str, answer: float) -> None:
    assert judged(lang, (text, answer)) == [{"right": True, "says": ""}]


@pytest.mark.parametrize("text", ["", "/", "1/", "abc", "1,2,3", "1,23,456", "1/2/3", "Infinity", "1/0", "1.2.3"])
def test_what_is_no_number_is_said(text: str) -> None:
    (answer,) = judged("en", (text, 0))
    assert answer["says"].startswith("Type a number")


def test_a_number_of_thousands_is_not_too_small() -> None:
    mistaken = {"mistakes": [{"value": 65535, "says": "That has the bits of −1."}]}
    large, known = judged("en", ("65,536", 65534), ("65,535", 65534, mistaken))
    assert large["says"] == "Too large."
    assert known["says"] == "That has the bits of −1."
