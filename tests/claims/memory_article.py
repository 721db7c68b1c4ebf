"""The article content/bits/01-values-in-memory.mdx, and the labs that its sentences are asked of."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from labs.bits import float_bits, integer_bits, struct_layout, vector_growth

ARTICLE = (Path(__file__).parents[2] / "content/bits/01-values-in-memory.mdx").read_text("utf-8")


def says(*sentences: str) -> None:
    """The article says so, whatever its line breaks and wherever its words lead."""
    plain = re.sub(r"</?(Term|Step|Set|Gloss)\b[^>]*>", "", ARTICLE)
    flat = re.sub(r"\s+", " ", re.sub(r"\\of\{\w+\}\{([^{}]*)\}", r"\1", plain))
    for sentence in sentences:
        assert sentence in flat, f"the article no longer says {sentence!r}: let this test follow it"


def whole(**params: Any) -> integer_bits.Picture:
    *_, last = integer_bits.run(integer_bits.Params(**params))
    return last


def point(**params: Any) -> float_bits.Picture:
    *_, last = float_bits.run(float_bits.Params(**params))
    return last


def struct(**params: Any) -> struct_layout.Layout:
    *_, last = struct_layout.run(struct_layout.Params(**params))
    return last


def vector(**params: Any) -> vector_growth.Push:
    *_, last = vector_growth.run(vector_growth.Params(**params))
    return last
