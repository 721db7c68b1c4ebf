"""The pages of the built site, and what stands in their files."""

import re
from functools import cache
from pathlib import Path

DIST = Path(__file__).parents[2] / "frontend" / "dist"
# Copies for a disk, and the frame that a reader's code runs in, are tested by themselves.
FOUND = [path for path in DIST.rglob("*.html") if not {"copies", "sandbox.html"} & {*path.parts}]
FILES = [path for path in FOUND if 'http-equiv="refresh"' not in path.read_text("utf-8")]  # which lead elsewhere
PAGES = sorted("/" + str(path.relative_to(DIST)).removesuffix("index.html") for path in FILES)


@cache
def html(path: str) -> str:
    return (DIST / path[1:] / ("" if path.endswith(".html") else "index.html")).read_text("utf-8")


@cache
def ids(path: str) -> frozenset[str]:
    """What links may lead to on this page, before any script has run."""
    return frozenset(re.findall(r'\sid="?([^"\s>]+)', html(path)))
