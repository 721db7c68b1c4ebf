"""Pictures of 16 by 16 pixels, three bytes each, as a text that fits into a link."""

from __future__ import annotations

import base64
import binascii
import random
from collections.abc import Callable

from labs.contract import LabError
from labs.models.tiny_picture import SIDE, SIZE, Colour, boat, painted

LETTERS = SIZE // 3 * 4


def pixels(text: str) -> bytes:
    """[16 · 16 · 3] red, green and blue of each pixel, row by row, from URL-safe base64."""
    try:
        data = base64.b64decode(text.strip(), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise LabError(
            "The picture is a text of letters, digits, - and _, four for each pixel: choose one of those here, or"
            " open a file of yours."
        ) from None
    if len(data) != SIZE:
        raise LabError(
            f"The picture needs {LETTERS:,} letters, four for each of {SIDE} by {SIDE} pixels, and this text has"
            f" {len(text.strip()):,}: choose one of those here, or open a file of yours."
        )
    return data


def drawn(paint: Callable[[int, int], Colour]) -> str:
    """The text of such a picture."""
    return base64.urlsafe_b64encode(painted(paint)).decode()


def chequers(x: int, y: int) -> Colour:
    return (236, 232, 220) if (x // 4 + y // 4) % 2 else (40, 62, 92)


def noise() -> Callable[[int, int], Colour]:
    values = random.Random(16)
    return lambda x, y: (values.randrange(256), values.randrange(256), values.randrange(256))


PICTURES = {"boat": drawn(boat), "chequers": drawn(chequers), "noise": drawn(noise())}
"""To begin with."""
