"""A picture of 16 by 16 pixels, and two files for it: a bitmap, whose bytes are the pixels, and a PNG, which is
compressed and checked."""

from __future__ import annotations

import binascii
import struct
import zlib
from collections.abc import Callable

SIDE = 16
CHANNELS = 3  # red, green, blue
SIZE = SIDE * SIDE * CHANNELS
ROW = SIDE * CHANNELS
HEADER = struct.Struct("<2sIIIIiiHHIIiiII")
"""Of a bitmap: 54 bytes, which is 18 times three."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"
Colour = tuple[int, int, int]


def painted(paint: Callable[[int, int], Colour]) -> bytes:
    """[16 · 16 · 3] the pixels of a picture, of which ``paint(x, y)`` says each."""
    return bytes(value for y in range(SIDE) for x in range(SIDE) for value in paint(x, y))


def boat(x: int, y: int) -> Colour:
    """A sailing boat at sunset."""
    if (x - 12.5) ** 2 + (y - 3.5) ** 2 < 5:
        return 255, 226, 120
    if 2 <= y <= 9 and 7 - (y - 1) * 0.75 <= x <= 6:
        return 250, 250 - 6 * y, 240 - 8 * y
    if 3 <= y <= 9 and 8 <= x <= 8 + (y - 2) * 0.5:
        return 216, 72 + 6 * y, 70
    if x == 7 and 1 <= y <= 10:
        return 96, 60, 40
    if 10 <= y <= 11 and 2 + (y - 10) <= x <= 12 - (y - 10):
        return 122 - 26 * (y - 10), 62, 44
    if y >= 12 or (y == 11 and x % 5 == 0):
        return 24 + 5 * (x * 3 % 7), 88 + 9 * (15 - y) + 6 * ((x + y) % 3), 138 + 8 * (15 - y)
    return 92 + 13 * y, 138 + 7 * y, 222 - 8 * y


def bitmap(pixels: bytes) -> bytes:
    """BMP with 24 bits a pixel. A negative height says that the top row comes first."""
    size = HEADER.size
    head = HEADER.pack(b"BM", size + SIZE, 0, size, 40, SIDE, -SIDE, 1, 24, 0, SIZE, 2835, 2835, 0, 0)
    return head + turned(pixels)


def turned(pixels: bytes) -> bytes:
    """Red and blue change places: a bitmap has blue first."""
    swapped = bytearray(pixels)
    swapped[0::3], swapped[2::3] = pixels[2::3], pixels[0::3]
    return bytes(swapped)


def png(pixels: bytes) -> bytes:
    """PNG with 24 bits a pixel; each row is what it differs by from the row above (filter 2)."""
    above = bytes(ROW)
    rows = bytearray()
    for start in range(0, SIZE, ROW):
        row = pixels[start : start + ROW]
        rows += b"\2" + bytes((here - over) % 256 for here, over in zip(row, above, strict=True))
        above = row
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(bytes(rows), 9)),
        (b"IEND", b""),
    )
    return SIGNATURE + b"".join(chunk(name, body) for name, body in parts)


def chunk(name: bytes, body: bytes) -> bytes:
    """Its length, its name, its bytes, and a checksum (CRC-32) of name and bytes."""
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", binascii.crc32(name + body))
