"""The article content/learning/01-backpropagation.mdx, and the labs that its sentences are asked of.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from article import Article
from labs.learning import xor_seeds as seeds
from labs.learning import xor_training as training
from labs.models.labelled_points import EXAMPLES, read

ROOT = Path(__file__).parents[2]
ARTICLE = Article("learning/01-backpropagation.mdx")
says = ARTICLE.says
XOR = read(EXAMPLES["XOR"])


@lru_cache(maxsize=32)
def grid(**params: Any) -> seeds.Picture:
    """The hundred at the end of their training."""
    return next(event for event in seeds.run(seeds.Params(**params)) if event.epoch == event.epochs)


@lru_cache(maxsize=32)
def log(**params: Any) -> list[training.Picture]:
    events = list(training.run(training.Params(**params)))
    assert all(isinstance(event, training.Picture) for event in events)
    return events
