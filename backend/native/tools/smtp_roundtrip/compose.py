"""The message, by Python's ``email``, and what is read from it at the other end."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import Literal

from labs.contract import LabError
from labs.models.tiny_picture import boat, painted, png

Encoding = Literal["as email chooses", "quoted-printable", "base64", "8bit"]
SENDER, RECIPIENT = "zoe@example.org", "mira@example.org"
PICTURE = png(painted(boat))
BOUNDARY = "=_a_boat_"


@dataclass(frozen=True)
class Reading:
    """What a mail program shows of a message."""

    sender: str
    name: str
    """Of the sender, without the address."""
    subject: str
    body: str
    picture: bytes


def composed(name: str, subject: str, body: str, encoding: Encoding) -> bytes:
    """A text and a picture, as bytes for the wire, with CRLF at the end of each line."""
    for what, text in (("name", name), ("subject", subject)):
        if len(text.splitlines()) > 1 or text != text.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029"):
            raise LabError(f"The {what} has a line break, which would begin another header: take it out.")
    message = EmailMessage(policy=SMTP)
    try:
        message["From"] = Address(name, addr_spec=SENDER)
        message["To"] = RECIPIENT
        message["Subject"] = subject
        message.set_content(body, cte=None if encoding == "as email chooses" else encoding)
        message.add_attachment(PICTURE, maintype="image", subtype="png", filename="boat.png")
        message.set_boundary(BOUNDARY)
        return message.as_bytes()
    except (ValueError, LookupError, AttributeError) as error:  # what email says of a text that it cannot write
        raise LabError(
            f"The message cannot be written ({' '.join(str(error).split())}): change its text."
        ) from None


def read(data: bytes) -> Reading:
    message = message_from_bytes(data, policy=SMTP)
    assert isinstance(message, EmailMessage)
    text = message.get_body(("plain",))
    picture = next(message.iter_attachments(), None)
    content = picture.get_content() if picture else b""
    sender = message["From"]
    return Reading(
        str(sender or ""),
        sender.addresses[0].display_name if sender and sender.addresses else "",
        str(message["Subject"] or ""),
        text.get_content() if text else "",
        content if isinstance(content, bytes) else b"",
    )


def lines(data: bytes) -> list[str]:
    """As they can be printed; a byte beyond ASCII that is no UTF-8 is shown as its number."""
    text = data.decode("utf-8", "backslashreplace")
    return text.removesuffix("\r\n").split("\r\n")


def short(data: bytes) -> str:
    """The first 16 digits of the SHA-256."""
    return hashlib.sha256(data).hexdigest()[:16]
