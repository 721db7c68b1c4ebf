"""The article content/learning/03-quantization.mdx, and the labs and recordings that its sentences are asked of.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test. What
hangs on a training is asserted with room to spare: another machine trains another network.
"""

from __future__ import annotations

import json
import math
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from labs.contract import unpack
from labs.learning import number_line as line
from labs.learning import uniform_quantization as uniform

ROOT = Path(__file__).parents[2]
ARTICLE = (ROOT / "content/learning/03-quantization.mdx").read_text("utf-8")
BIT = 20 * math.log10(2)  # decibels


def says(*sentences: str) -> None:
    """The article says so, whatever its line breaks and wherever its words lead."""
    plain = re.sub(r"</?(Term|Step|Set|Gloss)\b[^>]*>", "", ARTICLE)
    plain = re.sub(r"\\of\{\w+\}\{([^{}]*)\}", r"\1", plain)
    flat = re.sub(r"\s+", " ", plain)
    for sentence in sentences:
        assert sentence in flat, f"the article no longer says {sentence!r}: let this test follow it"


def step(**params: Any) -> line.Step:
    *_, last = line.run(line.Params(**params))
    return last


@lru_cache(maxsize=64)
def picture(**params: Any) -> uniform.Picture:
    *_, last = uniform.run(uniform.Params(**params))
    return last


def decibels(**params: Any) -> float:
    return known(picture(**params).sqnr)


def known(value: float | None) -> float:
    assert value is not None
    return value


@lru_cache(maxsize=32)
def network(**params: Any) -> Any:
    """The result of the network's lab, run here."""
    from native.learning import post_training_quantization as ptq

    *_, last = ptq.run(ptq.Params(**params))
    return last


@lru_cache(maxsize=4)
def recorded(lab: str, kind: str) -> dict[str, Any]:
    """The last event of that kind in the recording that the page shows."""
    log = json.loads((ROOT / "content/recordings" / lab / "default.json").read_text("utf-8"))
    *_, event = (event for event in log["events"] if event["kind"] == kind)
    event = unpack(event)
    assert isinstance(event, dict)
    return event


def result() -> dict[str, Any]:
    return recorded("learning/post_training_quantization", "result")
