"""The article content/learning/01-backpropagation.mdx, and the labs that its sentences are asked of.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from labs.learning import xor_seeds as seeds
from labs.learning import xor_training as training
from labs.models.labelled_points import EXAMPLES, read

ROOT = Path(__file__).parents[2]
ARTICLE = (ROOT / "content/learning/01-backpropagation.mdx").read_text("utf-8")
XOR = read(EXAMPLES["XOR"])


def says(*sentences: str) -> None:
    """The article says so, whatever its line breaks and wherever its words lead."""
    plain = re.sub(r"</?(Term|Step|Set|Gloss)\b[^>]*>", "", ARTICLE)
    plain = re.sub(r"\\of\{\w+\}\{([^{}]*)\}", r"\1", plain)
    flat = re.sub(r"\s+", " ", plain)
    for sentence in sentences:
        assert sentence in flat, f"the article no longer says {sentence!r}: let this test follow it"


@lru_cache(maxsize=32)
def grid(**params: Any) -> seeds.Picture:
    """The hundred at the end of their training."""
    return next(event for event in seeds.run(seeds.Params(**params)) if event.epoch == event.epochs)


@lru_cache(maxsize=32)
def log(**params: Any) -> list[training.Picture]:
    events = list(training.run(training.Params(**params)))
    assert all(isinstance(event, training.Picture) for event in events)
    return events
