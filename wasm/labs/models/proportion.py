"""What a count says of a share: how many of so many, and where the share of all lies."""

from __future__ import annotations

import math

DEVIATIONS = 1.959964  # either side of its middle hold 95 % of a normal distribution


def wilson(count: int, of: int) -> tuple[float, float]:
    """The shares between which that of all lies with a confidence of 95 %, by Wilson's score interval (1927).

    It is honest at 0 and at 100 %, where share ± 2·sqrt(share·(1 − share)/n) has no width.
    """
    share, spread = count / of, DEVIATIONS**2 / of
    middle = share + spread / 2
    reach = DEVIATIONS * math.sqrt(share * (1 - share) / of + spread / (4 * of))
    return max(0.0, (middle - reach) / (1 + spread)), min(1.0, (middle + reach) / (1 + spread))
