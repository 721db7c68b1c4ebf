"""A map of chapters names each once: those that are written, by number, and those that are planned, by title."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CONTENT = Path(__file__).parents[2] / "content"
MAPS = sorted(CONTENT.glob("*/map.json"))


def test_there_is_a_map() -> None:
    assert MAPS


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.parent.name)
def test_a_chapter_is_written_or_planned(path: Path) -> None:
    chapters = json.loads(path.read_text("utf-8"))["chapters"]
    planned = json.loads((path.parent / "series.json").read_text("utf-8"))["planned"]
    written = {int(article.name[:2]) for article in path.parent.glob("[0-9][0-9]-*.mdx")}
    assert [chapter["title"] for n, chapter in enumerate(chapters, 1) if n not in written] == planned
    assert max(written) <= len(chapters)
