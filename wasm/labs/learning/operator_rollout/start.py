"""A drawn start: hundredths, evenly spaced around the ring, joined by a line whose corners are rounded."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labs.contract import LabError
from labs.models.fields import exact

MANY = 32  # values of a start as the figure draws it
MOST = 64
SAMPLES = 1024  # of the line: the finest grid there is
ROUND = 1.2e-4  # half the variance of the Gaussian that rounds: it is as wide as half a gap between 32 values


def _wave(*parts: tuple[float, int, float]) -> str:
    at = np.arange(MANY) / MANY
    field = np.array([height * np.sin(2 * np.pi * (waves * at + turn)) for height, waves, turn in parts]).sum(0)
    return " ".join(str(round(100 * value)) for value in field.tolist())


EXAMPLES = {
    "two_waves": _wave((0.6, 1, 0.0), (0.35, 2, 0.2)),
    "one_wave": _wave((0.9, 1, 0.0)),
    "step": " ".join(["-50"] * 8 + ["80"] * 12 + ["-50"] * 12),
    "spike": " ".join(["0"] * 10 + ["30", "100", "30"] + ["0"] * 19),
    "ripples": _wave((0.5, 1, 0.0), (0.4, 9, 0.1)),
    "teeth": " ".join(["90", "-90"] * 16),
}


def read(text: str) -> NDArray[np.float64]:
    """[SAMPLES] the start, at most 1 in size."""
    words = text.replace(",", " ").split()
    if not 4 <= len(words) <= MOST:
        raise LabError(f"A start has 4 to {MOST} numbers with a space between them, and this one has {len(words)}.")
    values = []
    for word in words:
        try:
            value = int(word)
        except ValueError:
            raise LabError(f"{word!r} in the start is no whole number: write hundredths, such as -25.") from None
        if not -100 <= value <= 100:
            raise LabError(f"{value} in the start is out of reach: write hundredths from -100 to 100.")
        values.append(value / 100)
    line = np.interp(np.arange(SAMPLES) / SAMPLES, np.arange(len(values) + 1) / len(values), [*values, values[0]])
    return exact.heat(line, ROUND, 1.0)
