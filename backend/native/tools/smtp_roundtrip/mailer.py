"""A program that sends one mail, as a script would: ``mailer.py --user USER [--password … | --password-file …]``.

Its first line of input is the job, in JSON. After each reply of the server it says what was said, as a line of
JSON, and waits for a line of input. It imports nothing of ours, so that it starts soon.
"""

from __future__ import annotations

import argparse
import json
import os
import smtplib
import ssl
import sys
from pathlib import Path
from typing import Any

NAME = "laptop.example.org"
PATIENCE = 10  # seconds


def tell(**what: Any) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()
    sys.stdin.readline()


class Noting(smtplib.SMTP):
    """Tells what it sends and what it gets."""

    said = b""

    def send(self, s: Any) -> None:
        self.said += s if isinstance(s, bytes) else s.encode("ascii")
        super().send(s)

    def getreply(self) -> tuple[int, bytes]:
        code, text = super().getreply()
        *more, last = text.decode("utf-8", "replace").split("\n")
        reply = [*(f"{code}-{each}" for each in more), f"{code} {last}"]
        said, self.said = self.said, b""
        tell(client=said.decode("utf-8", "backslashreplace"), server="\n".join(reply))
        return code, text

    def starttls(self, *given: Any, **named: Any) -> tuple[int, bytes]:
        done = super().starttls(*given, **named)
        shaken(self.sock)
        return done


class NotingFromTheStart(Noting, smtplib.SMTP_SSL):
    """Speaks TLS before anything else."""

    def connect(self, *given: Any, **named: Any) -> tuple[int, bytes]:
        self.greeted = False
        return super().connect(*given, **named)

    def getreply(self) -> tuple[int, bytes]:
        if not self.greeted:
            self.greeted = True
            shaken(self.sock)
        return super().getreply()


def shaken(made: Any) -> None:
    assert isinstance(made, ssl.SSLSocket)
    cipher = made.cipher()
    tell(tls=made.version(), cipher=cipher[0] if cipher else "")


def send(job: dict[str, Any], user: str, password: str) -> None:
    trust = ssl.create_default_context(cafile=job["certificate"])
    if job["security"] == "TLS from the start":
        link: Noting = NotingFromTheStart("localhost", job["port"], NAME, timeout=PATIENCE, context=trust)
    else:
        link = Noting("localhost", job["port"], NAME, timeout=PATIENCE)
    with link:
        link.ehlo()
        if job["security"] == "STARTTLS":
            link.starttls(context=trust)
            link.ehlo()
        if link.has_extn("auth"):
            link.login(user, password)
        link.sendmail(job["sender"], [job["recipient"]], bytes.fromhex(job["message"]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--user", required=True)
    parser.add_argument("--password")
    parser.add_argument("--password-file", type=Path)
    parser.add_argument("--password-from-input", action="store_true")
    given = parser.parse_args()
    job = json.loads(sys.stdin.readline())
    password = given.password or os.environ.get("MAIL_PASSWORD", "")
    if given.password_file:
        password = given.password_file.read_text()
    elif given.password_from_input:
        password = sys.stdin.readline().rstrip("\n")
    tell(ready=True)
    try:
        send(job, given.user, password)
        tell(failed="")
    except (OSError, smtplib.SMTPException, ssl.SSLError) as error:
        tell(failed=f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
