"""How a lab's process speaks to its supervisor: one letter, a length (4 bytes, big-endian), the payload.

E  an event: its kind, a newline, its JSON
B  an array too large for its event: raw bytes
D  done: empty
F  failed: the reason, for the reader
I  failed, too: what it measured cannot be
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping

HEADER = struct.Struct("!cI")
KIND = re.compile(r"[a-z][a-z0-9_]{0,63}")
RESERVED = {"queued", "starting", "started", "end"}  # kinds that the engine and the page write


class GarbledError(Exception):
    """What came is no frame: a lab has the channel open and can write to it past us."""


class OversizeError(Exception):
    """A frame announces more bytes than its letter may have."""

    def __init__(self, letter: bytes, size: int) -> None:
        super().__init__(f"a frame {letter!r} of {size} bytes")
        self.letter, self.size = letter, size


def frame(letter: bytes, payload: bytes = b"") -> bytes:
    return HEADER.pack(letter, len(payload)) + payload


class Unframer:
    """Turns what comes through the channel, cut anywhere, back into frames; ``most`` is the size by letter."""

    def __init__(self, most: Mapping[bytes, int]) -> None:
        self.most = most
        self.received = bytearray()

    def feed(self, chunk: bytes) -> Iterator[tuple[bytes, bytes]]:
        """The frames that are complete now. Raises ``GarbledError``, or early ``OversizeError``."""
        self.received += chunk
        while len(self.received) >= HEADER.size:
            letter, size = HEADER.unpack_from(self.received)
            if letter not in self.most:
                raise GarbledError
            if size > self.most[letter]:
                raise OversizeError(letter, size)
            end = HEADER.size + size
            if len(self.received) < end:
                return
            payload = bytes(self.received[HEADER.size : end])
            del self.received[:end]
            yield letter, payload


def allowed_kind(kind: str) -> bool:
    """Whether a lab may call an event so: a name in snake_case that the engine does not use itself."""
    return KIND.fullmatch(kind) is not None and kind not in RESERVED
