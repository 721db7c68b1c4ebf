"""An email over SMTP: a message and a picture, from a program to a mail server, with and without TLS.

The message is written by Python's `email`. A mailer, a process of its own, sends it by `smtplib` to a server of
aiosmtpd on the loopback. A relay between them notes every byte that passes, as somebody on the wire could. Before
that, the lab looks at the mailer as `ps` does. The server's copy is read by `email` again.

Reading order: `compose` writes and reads the message, `processes` starts the mailer and looks at it, `mailer`
sends, `office` is the server and the wiretap, `wire` reads what passed, `dialogue` puts that beside what was said,
and `tell` says it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from labs.contract import Event, Label, Text

from native.models.localhost import CERTIFICATE
from native.tools.smtp_roundtrip import tell
from native.tools.smtp_roundtrip.compose import PICTURE, RECIPIENT, SENDER, Encoding, composed, lines, read, short
from native.tools.smtp_roundtrip.dialogue import Dialogue, Exchange
from native.tools.smtp_roundtrip.office import Office, Security, opened
from native.tools.smtp_roundtrip.processes import Place, Way, started
from native.tools.smtp_roundtrip.wire import overheard

LOOPBACK = True
SHOWS_PYTHON = True
POSTER = 12
PORTS: dict[Security, int] = {"none": 25, "STARTTLS": 587, "TLS from the start": 465}
BODIES = {
    "dots": "Hello Mira,\n\nhere is the boat. A line may begin with a dot:\n.profile\n.\n\nZoë",
    "plain": "Hello Mira,\n\nhere is the boat.\n\nZoe",
    "Greek": "Καλημέρα Μίρα,\n\nτο καράβι.\n\nΖωή",
    "a long line": "A line of SMTP has at most 998 characters. " * 30,
}
SUBJECTS = {"the boat": "A boat from Zoë, as promised", "two headers": "The boat\nBcc: everybody@example.org"}


@dataclass(frozen=True)
class Params:
    security: Annotated[Security, Label("TLS", help="Ports 25, 587 and 465.", main=True)] = "STARTTLS"
    way: Annotated[Way, Label("The mailer gets its password as", main=True)] = "an argument"
    name: Annotated[str, Text(60), Label("Name of the sender", group="Message")] = "Zoë Müller"
    subject: Annotated[str, Text(120, examples=SUBJECTS), Label("Subject", group="Message")] = SUBJECTS["the boat"]
    body: Annotated[str, Text(1500, examples=BODIES), Label("Text", group="Message")] = BODIES["dots"]
    encoding: Annotated[Encoding, Label("Encoding of the text", group="Message")] = "as email chooses"
    unsafe: Annotated[
        bool, Label("Passwords without TLS", help="The server offers AUTH in the clear.", group="Mistakes")
    ] = False
    stripped: Annotated[
        bool,
        Label("STARTTLS is stripped", help="Somebody on the wire removes the server's offer.", group="Mistakes"),
    ] = False


@dataclass(frozen=True, kw_only=True)
class Sent(Event):
    """A mail so far."""

    kind: Literal["sent"] = "sent"
    stage: Literal["message", "process", "dialogue", "mailbox", "end"]
    port: int
    """That such a server has by convention; the lab's own listens on any free one."""
    message: list[str]
    """The lines of the message as it is sent, before dots are doubled."""
    message_bytes: int
    picture_bytes: int
    places: list[Place]
    """Where other processes have looked."""
    exchanges: list[Exchange]
    overheard: list[str]
    """What somebody on the wire has been able to read."""
    up_bytes: int
    """All bytes from the mailer, those of the handshake left out, which differ by version of OpenSSL."""
    down_bytes: int
    """The same from the server."""
    sender: str
    """As a mail program shows it at the other end; nothing before the mail is there."""
    subject: str
    body: str
    sent_hash: str
    """The first 16 digits of the SHA-256 of the picture."""
    received_hash: str
    """The same at the other end; nothing if no mail came."""
    same_text: bool
    """Whether name, subject and text at the other end are those that were typed."""
    failure: str
    """With what the mailer gave up; nothing if it did not."""


def run(params: Params) -> Iterator[Sent]:
    data = composed(params.name, params.subject, params.body, params.encoding)
    now = Sent(
        text=tell.message(len(data), len(PICTURE)),
        stage="message",
        port=PORTS[params.security],
        message=lines(data),
        message_bytes=len(data),
        picture_bytes=len(PICTURE),
        places=[],
        exchanges=[],
        overheard=[],
        up_bytes=0,
        down_bytes=0,
        sender="",
        subject="",
        body="",
        sent_hash=short(PICTURE),
        received_hash="",
        same_text=False,
        failure="",
    )
    yield now
    with (
        tempfile.TemporaryDirectory() as folder,
        opened(params.security, params.unsafe, params.stripped) as office,
        started(params.way, Path(folder), job(params.security, office, data)) as mailer,
    ):
        now = replace(now, stage="process", places=mailer.seen())
        yield replace(now, text=tell.places(now.places))
        now = replace(now, stage="dialogue")
        dialogue = Dialogue(office)
        mailer.tell()
        while "failed" not in (heard := mailer.heard()):
            exchange = dialogue.next(heard)
            now = replace(
                now,
                exchanges=[*now.exchanges, exchange],
                overheard=overheard(bytes(office.wire[0])),
                up_bytes=now.up_bytes + exchange.up_bytes,
                down_bytes=now.down_bytes + exchange.down_bytes,
            )
            yield replace(now, text=tell.shaken(heard) if "tls" in heard else tell.exchange(exchange))
            mailer.tell()
        mailer.tell()
    now = replace(now, failure=heard["failed"])
    if office.mailbox:
        _, _, content = office.mailbox[0]
        got = read(content)
        now = replace(
            now,
            stage="mailbox",
            sender=got.sender,
            subject=got.subject,
            body=got.body,
            received_hash=short(got.picture),
            same_text=got.name == params.name and got.subject == params.subject and same(got.body, params.body),
        )
        yield replace(now, text=tell.mailbox(len(content)))
    yield replace(now, stage="end", text=tell.end(now.sent_hash == now.received_hash, now.overheard, now.failure))


def job(security: Security, office: Office, data: bytes) -> dict[str, Any]:
    """What the mailer is told."""
    return {
        "security": security,
        "port": office.port,
        "certificate": str(CERTIFICATE),
        "sender": SENDER,
        "recipient": RECIPIENT,
        "message": data.hex(),
    }


def same(got: str, typed: str) -> bool:
    """Whether two texts have the same lines; a message ends in a line break, typed or not."""
    return ending(got) == ending(typed)


def ending(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
