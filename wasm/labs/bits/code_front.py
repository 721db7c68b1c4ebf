"""From C to values: a program's tokens, its tree, three-address code and static single assignment, as you type.

The front end of a compiler reads characters and ends with something that no longer looks like the language: lines
that do one thing each, in which every value has a name. Each stage is one picture, and whatever it shows knows
which characters it comes from. What a back end makes of it is for `bits/code_to_bytes`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from labs.contract import Label, Text
from labs.models.c.functions import EXAMPLES
from labs.models.c.stages import Code, Tokens, Tree, Values, front

POSTER = 3


@dataclass(frozen=True)
class Params:
    source: Annotated[str, Text(most=4000, language="c", examples=EXAMPLES, listed=True), Label("Program")] = (
        EXAMPLES["sum"]
    )


def run(params: Params) -> Iterator[Tokens | Tree | Code | Values]:
    yield from front(params.source)
