"""The article on the tape, and what its tests ask: the lab, and what was recorded of it."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from labs.contract import unpack
from labs.models.traced.examples import EXAMPLES
from labs.tensors.autograd_tape import Params, Picture, run

ROOT = Path(__file__).parents[2]
ARTICLE = (ROOT / "content/tensors/02-a-tape.mdx").read_text("utf-8")


def says(*sentences: str) -> None:
    """The article says so, whatever its line breaks and wherever its words lead."""
    plain = re.sub(r"</?(Term|Step|Set|Gloss|Cite)\b[^>]*>", "", ARTICLE)
    flat = re.sub(r"\s+", " ", plain)
    for sentence in sentences:
        assert sentence in flat, f"the article no longer says {sentence!r}: let this test follow it"


@lru_cache(maxsize=64)
def pictures(name: str) -> list[Picture]:
    return list(run(Params(source=EXAMPLES.get(name, name))))


def recorded(name: str) -> dict[str, Any]:
    """The last picture of a recording."""
    log = json.loads((ROOT / f"content/recordings/tensors/autograd_tape/{name}.json").read_text("utf-8"))
    return unpack([event for event in log["events"] if event["kind"] == "picture"][-1])


def step(name: str, n: int) -> Picture:
    return pictures(name)[n - 1]


def grad(picture: Picture, name: str) -> list[Any]:
    found = next(each for each in picture.tensors if each.name == name).grad
    assert found
    return found.rows[0]
