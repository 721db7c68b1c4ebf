"""What somebody reads who listens on the wire: text as it is, and of TLS the outsides of its records."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from native.tools.smtp_roundtrip.compose import PICTURE
from native.tools.smtp_roundtrip.people import PASSWORD, USER

HEAD = 5
"""Bytes in front of a record: its type, a version, and its length."""
APPLICATION_DATA = 23
TYPES = {20: "change cipher spec", 21: "alert", 22: "handshake", APPLICATION_DATA: "encrypted"}
TOKEN = base64.b64encode(f"\0{USER}\0{PASSWORD}".encode())
"""What AUTH PLAIN sends: name and password with a zero byte in front of each, in base64."""


@dataclass(frozen=True)
class Record:
    """Of TLS, from outside."""

    type: str
    bytes: int
    """With its head of five bytes."""


def records(data: bytes) -> list[Record]:
    """Whole ones; what follows the last whole one is passed over."""
    found = []
    while len(data) >= HEAD and len(data) >= (end := HEAD + int.from_bytes(data[3:5], "big")):
        found.append(Record(TYPES.get(data[0], f"type {data[0]}"), end))
        data = data[end:]
    return found


def encrypted(data: bytes) -> bool:
    """Whether a record of application data has passed; the end of a handshake is sent as one."""
    return any(each.type == TYPES[APPLICATION_DATA] for each in records(data))


def overheard(data: bytes) -> list[str]:
    """What can be read in all that passed."""
    found = []
    if TOKEN in data:
        found.append("password")
    if b"\r\nSubject:" in data:
        found.append("subject")
    if base64.b64encode(PICTURE)[:48] in data:
        found.append("picture")
    return found
