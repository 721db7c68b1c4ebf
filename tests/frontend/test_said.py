"""Sentences of runs in German: every one of the translated labs', over their parameters, with all its numbers."""

import json
import random
import re
from pathlib import Path

import pytest
from draws import drawn, edges
from in_node import told
from labs.contract import LabError
from labs.discover import find
from underhood.contract.validation import validate

ROOT = Path(__file__).parents[2]
CATALOGUE = json.loads((ROOT / "content/learning/words.de.json").read_text("utf-8"))
NUMBER = re.compile(r"\d(?:[\d.,]*\d)?(?:e[-+]\d+)?")


def say(sentences: list[str], catalogue: dict[str, str]) -> list[str | None]:
    found: list[str | None] = told("said.mjs", {"catalogue": catalogue, "sentences": sentences})
    return found


def numbers(sentence: str) -> list[str]:
    """Its numbers in English notation, in alphabetical order: another language may name them in another."""
    return sorted(NUMBER.findall(sentence))


def german_numbers(sentence: str) -> list[str]:
    return numbers(sentence.translate(str.maketrans(",.", ".,")).replace("− ", "- "))


@pytest.mark.parametrize("name", ["number_line", "uniform_quantization"])
def test_every_sentence_is_said_in_german_with_its_numbers(name: str) -> None:
    lab, sentences = find()[f"learning/{name}"], set[str]()
    for values in [*edges(lab), *(drawn(lab, random.Random(seed)) for seed in range(60))]:
        try:
            sentences |= {event.text for event in lab.run(validate(lab, values))}
        except LabError:
            continue
    assert len(sentences) > 100
    check(sorted(sentences))


def test_every_recorded_sentence_of_the_trained_network_is_said_in_german() -> None:
    events = []
    for path in (ROOT / "content/recordings/learning/post_training_quantization").glob("*.json"):
        events += json.loads(path.read_text("utf-8"))["events"]
    check([event["text"] for event in events if "text" in event])


def check(sentences: list[str]) -> None:
    for english, german in zip(sentences, say(sentences, CATALOGUE), strict=True):
        assert german is not None, english
        assert german_numbers(german) == numbers(english), (english, german)


def test_what_has_no_pattern_is_not_said() -> None:
    catalogue = {"{} of {} bytes": "{} von {} Bytes", "cold": "kalt", "It is {}.": "Es ist {}."}
    sentences = [
        "1,024 of 2.5 bytes",
        "1 of 2 bytes and more",
        "It is cold.",
        "It is - 1e-05.",
        "It is hot (a+b)*.",
    ]
    assert say(sentences, catalogue) == ["1.024 von 2,5 Bytes", None, "Es ist kalt.", "Es ist - 1e-05.", None]
