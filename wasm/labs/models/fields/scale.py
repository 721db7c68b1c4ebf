"""How a network is told the viscosity: as a logarithm, around what is usual here."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

USUAL = 0.016


def scaled(viscosity: float | NDArray[Any]) -> Any:
    return np.log(viscosity / USUAL)
