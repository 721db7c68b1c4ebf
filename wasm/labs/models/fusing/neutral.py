"""Where accumulators begin."""

from __future__ import annotations

from typing import Any

import numpy as np

from labs.models.fusing.evaluate import NUMPY

NEUTRAL: dict[str, tuple[float, ...]] = {
    **{"sum": (0.0,), "prod": (1.0,), "amax": (-np.inf,), "amin": (np.inf,)},
    **{"softmax": (-np.inf, 0.0), "moments": (0.0, 0.0, 0.0)},
}
"""Of each monoid, the neutral element: a number for each of its accumulators"""


def neutral(first: float, dtype: str) -> Any:
    """The least and the greatest whole number stand for the infinities."""
    kind = NUMPY[dtype]
    if np.issubdtype(kind, np.integer) and np.isinf(first):
        return np.asarray(np.iinfo(kind).max if first > 0 else np.iinfo(kind).min, kind)
    return np.asarray(first, kind)
