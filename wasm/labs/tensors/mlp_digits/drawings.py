"""Drawings of 8 by 8 pixels as text: a character for each pixel, eight to a row, a space between rows.

A dot is paper, the digits 1 to 9 and the letters a to g are ever more ink: 1 to 16.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labs.contract import LabError
from labs.tensors.mlp_digits.digits import SIDE

INKS = ".123456789abcdefg"

# Strokes as wide as those of the data set, counted as its images were: dark pixels among 4 by 4.
EXAMPLES = {
    "three": ".1cgc1.. .bc4cb.. .21.6c.. ...bg7.. ...7dc.. ....3g.. .ca4ae.. .3cgc3..",
    "seven": ".9cccc6. .3444g6. ....6f.. ....c8.. ...2g2.. ...ab... ..1f5... ..4e....",
    "crossed_seven": ".9cccc6. .3444g6. ....6f.. ..88dd2. ..8ag82. ...ab... ..1f5... ..4e....",
    "four": "...7c... ..1f6... ..9d66.. .2g4b8.. .8ggggc. ....c8.. ....c8.. ....c4..",
    "six": "...1f4.. ...dc... ..8e1... ..cc61.. ..geed.. .3g11g4. .2g77g2. ..6ff6..",
    "zero_at_the_side": "........ ........ 5gd..... c9f4.... c9f4.... 5gd..... ........ ........",
    "heart": ".9c99c9. 7e6ee6e7 7d.66.d7 1e7..7e1 .5f11f5. ..caac.. ..2gg2.. ...77...",
    "nothing": " ".join(["." * SIDE] * SIDE),
}


def read(text: str) -> NDArray[np.uint8]:
    """The 64 pixels of a drawing, from 0 to 16."""
    rows = text.lower().replace("0", ".").split()
    if len(rows) == 1 and len(rows[0]) == SIDE * SIDE:
        rows = [rows[0][at : at + SIDE] for at in range(0, SIDE * SIDE, SIDE)]
    if len(rows) != SIDE:
        raise LabError(f"A drawing has {SIDE} rows with a space between them, and this one has {len(rows)}.")
    for number, row in enumerate(rows, 1):
        if len(row) != SIDE:
            raise LabError(f"Row {number} of the drawing, {row}, has {len(row)} pixels instead of {SIDE}.")
        if strange := set(row) - set(INKS):
            raise LabError(
                f"{min(strange)!r} in row {number} of the drawing is no ink: a dot is paper, 1 to 9 and a to g "
                "are more and more ink."
            )
    return np.array([INKS.index(each) for row in rows for each in row], np.uint8)
