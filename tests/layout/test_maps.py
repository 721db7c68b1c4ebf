"""The maps: each article says where it stands, and the levels of the line are layers of the book."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
CONTENT = ROOT / "content"
LAYERS = json.loads((CONTENT / "layers.json").read_text("utf-8"))
NAMES = [layer["name"] for layer in LAYERS]
ARTICLES = sorted(path for path in CONTENT.glob("*/[0-9][0-9]-*.mdx") if path.name.count(".") == 1)


def front(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text("utf-8").split("---\n")[1])
    return found


@pytest.mark.parametrize("path", ARTICLES, ids=lambda path: path.stem)
def test_an_article_stands_at_a_layer(path: Path) -> None:
    said = front(path)
    assert said["layer"] in NAMES
    assert {*said.get("elsewhere", {}).values()} <= {*NAMES} - {said["layer"]}


def test_something_stands_at_each_layer() -> None:
    assert {front(path)["layer"] for path in ARTICLES} == {*NAMES}


def test_levels_are_layers() -> None:
    source = (ROOT / "frontend/src/figures/descent/one_line/levels.ts").read_text("utf-8")
    levels = re.findall(r'name: "(.+?)"', source)
    assert [(layer["level"], layer["name"]) for layer in LAYERS if "level" in layer] == [*enumerate(levels, 1)]


@pytest.mark.parametrize("series", sorted({path.parent for path in ARTICLES}), ids=lambda path: path.name)
def test_chapters_are_counted_from_one(series: Path) -> None:
    numbers = [int(path.name[:2]) for path in ARTICLES if path.parent == series]
    assert numbers == [*range(1, len(numbers) + 1)]
