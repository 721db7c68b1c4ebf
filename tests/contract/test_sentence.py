"""Sentences: a reader reads what Python formats, with a space before %, and template and values say the same."""

import copy
import pickle
import re
from decimal import Decimal
from string import Formatter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labs.contract import Event, Sentence, joined, say

numbers = st.integers() | st.floats() | st.floats(width=32).map(np.float32) | st.decimals(allow_nan=False)
specs = st.sampled_from(["", ",", ".3g", ".1f", "+.2e", ".0%", ".1%", ",.0f", ">12"])
sentences = st.recursive(
    st.text().map(Sentence.plain),
    lambda inner: st.lists(inner, max_size=3).map(lambda each: joined("{}", each)),
    max_leaves=5,
)


@st.composite
def said(draw: st.DrawFn) -> tuple[str, list[object], str]:
    """A template, something for each of its places, and what both say."""
    template, values, words = "", list[object](), ""
    for text in draw(st.lists(st.text(), max_size=5)):
        value = draw(numbers | sentences | st.text() | st.booleans())
        number = isinstance(value, int | float | Decimal | np.number) and not isinstance(value, bool)
        spec = draw(specs) if number and np.isfinite(float(value)) else ""
        template += text.replace("{", "{{").replace("}", "}}") + (f"{{:{spec}}}" if spec else "{}")
        values.append(value)
        written = f"{value:{spec}}"
        words += text + (written.replace("%", " %") if "%" in spec else written)
    return template, values, words


@given(said())
def test_a_sentence_is_what_python_formats(case: tuple[str, list[object], str]) -> None:
    template, values, words = case
    sentence = say(template, *values)
    assert sentence == words
    assert Sentence(sentence.template, *sentence.values) == sentence
    assert all(spec == "" for _, _, spec, _ in Formatter().parse(sentence.template) if spec is not None)


@given(said())
def test_a_sentence_is_copied_whole(case: tuple[str, list[object], str]) -> None:
    template, values, _ = case
    sentence = say(template, *values)
    copies = [pickle.loads(pickle.dumps(sentence, protocol)) for protocol in range(2, 6)]
    for other in [copy.copy(sentence), copy.deepcopy(sentence), *copies]:
        assert (other, other.template, other.values) == (sentence, sentence.template, sentence.values)


@given(st.text(), st.lists(sentences, max_size=4))
def test_what_is_joined_keeps_its_parts(separator: str, parts: list[Sentence]) -> None:
    whole = joined(separator, parts)
    assert whole == separator.join(parts) and list(whole.values) == parts


@given(st.text())
def test_plain_words_have_no_places(text: str) -> None:
    assert Sentence.plain(text) == text and Sentence.plain(text).values == ()
    assert Event(text=text).text == text  # type: ignore[arg-type]


def test_numbers_are_plain_and_words_are_sentences() -> None:
    sentence = say("{:,} weights, {:.0%} of {}, are {}.", 1024, 0.5, say("layer {}", 2), True)
    assert sentence.template == "{} weights, {} % of {}, are {}."
    assert sentence.values == ("1,024", "50", "layer 2", "True")
    assert [type(value) for value in sentence.values] == [str, str, Sentence, Sentence]


@pytest.mark.parametrize(
    ("template", "values"),
    [
        ("{} of {}", (1,)),
        ("{}", (1, 2)),
        ("{0}", (1,)),
        ("{name}", (1,)),
        ("{!r}", ("a",)),
        ("{:{}}", (1, 5)),
        ("{:>9}", (say("a {}", 1),)),
    ],
)
def test_a_template_that_cannot_be_translated_is_refused(template: str, values: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(values[0] if ">" in template else template))):
        say(template, *values)
