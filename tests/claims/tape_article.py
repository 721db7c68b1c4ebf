"""The article on the tape, and what its tests ask: the lab, and what was recorded of it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import article
from article import Article
from labs.tensors.autograd_tape import Params, Picture, run
from labs.tensors.autograd_tape.examples import EXAMPLES

ROOT = Path(__file__).parents[2]
ARTICLE = Article("tensors/02-a-tape.mdx")
says = ARTICLE.says


@lru_cache(maxsize=64)
def pictures(name: str) -> list[Picture]:
    return list(run(Params(source=EXAMPLES.get(name, name))))


def recorded(name: str) -> dict[str, Any]:
    """The last picture of a recording."""
    return article.recorded("tensors/autograd_tape", name)[-1]


def step(name: str, n: int) -> Picture:
    return pictures(name)[n - 1]


def grad(picture: Picture, name: str) -> list[Any]:
    found = next(each for each in picture.tensors if each.name == name).grad
    assert found
    return found.rows[0]
