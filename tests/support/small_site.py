"""A copy of this tree whose site is small: one article, and the labs of its figures."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
ARTICLE = Path("content/learning/03-quantization.mdx")
TREES = ("content", "wasm", "backend", "frontend")
MADE = ("frontend/node_modules", "frontend/public/pyodide")
NAME = re.compile(r'"([a-z]+/[a-z0-9_]+)"')
LINK = re.compile(r"\[([^]]+)\]\(/[^)]*\)")
ROOMS = ("wasm/labs", "backend/native", "content/recordings", "frontend/src/figures", "frontend/src/generated")
SHARED = ("models", "built")
LEAVE = shutil.ignore_patterns("__pycache__", "node_modules", "dist", ".astro", "pyodide", "*.egg-info")


def copy(root: Path) -> None:
    """All that the site is built from, cut down."""
    for tree in TREES:
        shutil.copytree(ROOT / tree, root / tree, ignore=LEAVE)
    for made in MADE:
        (root / made).symlink_to(ROOT / made)
    cut(root)


def cut(root: Path, keep: Iterable[str] = ()) -> None:
    """Take away all articles but one with its links to others, and the labs that no page is left to place, but for
    ``keep``."""
    for article in root.glob("content/*/[0-9]*.mdx"):
        if article.match(f"{ARTICLE.stem}.*"):
            article.write_text(LINK.sub(r"\1", article.read_text("utf-8")), "utf-8")
        else:
            article.unlink()
    pages = [root / ARTICLE, *root.glob("frontend/src/pages/**/*.astro"), *root.glob("frontend/src/home/*.astro")]
    placed = {*keep} | {lab for page in pages for lab in NAME.findall(page.read_text("utf-8"))}
    for folder in ROOMS:
        for room in (root / folder).glob("*/[!_]*"):
            if room.parent.name not in SHARED and f"{room.parent.name}/{room.stem}" not in placed:
                shutil.rmtree(room) if room.is_dir() else room.unlink()
