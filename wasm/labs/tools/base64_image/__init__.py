"""Base64: how a picture becomes letters, travels by email, and comes back.

A picture is written to a file, a bitmap or a PNG. Three bytes at a time become four letters, the letters become
lines, and Python's `email` puts a header in front. On the way a letter or a line may be damaged. `email` takes the
file out of the message again, and a viewer opens it. The letters are made by hand, and are compared with `email`.

Reading order: `drawing` has the pictures, `files` opens the two formats, `sextets` turns bytes into letters, `mail`
writes and reads the message, and `tell` says what the steps show.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from labs.contract import Event, Interval, Label, Text, Uint8
from labs.models.tiny_picture import CHANNELS, HEADER, SIDE, SIZE
from labs.tools.base64_image import tell
from labs.tools.base64_image.drawing import LETTERS, PICTURES, pixels
from labs.tools.base64_image.files import Form, opened, written
from labs.tools.base64_image.mail import END, Damage, damaged, posted, read
from labs.tools.base64_image.sextets import STANDARD, URL_SAFE, Group, encoded, group
from labs.tools.base64_image.sextets import read as read_group

STEPS = 6
"""To write the lines in, and to read them."""


@dataclass(frozen=True)
class Params:
    form: Annotated[
        Form, Label("File", help="A bitmap is a header and the pixels. A PNG is compressed.", main=True)
    ] = "bitmap"
    damage: Annotated[Damage, Label("On the way", main=True)] = "a line lost"
    place: Annotated[
        int,
        Interval(ge=0, le=1199),
        Label(
            "Which letter",
            help="Counted from 0; beyond the end, the last one. A lost line is the line of this letter.",
        ),
    ] = 300
    length: Annotated[int, Interval(ge=20, le=128), Label("Letters per line", help="In whole groups of four.")] = 76
    alphabet: Annotated[
        Literal["standard", "URL-safe"],
        Label(
            "Alphabet of the sender",
            help="The last two letters are + and /, or - and _; email uses the first pair.",
        ),
    ] = "standard"
    picture: Annotated[
        str,
        Text(LETTERS, examples=PICTURES),
        Label("Picture", help="Red, green and blue of 16 by 16 pixels, in URL-safe base64."),
    ] = PICTURES["boat"]


@dataclass(frozen=True, kw_only=True)
class Piped(Event):
    """A picture somewhere on its way from a file through a text to a file."""

    kind: Literal["piped"] = "piped"
    stage: Literal["picture", "letters", "message", "on the way", "reading", "end"]
    pixels: Uint8
    """[16, 16, 3] red, green and blue of the picture that is sent"""
    file_bytes: int
    first_group: int
    """The group of three bytes that holds the first pixel; -1 if no group holds a pixel, as in a PNG."""
    lines: list[str]
    """Of letters, as far as they are written; from the damage on, as they arrive."""
    begin: int
    """The first line that this step is about."""
    end: int
    """The line behind its last one."""
    hurt_line: int
    """Where the message was damaged; -1 for nowhere. A line that is lost lay before the one with this number."""
    hurt_column: int
    """The letter of that line, or of the place where it was; -1 for nowhere."""
    lost: str
    """The line that was lost, or the letter as it had been."""
    group: Group
    """The group that is shown bit by bit."""
    was: Group
    """The same group before the damage."""
    head: list[str]
    """Lines of the header; none before it is written."""
    letters: int
    """Letters of the body, as sent."""
    breaks: int
    """Bytes in line breaks of the body, as sent: two each."""
    message_bytes: int
    """All of the message as sent, the header included."""
    overhead: float
    """By how much the body, with its line breaks, is longer than the file, in percent."""
    received: Uint8
    """[16, 16, 3] the picture that is seen at the other end, as far as it has been read"""
    known: int
    """Pixels of it that are there, from the first on."""
    received_bytes: int
    """Of the file, as far as it has been read."""
    different_bytes: int
    """Bytes of the file that are not what they were at their place, or are missing; 0 before the end."""
    different_pixels: int
    """The same in pixels of the picture."""
    defects: list[str]
    """What `email` reports about the message, by the names of its classes; at the end."""
    problem: str
    """What a strict viewer says of the file, at the end; nothing if it has no complaint."""
    sent_hash: str
    """The first 16 digits of the SHA-256 of the file."""
    received_hash: str
    """The same of the file at the other end, at the end."""


def run(params: Params) -> Iterator[Piped]:
    data = pixels(params.picture)
    file = written(params.form, data)
    alphabet = STANDARD if params.alphabet == "standard" else URL_SAFE
    sent = posted(params.form, file, params.length, alphabet)
    if "".join(sent.lines) != encoded(file, alphabet):
        raise AssertionError("our letters are not those of email")
    letters, breaks = sum(map(len, sent.lines)), len(END) * len(sent.lines)
    first = HEADER.size // 3 if params.form == "bitmap" else -1
    start = group(file, 0, alphabet)
    now = Piped(
        text=tell.picture(params.form, len(file)),
        stage="picture",
        pixels=shaped(data),
        file_bytes=len(file),
        first_group=first,
        lines=[],
        begin=0,
        end=0,
        hurt_line=-1,
        hurt_column=-1,
        lost="",
        group=start,
        was=start,
        head=[],
        letters=letters,
        breaks=breaks,
        message_bytes=len(sent.bytes),
        overhead=100 * ((letters + breaks) / len(file) - 1),
        received=shaped(bytes(SIZE)),
        known=0,
        received_bytes=0,
        different_bytes=0,
        different_pixels=0,
        defects=[],
        problem="",
        sent_hash=short(file),
        received_hash="",
    )
    yield now
    for begin, end in portions(len(sent.lines)):
        one = group(file, sum(map(len, sent.lines[:begin])) // 4, alphabet)
        now = replace(now, stage="letters", lines=sent.lines[:end], begin=begin, end=end, group=one, was=one)
        yield replace(now, text=tell.written(one, sum(map(len, now.lines)), letters))
    now = replace(now, stage="message", head=sent.head, begin=0, end=0)
    yield replace(now, text=tell.posted(now.overhead, letters, breaks, len(file)))

    arrived, wound = damaged(sent, params.damage, params.place, alphabet)
    was = one = start
    if wound.line >= 0:
        before = sum(map(len, sent.lines[: wound.line])) + max(0, wound.column)
        was = group(file, before // 4, alphabet)
        one = read_group("".join(arrived.lines), before // 4)
        here = sent.lines[wound.line]
        lost = here if wound.column < 0 else here[wound.column]
        now = replace(now, lines=arrived.lines, hurt_line=wound.line, hurt_column=wound.column, lost=lost)
        now = replace(now, stage="on the way", group=one, was=was)
        yield replace(now, text=tell.hurt(params.damage, wound, was, one))
    now = replace(now, group=one, was=was)

    back, defects = read(arrived)
    seen = opened(params.form, back)
    for begin, end in portions(len(arrived.lines)):
        share = min(len(back), sum(map(len, arrived.lines[:end])) // 4 * 3)
        so_far = opened(params.form, back[:share])
        now = replace(now, stage="reading", begin=begin, end=end, received=shaped(so_far.pixels))
        now = replace(now, known=so_far.known, received_bytes=share)
        yield replace(now, text=tell.reading(share))
    wrong = sum(a != b for a, b in zip(file, back, strict=False)) + max(0, len(file) - len(back))
    different = [
        place >= seen.known or data[at : at + CHANNELS] != seen.pixels[at : at + CHANNELS]
        for place, at in enumerate(range(0, SIZE, CHANNELS))
    ]
    yield replace(
        now,
        stage="end",
        text=tell.end(wrong, len(back) - len(file), defects, seen.problem),
        begin=0,
        end=0,
        received=shaped(seen.pixels),
        known=seen.known,
        received_bytes=len(back),
        different_bytes=wrong,
        different_pixels=sum(different),
        defects=defects,
        problem=seen.problem,
        received_hash=short(back),
    )


def portions(lines: int) -> Iterator[tuple[int, int]]:
    """At most `STEPS` runs of lines that follow one another."""
    each = -(-lines // STEPS)
    return ((begin, min(begin + each, lines)) for begin in range(0, lines, each))


def shaped(values: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(values, np.uint8).reshape(SIDE, SIDE, CHANNELS)


def short(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]
