"""What the chapter on base64 and mail says, counted anew and asked of Python itself."""

from __future__ import annotations

import base64
import binascii
import ssl
from collections import Counter
from email import message_from_bytes
from email.message import EmailMessage
from functools import cache
from typing import Any

import pytest
from article import Article, recorded
from labs.models.tiny_picture import HEADER, bitmap, boat, painted, png
from labs.tools.base64_image import Params, Piped, run
from labs.tools.base64_image.files import Form, opened
from labs.tools.base64_image.mail import damaged, posted, read
from labs.tools.base64_image.sextets import STANDARD
from native.tools import smtp_roundtrip
from native.tools.smtp_roundtrip import BODIES, SUBJECTS, Sent
from native.tools.smtp_roundtrip.compose import composed

says = Article("tools/01-pictures-through-a-text-pipe.mdx").says
BITMAP, PNG = bitmap(painted(boat)), png(painted(boat))


@cache
def last(**chosen: Any) -> Piped:
    return list(run(Params(**chosen)))[-1]


@cache
def mailed(**chosen: Any) -> Sent:
    return list(smtp_roundtrip.run(smtp_roundtrip.Params(**chosen)))[-1]


def test_a_lost_line_is_reported_by_nobody() -> None:
    says(
        "one line of the message disappears. Python's `email` reads what is left, hands over a file of … bytes, "
        "and reports no defect. A strict viewer says that the file ends too early; a lenient one shows the boat. "
        "The line carried 19 pixels. All pixels after them have moved up by 19 places, so … of 256 are not "
        "what they were.",
        "**A line is lost.** 76 is a multiple of four.",
    )
    end = recorded("tools/base64_image")[-1]
    assert end["defects"] == [] and (end["file_bytes"], end["received_bytes"]) == (822, 765)
    assert end["known"] == 256 - 19 and end["different_pixels"] > 0
    for place in range(0, 1064, 76):  # the last line is a shorter one, and made of whole groups, too
        assert last(place=place).defects == []


def test_the_letters_of_a_bitmap() -> None:
    says(
        "A bitmap begins with the bytes 66, 77 and 54. Their bits, cut every six, are the numbers 16, 36, 52 and "
        "54, and these are the letters `Qk02`.",
        "the header in front of the pixels has 54, which is 18 times three",
    )
    assert [*BITMAP[:3]] == [66, 77, 54] and base64.b64encode(BITMAP).startswith(b"Qk02")
    assert [STANDARD.index(letter) for letter in "Qk02"] == [16, 36, 52, 54]
    assert HEADER.size == 54 == 18 * 3 and list(run(Params()))[1].group.letters == "Qk02"


def test_the_overhead() -> None:
    says(
        "letters, one third more.",
        "Each line of 76 letters carries 57 bytes and ends with two more characters, `CR` and `LF`, and $78/57$ "
        "is 36.8 % more. For our file it is … %, because the last line is short.",
    )
    assert len(base64.b64decode("A" * 76)) == 57 and round(100 * (78 / 57 - 1), 1) == 36.8
    end = recorded("tools/base64_image")[-1]
    assert end["overhead"] == pytest.approx(100 * ((1096 + 30) / 822 - 1)) and end["overhead"] > 36.9
    body = binascii.b2a_base64(BITMAP, newline=False)
    assert len(body) == 1096 and 1096 % 76 != 0


def all_changes(form: Form, file: bytes) -> tuple[int, Counter[int], int, int]:
    """Letters, how many bytes each changed one makes wrong, files in which a viewer finds fault, defects."""
    letter = posted(form, file, 76, STANDARD)
    count = len("".join(letter.lines).rstrip("="))
    wrong, refused, defects = Counter[int](), 0, 0
    for place in range(count):
        back, reports = read(damaged(letter, "a letter changed", place, STANDARD)[0])
        wrong[sum(a != b for a, b in zip(file, back, strict=True))] += 1
        refused += bool(opened(form, back).problem)
        defects += bool(reports)
    return count, wrong, refused, defects


def wrong_pixels(place: int) -> int | None:
    """Of the bitmap with that letter changed; None where a viewer refuses it."""
    back, _ = read(damaged(posted("bitmap", BITMAP, 76, STANDARD), "a letter changed", place, STANDARD)[0])
    seen, whole = opened("bitmap", back), opened("bitmap", BITMAP)
    if seen.problem:
        return None
    return sum(seen.pixels[at : at + 3] != whole.pixels[at : at + 3] for at in range(0, len(whole.pixels), 3))


def test_who_notices_a_changed_letter() -> None:
    says(
        "Flip all six in each of the 1,096 letters, one letter at a time: 548 times one byte is wrong, 548 "
        "times two. `email` never reports anything",
        "Of the damaged bitmaps, a viewer refuses only 29",
        "1,024 of the others open with one wrong pixel, and 43, which change only the header, with none.",
        "as a PNG has 296 bytes, which are 395 letters and one `=`.",
        "All 395 changes are noticed.",
    )
    assert all_changes("bitmap", BITMAP) == (1096, Counter({1: 548, 2: 548}), 29, 0)
    count, _, refused, defects = all_changes("PNG", PNG)
    assert len(PNG) == 296 and len(base64.b64encode(PNG)) == 396
    assert (count, refused, defects) == (395, count, 0) and base64.b64encode(PNG).count(b"=") == 1
    pixels = Counter(wrong_pixels(place) for place in range(1096))
    assert pixels == {None: 29, 1: 1024, 0: 43}


def test_a_lost_letter_and_the_wrong_alphabet() -> None:
    says(
        "`email` notices that the number of letters is no multiple of four: `InvalidBase64PaddingDefect`.",
        "it drops every `-` and `_`, everything after the first of them is cut in the wrong places, and the "
        "file is 21 bytes shorter.",
        "`base64.b64decode` is as lenient, unless you say `validate=True`.",
    )
    assert last(damage="a letter lost").defects == ["InvalidBase64PaddingDefect"]
    end = last(damage="none", alphabet="URL-safe")
    assert end.file_bytes - end.received_bytes == 21
    letters = base64.urlsafe_b64encode(BITMAP)
    lenient = letters.replace(b"-", b"").replace(b"_", b"")
    assert base64.b64decode(letters + b"==") == base64.b64decode(lenient + b"==")
    with pytest.raises(binascii.Error):
        base64.b64decode(letters, validate=True)


def test_a_call_makes_the_header() -> None:
    says('message.add_attachment(data, maintype="image", subtype="png", filename="boat.png")')
    says("`MIME-Version`, `Content-Type: image/bmp` and `Content-Transfer-Encoding: base64`")
    head = recorded("tools/base64_image")[-1]["head"]
    for line in ("MIME-Version: 1.0", "Content-Type: image/bmp", "Content-Transfer-Encoding: base64"):
        assert line in head
    message = EmailMessage()
    message.set_content("a boat")
    message.add_attachment(PNG, maintype="image", subtype="png", filename="boat.png")
    (part,) = message_from_bytes(message.as_bytes()).get_payload()[1:]  # type: ignore[index]
    assert part.get_payload(decode=True) == PNG  # type: ignore[union-attr]


def test_the_rules_that_bite() -> None:
    says(
        "In the figure `.profile` travels as `..profile`.",
        "the server answers 500. Left to choose, `email` picks an encoding that breaks the line up.",
        "`Zoë Müller` travels as `=?utf-8?q?Zo=C3=AB_M=C3=BCller?=`",
        "`Header values may not contain linefeed or carriage return characters`",
    )
    sent = next(
        each["client"] for each in recorded("tools/smtp_roundtrip")[-1]["exchanges"] if "\n" in each["client"]
    )
    assert "\n..profile\n..\n" in sent and sent.endswith("\n.") and "=?utf-8?q?Zo=C3=AB_M=C3=BCller?= <" in sent
    assert mailed(body=BODIES["a long line"], encoding="8bit").exchanges[9].server.startswith("500 ")
    chosen = composed("Zoë", "A boat", BODIES["a long line"], "as email chooses")
    assert max(map(len, chosen.split(b"\r\n"))) <= 78
    with pytest.raises(ValueError, match="Header values may not contain linefeed or carriage return characters"):
        EmailMessage()["Subject"] = SUBJECTS["two headers"]


def test_what_the_wire_tells() -> None:
    says(
        "In the clear, somebody on the wire reads the subject and the picture",
        "`AUTH PLAIN AHpvZQBib2F0LWluLWEtYm90dGxl` is the user and the password with a zero byte in front of each",
        "With STARTTLS the same line is a record of 63 bytes whose content nobody reads.",
        "`smtplib` then raises `SMTPNotSupportedError`, and sends nothing.",
    )
    assert base64.b64decode("AHpvZQBib2F0LWluLWEtYm90dGxl") == b"\0zoe\0boat-in-a-bottle"
    clear = mailed(security="none", unsafe=True)
    assert clear.overheard == ["password", "subject", "picture"]
    (login,) = (
        each for each in recorded("tools/smtp_roundtrip")[-1]["exchanges"] if "AUTH PLAIN" in each["client"]
    )
    assert login["client"] == "AUTH PLAIN AHpvZQBib2F0LWluLWEtYm90dGxl" and login["up_bytes"] == 63
    assert recorded("tools/smtp_roundtrip")[-1]["overheard"] == []
    stripped = mailed(stripped=True)
    assert stripped.failure.startswith("SMTPNotSupportedError") and not stripped.received_hash


def test_who_reads_the_password() -> None:
    says(
        "The mailer was started with `--password boat-in-a-bottle`.",
        "`/proc/PID/cmdline`, whose mode is `-r--r--r--`, for everybody, unless `/proc` is mounted with `hidepid`.",
        "`/proc/PID/environ`, with mode `-r--------`: for the same user and root.",
        "A password that comes through standard input is in none of the three.",
    )
    places = recorded("tools/smtp_roundtrip")[-1]["places"]
    assert [(each["name"], each["mode"], each["holds"]) for each in places] == [
        ("arguments", "-r--r--r--", True),
        ("environment", "-r--------", False),
    ]
    assert places[0]["shows"].endswith("--password boat-in-a-bottle")
    assert [each.mode for each in mailed(way="a file").places if each.holds] == ["-rw-------"]
    assert not any(each.holds for each in mailed(way="standard input").places)


def test_smtplib_checks_no_certificate_by_itself() -> None:
    says("without one, `smtplib` checks no certificate.")
    bare = ssl._create_stdlib_context()
    assert bare.verify_mode == ssl.CERT_NONE and not bare.check_hostname


def test_the_exercises() -> None:
    says(
        "333 full groups and one more make 334, so there are 1,336 letters.",
        "18 line breaks make 36 bytes more, 1,372.",
    )
    letters = base64.b64encode(bytes(1000))
    assert len(letters) == 1336 and letters.count(b"=") == 2 and -(-1336 // 76) == 18
    message = EmailMessage()
    message.set_content(bytes(1000), maintype="application", subtype="octet-stream")
    assert len(message.as_bytes().partition(b"\n\n")[2].replace(b"\n", b"\r\n")) == 1372
    says(
        "The bitmap lost its fourth line, which is 19 pixels, and since the rest moved up, 214 pixels differ.",
        "88. What comes before the lost line",
    )
    says(
        "168 pixels come out of it.",
        "8 pixels are wrong, and 80 are missing.",
        "claims to be longer than the file.",
    )
    assert last().hurt_line == 3 and last().different_pixels == 214
    end = last(form="PNG")
    assert (end.different_pixels, end.known, end.hurt_line) == (88, 176, 3) and "claims" in end.problem
    wrong = [
        a != b
        for a, b in zip(end.pixels.reshape(-1, 3).tolist(), end.received.reshape(-1, 3).tolist(), strict=True)
    ]
    assert not any(wrong[:168]) and all(wrong[168:])
    lines = posted("bitmap", BITMAP, 76, STANDARD)
    lines.lines[2], lines.lines[3] = lines.lines[3], lines.lines[2]
    assert read(lines)[1] == []
