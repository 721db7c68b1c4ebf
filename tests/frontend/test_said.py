"""Sentences of runs in German: every one of the translated labs', over their parameters, with all its numbers."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from draws import drawn, edges
from hypothesis import given, settings
from hypothesis import strategies as st
from in_node import told
from labs.contract import LabError, Sentence, joined, say
from labs.discover import find
from underhood.contract.validation import validate

ROOT = Path(__file__).parents[2]
CATALOGUE = json.loads((ROOT / "content/learning/words.de.json").read_text("utf-8"))
NUMBER = re.compile(r"\d(?:[\d.,]*\d)?(?:e[-+]\d+)?")


def shown(sentences: list[Any], catalogue: dict[str, str]) -> list[dict[str, str | None]]:
    """Each as a page shows it in English, and in the language of the catalogue."""
    found: list[dict[str, str | None]] = told("sentence.mjs", {"catalogue": catalogue, "sentences": sentences})
    return found


def numbers(sentence: str) -> list[str]:
    """Its numbers in English notation, in alphabetical order: another language may name them in another."""
    return sorted(NUMBER.findall(sentence))


def german_numbers(sentence: str) -> list[str]:
    return numbers(sentence.translate(str.maketrans(",.", ".,")).replace("− ", "- "))


@pytest.mark.parametrize("name", ["number_line", "uniform_quantization"])
def test_every_sentence_is_said_in_german_with_its_numbers(name: str) -> None:
    lab, sentences = find()[f"learning/{name}"], dict[str, Any]()
    for values in [*edges(lab), *(drawn(lab, random.Random(seed)) for seed in range(60))]:
        try:
            sentences |= {event.text: event.text.packed() for event in lab.run(validate(lab, values))}
        except LabError:
            continue
    assert len(sentences) > 100
    check([*sentences.values()])


def test_every_recorded_sentence_of_the_trained_network_is_said_in_german() -> None:
    events = []
    for path in (ROOT / "content/recordings/learning/post_training_quantization").glob("*.json"):
        events += json.loads(path.read_text("utf-8"))["events"]
    check([event["text"] for event in events if "text" in event])


def check(sentences: list[Any]) -> None:
    for packed, both in zip(sentences, shown(sentences, CATALOGUE), strict=True):
        english, german = both["english"], both["other"]
        assert english == Sentence.unpacked(packed)
        assert german is not None, packed
        assert german_numbers(german) == numbers(english), (english, german)


def test_what_has_no_template_in_the_catalogue_is_not_said() -> None:
    catalogue = {
        "{} of {} bytes": "{} von {} Bytes",
        "cold": "kalt",
        "It is {}.": "Es ist {}.",
        "{{{}}}": "{{{}!}}",
    }
    size = say("{:,} of {} bytes", 1024, 2.5)
    german = [
        (size, "1.024 von 2,5 Bytes"),
        (say("1,024 of 2.5 bytes"), None),
        (say("{} and more", size), None),
        (say("It is {}.", "cold"), "Es ist kalt."),
        (say("It is {}.", say("{} of {}", 1, 2)), None),
        (say("It is {}.", size), "Es ist 1.024 von 2,5 Bytes."),
        (say("It is {}.", -1e-05), "Es ist -1e-05."),
        (say("It is {}.", "{hot} (a+b)*"), "Es ist {hot} (a+b)*."),
        (say("{{{}}}", "cold"), "{kalt!}"),
    ]
    said = shown([one.packed() for one, _ in german], catalogue)
    assert [both["other"] for both in said] == [other for _, other in german]


WORDS = st.text(st.sampled_from("ab{} %.−"), max_size=6)
SENTENCES = st.recursive(
    WORDS.map(Sentence.plain),
    lambda inner: st.lists(st.one_of(inner, WORDS, st.integers()), max_size=3).map(
        lambda parts: say("; ".join(["{}"] * len(parts)) + "{{}}", *parts)
    ) | st.lists(inner, max_size=3).map(lambda parts: joined("{} ", parts)),
    max_leaves=6,
)  # fmt: skip


@settings(max_examples=3)
@given(st.lists(SENTENCES, min_size=150, max_size=200))
def test_a_page_reads_what_a_lab_says(sentences: list[Sentence]) -> None:
    packed = json.loads(json.dumps([one.packed() for one in sentences]))
    assert [Sentence.unpacked(one) for one in packed] == sentences
    assert [both["english"] for both in shown(packed, {})] == [str(one) for one in sentences]
