"""The article content/bits/01-values-in-memory.mdx, and the labs that its sentences are asked of."""

from __future__ import annotations

from typing import Any

from article import Article
from labs.bits import float_bits, integer_bits, struct_layout, vector_growth

ARTICLE = Article("bits/01-values-in-memory.mdx")
says = ARTICLE.says


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
