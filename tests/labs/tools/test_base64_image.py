"""Our letters are Python's, our files are what Pillow reads, and damage does what Python's decoder makes of it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import random
from email import message_from_bytes
from email.policy import default

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labs.contract import LabError
from labs.models.tiny_picture import CHANNELS, SIDE, SIZE, bitmap, png
from labs.tools.base64_image import PICTURES, Params, Piped, run
from labs.tools.base64_image.drawing import pixels
from labs.tools.base64_image.files import open_bitmap, open_png
from labs.tools.base64_image.mail import damaged, found, posted, read
from labs.tools.base64_image.sextets import STANDARD, URL_SAFE, encoded, group
from labs.tools.base64_image.sextets import read as read_group
from PIL import Image, UnidentifiedImageError

SEEDS = 60


def last(**chosen: object) -> Piped:
    return list(run(Params(**chosen)))[-1]  # type: ignore[arg-type]


@given(st.binary(max_size=200))
def test_our_letters_are_those_of_the_standard_library(data: bytes) -> None:
    assert encoded(data) == base64.b64encode(data).decode()
    assert encoded(data, URL_SAFE) == base64.urlsafe_b64encode(data).decode()
    letters = encoded(data)
    back = [byte for place in range(len(letters) // 4) for byte in read_group(letters, place).octets]
    assert bytes(back) == data
    for place in range(len(letters) // 4):
        assert group(data, place).letters == letters[4 * place : 4 * place + 4]


@pytest.mark.parametrize("seed", range(4))
def test_both_files_are_what_pillow_reads(seed: int) -> None:
    data = random.Random(seed).randbytes(SIZE)
    for made, opener in ((bitmap, open_bitmap), (png, open_png)):
        image = Image.open(io.BytesIO(made(data)))
        assert image.size == (SIDE, SIDE) and image.convert("RGB").tobytes() == data
        assert opener(made(data)).pixels == data and not opener(made(data)).problem


@pytest.mark.parametrize("way", range(5))
def test_every_filter_of_a_png_is_undone(way: int) -> None:
    """Pillow chooses filters of its own, row by row; smooth pictures make it take all of them."""
    x, y = np.meshgrid(np.arange(SIDE), np.arange(SIDE))
    plane = (np.stack([x * (way + 3) + y, y * 9, x * y + way], -1) % 256).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(plane).save(file, "PNG", compress_level=way)
    seen = open_png(file.getvalue())
    assert seen.pixels == plane.tobytes() and seen.known == SIDE * SIDE and not seen.problem


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_run_ends_with_what_a_plain_program_gets(seed: int) -> None:
    rng = random.Random(seed)
    form = rng.choice(["bitmap", "PNG"])
    damage = rng.choice(["none", "a letter changed", "a letter lost", "a line lost"])
    alphabet = rng.choice(["standard", "standard", "URL-safe"])
    length, place = rng.randint(20, 128), rng.choice([0, 1199, rng.randrange(1200)])
    events = list(
        run(Params(form=form, damage=damage, alphabet=alphabet, length=length, place=place))  # type: ignore[arg-type]
    )
    end, sent = events[-1], next(each for each in events if each.stage == "message")
    data = pixels(PICTURES["boat"])
    file = (bitmap if form == "bitmap" else png)(data)
    encode = base64.b64encode if alphabet == "standard" else base64.urlsafe_b64encode
    whole = encode(file).decode()
    assert "".join(sent.lines) == whole
    assert {len(line) for line in sent.lines[:-1]} <= {length // 4 * 4}
    assert end.letters == len(whole) and end.breaks == 2 * len(sent.lines)
    assert end.overhead == pytest.approx(100 * ((len(whole) + 2 * len(sent.lines)) / len(file) - 1))
    message = "\r\n".join([*end.head, "", *end.lines, ""]).encode()
    part = message_from_bytes(message, policy=default)
    back = part.get_payload(decode=True)
    assert isinstance(back, bytes)
    assert hashlib.sha256(back).hexdigest()[:16] == end.received_hash and len(back) == end.received_bytes
    assert [type(each).__name__ for each in part.defects] == end.defects
    lenient = "".join(each for each in "".join(end.lines) if each in STANDARD)
    if len(lenient) % 4 != 1 and "=" not in "".join(end.lines):
        assert back == binascii.a2b_base64(lenient + "=" * (-len(lenient) % 4))
    agrees_with_pillow(form, back, end)


def agrees_with_pillow(form: str, file: bytes, end: Piped) -> None:
    """A file that we find whole is the picture that Pillow reads; one in which we find fault it refuses, or reads
    differently from what was sent."""
    try:
        image = Image.open(io.BytesIO(file))
        image.load()
        seen: bytes | None = image.convert("RGB").tobytes()
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        seen = None
    if not end.problem:
        assert seen == end.received.tobytes()
    elif form == "PNG" and seen is not None:
        # Pillow does not look at the checksum of every chunk; IEND's is one that it leaves alone.
        assert end.known == SIDE * SIDE


@pytest.mark.parametrize("alphabet", [STANDARD, URL_SAFE])
def test_a_changed_letter_has_all_six_bits_turned_over(alphabet: str) -> None:
    file = bitmap(pixels(PICTURES["noise"]))
    letter = posted("bitmap", file, 76, alphabet)
    for place in range(0, 1096, 7):
        hurt, wound = damaged(letter, "a letter changed", place, alphabet)
        before, after = (one.lines[wound.line][wound.column] for one in (letter, hurt))
        assert alphabet.index(before) ^ alphabet.index(after) == 63
        assert found(letter.lines, place) == (wound.line, wound.column) == (place // 76, place % 76)
        if alphabet == STANDARD:
            data, defects = read(hurt)
            wrong = [i for i, (a, b) in enumerate(zip(file, data, strict=True)) if a != b]
            assert len(wrong) == (1 if place % 4 in (0, 3) else 2) and not defects


def test_each_step_is_a_whole_picture() -> None:
    for event in run(Params(damage="a letter lost")):
        assert event.pixels.shape == event.received.shape == (SIDE, SIDE, CHANNELS)
        assert 0 <= event.begin <= event.end <= len(event.lines)
        known = event.received.reshape(-1, CHANNELS)[event.known :]
        assert not known.any()


def test_a_picture_of_the_readers() -> None:
    data = random.Random(5).randbytes(SIZE)
    end = last(picture=base64.urlsafe_b64encode(data).decode(), damage="none")
    assert end.received.tobytes() == data and end.sent_hash == end.received_hash and not end.different_pixels


@pytest.mark.parametrize("text", ["", "abc", "ä" * 1024, "A" * 1020, "A" * 1023 + "=", "=" * 1024])
def test_a_text_that_is_no_picture_is_refused_with_advice(text: str) -> None:
    with pytest.raises(LabError, match="open a file of yours"):
        next(run(Params(picture=text)))


def test_a_sentence_counts_one_byte_as_one() -> None:
    told = [str(each.text) for each in run(Params(damage="a letter changed", place=0))]
    assert "A letter of line 1 changes on the way, and 1 byte of the file with it." in told
    assert told[-1].startswith("1 byte of the file differs; email reports nothing")
    shorter = str(last(damage="a letter lost", place=1095).text)
    assert shorter.startswith("1 byte of the file differs, and it is 1 byte shorter;")
    assert str(last(place=300).text).startswith("622 bytes of the file differ, and it is 57 bytes shorter;")
