"""The article content/learning/03-quantization.mdx, and the labs and recordings that its sentences are asked of.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test. What
hangs on a training is asserted with room to spare: another machine trains another network.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from article import Article, recorded
from labs.learning import number_line as line
from labs.learning import uniform_quantization as uniform

ROOT = Path(__file__).parents[2]
ARTICLE = Article("learning/03-quantization.mdx")
says = ARTICLE.says
BIT = 20 * math.log10(2)  # decibels


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


def network(**params: Any) -> Any:
    """The result of the network's lab, run here."""
    from native.learning import post_training_quantization as ptq

    return _network(ptq.Params(**params))


@lru_cache(maxsize=32)
def _network(params: Any) -> Any:
    import kept_training
    from native.learning import post_training_quantization as ptq

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_training.cnn, "train", kept_training.train)
        *_, last = ptq.run(params)
    return last


def last(lab: str, kind: str) -> dict[str, Any]:
    """The last event of that kind in the recording that the page shows."""
    return [event for event in recorded(lab) if event["kind"] == kind][-1]


def result() -> dict[str, Any]:
    return last("learning/post_training_quantization", "result")
