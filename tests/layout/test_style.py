"""What a reader meets is plain English: no file breaks a rule of styles/Underhood."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from style import ARTICLES, ENGLISH, ROOT, RULES, complaints, prose
from style import article as plain

SAID = {
    "Archaic": "Mend the loop.",
    "Borrowed": "There are some forty of them.",
    "Inverted": "It ends. Were they equal, it would not.",
    "Pronouns": "It helps whoever reads it.",
    "Proof": "It is slower, as one would expect.",
}
FINE = """They go back and forth, and so forth. The second one has to wait. What was left was
recommended. There are such a lot of them. Whatever it is, the price is amended."""


@pytest.mark.parametrize("file", ENGLISH)
def test_a_file_keeps_the_rules(file: str) -> None:
    found = [f"{file}:{line}: {message}" for line, message in complaints(prose(ROOT / file))]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("article", ARTICLES)
def test_a_page_reads_without_a_click(article: str) -> None:
    """At most one link into a figure in a hundred words, before the exercises."""
    text = (ROOT / article).read_text("utf-8").partition("## Exercises")[0]
    links, words = len(re.findall(r"<(?:Set|Step)\b", text)), len(plain(text).split())
    assert links <= words / 100, f"{links} links into figures in {words} words"


@pytest.mark.parametrize("tree", ["wasm/labs", "backend/native"])
def test_labels_and_sentences_of_labs_keep_the_rules(tree: str) -> None:
    files = sorted((ROOT / tree).rglob("*.py"))
    found = [
        f"{file.relative_to(ROOT)}:{line}: {message}" for file in files for line, message in complaints(prose(file))
    ]
    assert len(files) > 50 and not found, "\n" + "\n".join(found)


def test_every_rule_bites_and_names_itself() -> None:
    assert {rule.name for rule in RULES} == SAID.keys()
    for name, text in SAID.items():
        assert [message for _, message in complaints(text) if message.endswith(f"({name})")], name


def test_good_english_passes() -> None:
    assert [*complaints(FINE)] == []


def test_code_formulas_and_names_are_no_prose(tmp_path: Path) -> None:
    article = tmp_path / "a.mdx"
    article.write_text(
        '---\ntitle: T\nsources:\n  - key: a\n    title: "Whoever"\n---\n`mend` and $mend$\n\n```\nmend\n```\n'
        '\n<Set figure="mend" label="mend it" at={`x${mend}`}>mend</Set>\n'
    )
    lines = [line for line, _ in complaints(prose(article))]
    assert lines == [13, 13]


def test_the_words_of_labs_are_found(tmp_path: Path) -> None:
    lab = tmp_path / "lab.py"
    lab.write_text('"""Mend it: a lab."""\n\n# mend\nx = say("{} mends it.", 3)\ny = "mend"\n')
    assert [line for line, _ in complaints(prose(lab))] == [1, 4]
