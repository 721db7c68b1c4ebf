"""What a viewer makes of a bitmap or a PNG, whole or not."""

from __future__ import annotations

import binascii
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from labs.models.tiny_picture import CHANNELS, HEADER, ROW, SIDE, SIGNATURE, SIZE, bitmap, png, turned

Form = Literal["bitmap", "PNG"]


@dataclass(frozen=True)
class Opened:
    """What a viewer makes of a file."""

    pixels: bytes
    """[16 · 16 · 3] red, green and blue; black where there is nothing"""
    known: int
    """Pixels that are there, from the first on."""
    problem: str
    """What is wrong with the file, as far as its format lets a viewer see it; nothing if all seems well."""


def written(form: Form, pixels: bytes) -> bytes:
    return bitmap(pixels) if form == "bitmap" else png(pixels)


def opened(form: Form, data: bytes) -> Opened:
    return open_bitmap(data) if form == "bitmap" else open_png(data)


def open_bitmap(data: bytes) -> Opened:
    if len(data) < HEADER.size or data[:2] != b"BM":
        return Opened(bytes(SIZE), 0, "It does not begin as a bitmap does.")
    _, _, _, start, _, width, height, _, depth, compression, *_ = HEADER.unpack(data[: HEADER.size])
    if (width, height, depth, compression, start) != (SIDE, -SIDE, 24, 0, HEADER.size):
        return Opened(bytes(SIZE), 0, "Its header describes another kind of picture.")
    there = data[start : start + SIZE]
    whole = len(there) // CHANNELS
    lacking = SIDE * SIDE - whole
    problem = f"It ends {lacking} {'pixel' if lacking == 1 else 'pixels'} too early." if lacking else ""
    return Opened(turned(there[: whole * CHANNELS].ljust(SIZE, b"\0")), whole, problem)


def open_png(data: bytes) -> Opened:
    """A strict viewer stops at the first problem; the pixels are those that can be had all the same."""
    if data[:8] != SIGNATURE:
        return Opened(bytes(SIZE), 0, "It does not begin as a PNG does.")
    problem, squeezed = "", b""
    for name, body, wrong in chunks(data[8:]):
        problem = problem or wrong
        squeezed += body if name == b"IDAT" else b""
    unpacked = inflated(squeezed)
    pixels, known = unfiltered(unpacked)
    return Opened(pixels, known, problem)


def chunks(data: bytes) -> Iterator[tuple[bytes, bytes, str]]:
    """Name, bytes, and what is wrong, up to IEND or to where no more can be read."""
    name = b""
    while name != b"IEND":
        if len(data) < 12:
            yield b"", b"", "It ends before its last chunk."
            return
        size, name = struct.unpack(">I4s", data[:8])
        body, told = data[8 : 8 + size], data[8 + size : 12 + size]
        if len(told) < 4:
            yield name, data[8:], f"The chunk {printed(name)} claims {size:,} bytes, more than there are."
            return
        good = struct.unpack(">I", told)[0] == binascii.crc32(name + body)
        yield name, body, "" if good else f"The checksum of the chunk {printed(name)} does not match."
        data = data[12 + size :]


def printed(name: bytes) -> str:
    return ascii(name.decode("latin-1"))[1:-1]


def inflated(squeezed: bytes) -> bytes:
    """As much as comes out before the first contradiction."""
    machine, out = zlib.decompressobj(), b""
    try:
        for value in squeezed:
            out += machine.decompress(bytes([value]), SIZE + SIDE)
    except zlib.error:
        pass
    return out[: SIZE + SIDE]


def unfiltered(rows: bytes) -> tuple[bytes, int]:
    """[16 · 16 · 3] the pixels, and how many are there; a row has its filter in front."""
    out, above = bytearray(), bytes(ROW)
    for start in range(0, len(rows), ROW + 1):
        kind, row = rows[start], bytearray(rows[start + 1 : start + 1 + ROW])
        if kind > 4:
            break
        for i in range(len(row)):
            left = row[i - CHANNELS] if i >= CHANNELS else 0
            corner = above[i - CHANNELS] if i >= CHANNELS else 0
            row[i] = (row[i] + guess(kind, left, above[i], corner)) % 256
        out += row
        above = bytes(row).ljust(ROW, b"\0")
    return bytes(out[:SIZE].ljust(SIZE, b"\0")), min(len(out), SIZE) // CHANNELS


def guess(kind: int, left: int, above: int, corner: int) -> int:
    """What filter ``kind`` expects of a byte: nothing, left, above, their mean, or Paeth's choice."""
    if kind < 3:
        return (0, left, above)[kind]
    if kind == 3:
        return (left + above) // 2
    sum_ = left + above - corner
    return min((left, above, corner), key=lambda one: abs(sum_ - one))
