"""Numbers counted by their exponent."""

from __future__ import annotations

import torch
from torch import Tensor

from native.pytorch.mixed_precision.pictures import HIGH, LOW, Format, Tally


def binades(values: Tensor) -> list[int]:
    """How many of them have each exponent; zeros, infinities and NaN have none."""
    wide = values.double()
    _, exponents = torch.frexp(wide[wide.isfinite() & (wide != 0)])  # the fraction lies in [1/2, 1)
    places = (exponents - 1).clamp(LOW, HIGH - 1) - LOW
    found: list[int] = torch.bincount(places, minlength=HIGH - LOW).tolist()
    return found


def tally(values: Tensor, right: Tensor, of: Format) -> Tally:
    """``right``: the same numbers in float64, or what was rounded to them."""
    size = values.double().abs()
    return Tally(
        bins=binades(values),
        count=values.numel(),
        lost=int(((size == 0) & (right != 0) & right.isfinite()).sum()),
        subnormal=int(((size > 0) & (size < 2.0**of.normal)).sum()),
        infinite=int(size.isinf().sum()),
        nan=int(size.isnan().sum()),
    )
