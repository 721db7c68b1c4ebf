"""A sheet of one part of a page does not reach into another: an exercise's axis is not a figure's.

`styles/` is for all of them, and its words are meant by whoever uses them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "frontend/src"
SHEETS = sorted(
    sheet
    for path in SOURCE.rglob("*.css")
    if not (sheet := path.relative_to(SOURCE).as_posix()).startswith("styles/")
)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
RULE = re.compile(r"(?:^|[{};])\s*([^{};@]+)\{")
CLASS = re.compile(r"\.([a-z][\w-]*)")


def selectors(css: str) -> list[str]:
    return [each.strip() for rule in RULE.findall(COMMENT.sub("", css)) for each in split(rule)]


def split(rule: str) -> list[str]:
    """At its commas outside of parentheses."""
    return re.split(r",(?![^()]*\))", rule)


def own() -> dict[str, str]:
    """The classes that components style by themselves, each with one that does."""
    found: dict[str, str] = {}
    for path in SOURCE.rglob("*.svelte"):
        _, style, css = path.read_text("utf-8").partition("<style>")
        if style:
            css = re.sub(r":global\([^()]*\)", "", css.partition("</style>")[0])
            names = (name for selector in selectors(css) for name in CLASS.findall(selector))
            found |= {name: path.relative_to(SOURCE).as_posix() for name in names}
    return found


def test_selectors_are_read() -> None:
    css = "/* .no {} */ .a:is(.b, p) > i,\n.c { color: red } @media print { .d { color: blue } }"
    assert selectors(css) == [".a:is(.b, p) > i", ".c", ".d"]


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_class_that_a_component_styles_is_named_with_where_it_stands(sheet: str) -> None:
    components = own()
    assert components["axis"]
    for selector in selectors((SOURCE / sheet).read_text("utf-8")):
        if re.fullmatch(r"[^\s>+~]+", re.sub(r"\([^()]*\)", "", selector)):
            wide = [name for name in CLASS.findall(selector) if name in components]
            assert not wide, f"{selector} of {sheet} also means .{wide[0]} of {components[wide[0]]}"
