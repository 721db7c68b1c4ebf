"""content/tensors/05-a-two-layer-network.mdx, and the lab and recordings that its sentences are asked of.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test. What
hangs on a training is the same on every machine: weights are rounded to float32 after each step.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import article
from article import Article
from labs.tensors.mlp_digits import Params, Picture, run
from labs.tensors.mlp_digits.training import Course, Moment, train

ROOT = Path(__file__).parents[2]
ARTICLE = Article("tensors/05-a-two-layer-network.mdx")
says = ARTICLE.says


def pictures(**params: Any) -> list[Picture]:
    return _pictures(Params(**params))


@lru_cache(maxsize=64)
def _pictures(params: Params) -> list[Picture]:
    return list(run(params))


def last(**params: Any) -> Picture:
    return pictures(**params)[-1]


def wrong(**params: Any) -> int:
    return last(**params).held_out_images - last(**params).correct


def moments(**course: Any) -> list[Moment]:
    return _moments(Course(**course))


@lru_cache(maxsize=8)
def _moments(course: Course) -> list[Moment]:
    return list(train(course))


def recorded(name: str = "default") -> dict[str, Any]:
    """The last picture of a recording."""
    return article.recorded("tensors/mlp_digits", name)[-1]
