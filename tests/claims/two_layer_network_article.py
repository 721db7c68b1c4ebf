"""content/tensors/05-a-two-layer-network.mdx, and the lab and recordings that its sentences are asked of.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test. What
hangs on a training is the same on every machine: weights are rounded to float32 after each step.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from labs.contract import unpack
from labs.models.digits_training import Course, Moment, train
from labs.tensors.mlp_digits import Params, Picture, run

ROOT = Path(__file__).parents[2]
ARTICLE = (ROOT / "content/tensors/05-a-two-layer-network.mdx").read_text("utf-8")


def says(*sentences: str) -> None:
    """The article says so, whatever its line breaks and wherever its words lead."""
    plain = re.sub(r"</?(Term|Step|Set|Gloss)\b[^>]*>", "", ARTICLE)
    plain = re.sub(r"\\of\{\w+\}\{([^{}]*)\}", r"\1", plain)
    flat = re.sub(r"\s+", " ", plain)
    for sentence in sentences:
        assert sentence in flat, f"the article no longer says {sentence!r}: let this test follow it"


@lru_cache(maxsize=64)
def pictures(**params: Any) -> list[Picture]:
    return list(run(Params(**params)))


def last(**params: Any) -> Picture:
    return pictures(**params)[-1]


def wrong(**params: Any) -> int:
    return last(**params).held_out_images - last(**params).correct


@lru_cache(maxsize=8)
def moments(**course: Any) -> list[Moment]:
    return list(train(Course(**course)))


def recorded(name: str = "default") -> dict[str, Any]:
    """The last picture of a recording."""
    log = json.loads((ROOT / f"content/recordings/tensors/mlp_digits/{name}.json").read_text("utf-8"))
    found = unpack([event for event in log["events"] if event["kind"] == "picture"][-1])
    assert isinstance(found, dict)
    return found
