"""The message around the letters, by Python's ``email``: written, damaged on the way, and read again."""

from __future__ import annotations

from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from typing import Literal

from labs.tools.base64_image.files import Form
from labs.tools.base64_image.sextets import PAD, STANDARD, URL_SAFE

Damage = Literal["none", "a letter changed", "a letter lost", "a line lost"]
END = "\r\n"
KINDS: dict[Form, tuple[str, str]] = {"bitmap": ("bmp", "picture.bmp"), "PNG": ("png", "picture.png")}


@dataclass(frozen=True)
class Letter:
    """A message whose body is the letters of one file."""

    head: list[str]
    """The header, line by line."""
    lines: list[str]
    """The body, line by line."""

    @property
    def bytes(self) -> bytes:
        return END.join([*self.head, "", *self.lines, ""]).encode("ascii")


@dataclass(frozen=True)
class Wound:
    """Where a message was damaged; -1 for nowhere."""

    line: int = -1
    column: int = -1


def posted(form: Form, data: bytes, length: int, alphabet: str) -> Letter:
    """A message with at most ``length`` letters a line, in whole groups of four, as ``email`` breaks them."""
    message = EmailMessage(policy=SMTP.clone(max_line_length=length))
    message["From"] = "zoe@example.org"
    message["To"] = "mira@example.org"
    message["Subject"] = "A picture"
    subtype, name = KINDS[form]
    message.set_content(data, maintype="image", subtype=subtype, filename=name)
    head, _, body = message.as_bytes(policy=SMTP).decode("ascii").partition(END + END)
    if alphabet == URL_SAFE:
        body = body.translate(str.maketrans(STANDARD, URL_SAFE))
    return Letter(head.split(END), body.split())


def damaged(letter: Letter, damage: Damage, place: int, alphabet: str) -> tuple[Letter, Wound]:
    """``place`` is a letter of the body, counted from 0; what lies behind the last one means the last."""
    body = "".join(letter.lines).rstrip(PAD)
    line, column = found(letter.lines, min(place, len(body) - 1))
    lines = [*letter.lines]
    here = lines[line]
    if damage == "a line lost":
        del lines[line]
        column = -1
    elif damage == "a letter lost":
        lines[line] = here[:column] + here[column + 1 :]
    elif damage == "a letter changed":
        lines[line] = here[:column] + alphabet[63 - alphabet.index(here[column])] + here[column + 1 :]
    else:
        line = column = -1
    return Letter(letter.head, lines), Wound(line, column)


def found(lines: list[str], place: int) -> tuple[int, int]:
    """The line and the column of a letter."""
    for number, line in enumerate(lines):
        if place < len(line):
            return number, place
        place -= len(line)
    raise IndexError(place)


def read(letter: Letter) -> tuple[bytes, list[str]]:
    """The file that ``email`` takes out of the message, and the names of the defects that it reports."""
    message = message_from_bytes(letter.bytes, policy=SMTP)
    data = message.get_payload(decode=True)
    assert isinstance(data, bytes)
    return data, [type(each).__name__ for each in message.defects]
