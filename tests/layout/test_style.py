"""What a reader meets is plain English: no file breaks a rule of styles/Underhood."""

from __future__ import annotations

from pathlib import Path

import pytest
from style import ROOT, RULES, complaints, prose

SERIES = ("bits", "learning", "tensors")  # speed and compilers follow as they are edited
ENGLISH = [
    file.relative_to(ROOT).as_posix()
    for pattern in (
        *(f"content/{series}/*.mdx" for series in SERIES),
        "content/glossary.json",
        "frontend/src/words/en/*.ts",
        "README.md",
        "CONTRIBUTING.md",
    )
    for file in sorted(ROOT.glob(pattern))
    if not file.name.endswith(".de.mdx")
]
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
