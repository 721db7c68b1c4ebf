"""A mail arrives as it was written, the wire shows what it must and no more, and nothing is left running."""

from __future__ import annotations

import base64
import os
import shutil
import smtplib
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.contract import LabError
from native.tools.smtp_roundtrip import BODIES, SUBJECTS, Params, Sent, ending, job, run
from native.tools.smtp_roundtrip.compose import PICTURE, composed, read
from native.tools.smtp_roundtrip.office import opened
from native.tools.smtp_roundtrip.people import PASSWORD, USER
from native.tools.smtp_roundtrip.processes import Way, started
from native.tools.smtp_roundtrip.tell import end
from native.tools.smtp_roundtrip.wire import TOKEN, encrypted, records

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=40)
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=9)
"""email folds the encoded words of a long name with a blank between them, which stays in it."""
LINES = st.lists(st.one_of(TEXTS, st.sampled_from([".", "..", ".x", "From x", "--=_a_boat", ""])), max_size=6)


def last(**chosen: object) -> Sent:
    return list(run(Params(**chosen)))[-1]  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(NAMES, TEXTS, LINES, st.sampled_from(["as email chooses", "quoted-printable", "base64", "8bit"]))
def test_a_message_says_at_the_other_end_what_was_written(
    name: str, subject: str, body: list[str], encoding: str
) -> None:
    """Blanks around names and subjects are no part of them, and runs of blanks may be folded."""
    try:
        data = composed(name, subject, "\n".join(body), encoding)  # type: ignore[arg-type]
    except LabError:
        return
    got = read(data)
    assert got.picture == PICTURE
    assert ending(got.body) == ending("\n".join(body))
    assert got.subject.split() == subject.split() and got.name.split() == name.split()


@pytest.mark.parametrize("body", [*BODIES.values(), ".\n..\n.", "x" * 997 + "\n.", ""])
def test_the_server_takes_in_what_was_composed(body: str) -> None:
    """By a plain smtplib, without the mailer of the lab. The wiretap notes every byte."""
    data = composed("Zoë", "A boat", body, "as email chooses")
    with opened("none", unsafe=False, stripped=False) as office, smtplib.SMTP("127.0.0.1", office.port) as link:
        link.sendmail("zoe@example.org", ["mira@example.org"], data)
        assert [content for _, _, content in office.mailbox] == [data]
        stuffed = b"".join(b"." * line.startswith(b".") + line for line in data.splitlines(keepends=True))
        assert stuffed + b".\r\n" in office.wire[0]


@pytest.mark.parametrize("security", ["none", "STARTTLS", "TLS from the start"])
def test_the_picture_comes_back_and_tls_keeps_the_secrets(security: str) -> None:
    events = list(run(Params(security=security)))  # type: ignore[arg-type]
    end = events[-1]
    assert end.sent_hash == end.received_hash and end.same_text and not end.failure
    assert end.overheard == (["subject", "picture"] if security == "none" else [])
    assert [each.stage for each in events if each.stage != "dialogue"] == ["message", "process", "mailbox", "end"]
    said = [each.client.split(" ")[0].lower() for each in end.exchanges]
    assert ("auth" in said) == (security != "none")
    for each in end.exchanges:
        if each.sealed and each.client:
            plain = len(each.client.replace("\n", "\r\n").encode()) + 2
            assert each.up_bytes == plain + 22 * len(each.up), "a record of TLS 1.3 has 22 bytes more than it holds"


@pytest.mark.parametrize("security", ["STARTTLS", "TLS from the start"])
def test_no_secret_is_in_the_bytes_of_an_encrypted_wire(security: str) -> None:
    data = composed("Zoë", "A secret boat", BODIES["dots"], "base64")
    with opened(security, False, False) as office, tempfile.TemporaryDirectory() as folder:  # type: ignore[arg-type]
        with started("standard input", Path(folder), job(security, office, data)) as mailer:  # type: ignore[arg-type]
            mailer.tell()
            while "failed" not in mailer.heard():
                mailer.tell()
            mailer.tell()
            mailer.process.wait(10)
        assert office.mailbox[0][2] == data
        up = bytes(office.wire[0])
        hidden = up[up.index(b"\x16\x03") :]
        for secret in (TOKEN, PASSWORD.encode(), b"secret boat", b"MAIL", base64.b64encode(PICTURE)[:20]):
            assert secret not in hidden
        assert sum(each.bytes for each in records(hidden)) == len(hidden) and encrypted(hidden)


def test_without_tls_a_password_is_read_from_the_wire() -> None:
    end = last(security="none", unsafe=True)
    assert end.overheard == ["password", "subject", "picture"]
    said = next(each.client for each in end.exchanges if each.client.startswith("AUTH"))
    assert base64.b64decode(said.split()[-1]).split(b"\0") == [b"", USER.encode(), PASSWORD.encode()]


def test_a_mailer_that_insists_on_starttls_sends_nothing_without_it() -> None:
    end = last(stripped=True)
    assert end.failure == "SMTPNotSupportedError: STARTTLS extension not supported by server."
    assert not end.received_hash and not any("STARTTLS" in each.server for each in end.exchanges)
    assert not any(each.client.startswith("mail") for each in end.exchanges)


def test_a_line_that_is_too_long_is_refused_by_the_server() -> None:
    end = last(body=BODIES["a long line"], encoding="8bit")
    assert end.failure.startswith("SMTPDataError: (500, b'Line too long") and not end.received_hash
    assert last(body=BODIES["a long line"]).same_text


@pytest.mark.parametrize("text", [SUBJECTS["two headers"], "boat\r", "a\r\nb", "boat\n", "\nboat"])
@pytest.mark.parametrize("field", ["subject", "name"])
def test_a_line_break_in_a_header_is_refused(field: str, text: str) -> None:
    with pytest.raises(LabError, match=f"The {field} has a line break, which would begin another header"):
        next(run(Params(**{field: text})))


@pytest.mark.parametrize(
    ("way", "holding"),
    [("an argument", "arguments"), ("the environment", "environment"), ("a file", "file"), ("standard input", "")],
)
def test_ps_sees_what_the_lab_says(way: Way, holding: str, tmp_path: Path) -> None:
    with started(way, tmp_path, {}) as mailer:
        places = {each.name: each for each in mailer.seen()}
        assert [name for name, each in places.items() if each.holds] == [holding][: bool(holding)]
        assert places["arguments"].mode == "-r--r--r--" and places["environment"].mode == "-r--------"
        if shutil.which("ps"):
            asked = ["ps", "-ww", "-o", "args=", "-p", str(mailer.process.pid)]
            shown = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
            assert (PASSWORD in shown) == (holding == "arguments")
            # Behind the interpreter and the script: the folder of a file is left out.
            rest = shown.replace(f"{tmp_path}/", "").split(" ")[2:]
            assert rest == places["arguments"].shows.split(" ")[2:]
    assert mailer.process.poll() is not None


def test_nothing_is_left_of_a_run_that_is_given_up() -> None:
    before = {each.name for each in threading.enumerate()}
    going = run(Params())
    for _ in range(6):
        next(going)
    children = subprocess_ids()
    assert children
    going.close()
    assert not children & subprocess_ids()
    assert {each.name for each in threading.enumerate()} <= before


def test_the_server_is_gone_after_a_run() -> None:
    with opened("none", unsafe=False, stripped=False) as office, smtplib.SMTP("127.0.0.1", office.port) as link:
        link.noop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", office.port), timeout=5)


def subprocess_ids() -> set[str]:
    """Children of this process that live."""
    found = set()
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        found |= set(task.joinpath("children").read_text().split())
    return {each for each in found if "mailer.py" in Path(f"/proc/{each}/cmdline").read_text()}


@pytest.mark.parametrize(
    ("heard", "words"),
    [
        (["picture"], "the picture"),
        (["subject", "picture"], "the subject and the picture"),
        (["password", "subject", "picture"], "the password, the subject and the picture"),
    ],
)
def test_what_was_read_on_the_wire_is_listed(heard: list[str], words: str) -> None:
    assert (
        str(end(True, heard, ""))
        == f"The picture is the same, byte for byte, and somebody on the wire has read {words}."
    )
