"""What the guides name is there: a link to a file, and a path that is written out, leads somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
PATH = re.compile(r"`((?:backend|content|deploy|docs|frontend|scripts|tests|wasm)/[\w./-]+)`")
MADE = {"frontend/dist", "frontend/public/pyodide"}  # by a build


@pytest.mark.parametrize("guide", ["README.md", "CONTRIBUTING.md"])
def test_what_a_guide_names_is_there(guide: str) -> None:
    text = (ROOT / guide).read_text("utf-8")
    named = {*LINK.findall(text), *PATH.findall(text)} - MADE
    gone = sorted(name for name in named if not (ROOT / name).exists())
    assert named and not gone, f"{guide} leads to {', '.join(gone)}"
