"""A mail server on the loopback, by aiosmtpd, and a wiretap before it: a relay that notes all bytes that pass.

Both live in a thread of the lab's own process, so that they end with it, however it ends.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from labs.contract import LabError

from native.models.localhost import context
from native.tools.smtp_roundtrip.people import PASSWORD, USER

Security = Literal["none", "STARTTLS", "TLS from the start"]
PATIENCE = 10.0
"""Seconds."""
STARTTLS = b"250-STARTTLS\r\n"


@dataclass
class Office:
    port: int = 0
    wire: tuple[bytearray, bytearray] = field(default_factory=lambda: (bytearray(), bytearray()))
    """What the client sent, and what the server sent, as it passed."""
    mailbox: list[tuple[str, list[str], bytes]] = field(default_factory=list)
    """Messages taken in: sender, recipients, bytes."""
    servers: list[Any] = field(default_factory=list)
    """aiosmtpd's end of each connection."""

    def wait(self, until: Callable[[], bool]) -> None:
        """Bytes may be on their way for a moment after a client is done with them."""
        deadline = time.monotonic() + PATIENCE
        while not until():
            if time.monotonic() > deadline:
                raise LabError("Nothing more comes over the wire: run it again.")
            time.sleep(0.001)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 (aiosmtpd's name)
        self.mailbox.append((envelope.mail_from, [*envelope.rcpt_tos], envelope.content))
        return "250 Taken for delivery"


@contextmanager
def opened(security: Security, unsafe: bool, stripped: bool) -> Iterator[Office]:
    """An office that listens on a free port. ``unsafe``: it takes passwords without TLS; ``stripped``: the offer of
    STARTTLS is taken out on the way."""
    office, started, errors = Office(), threading.Event(), list[BaseException]()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def main() -> None:
        server = await loop.create_server(
            lambda: protocol(office, security, unsafe), "127.0.0.1", 0, ssl=tls(security)
        )
        inner = server.sockets[0].getsockname()[1]

        async def tap(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            take = STARTTLS if stripped else b""
            try:
                back, on = await asyncio.open_connection("127.0.0.1", inner)
                await asyncio.gather(
                    carry(reader, on, office.wire[0], b""), carry(back, writer, office.wire[1], take)
                )
            except (ConnectionError, asyncio.CancelledError):  # a run may end before its connections do
                writer.close()

        outer = await asyncio.start_server(tap, "127.0.0.1", 0)
        office.port = outer.sockets[0].getsockname()[1]
        started.set()
        await stop.wait()
        for each in (outer, server):
            each.close()
        with suppress(TimeoutError):  # the mailer is gone by now, so its connections are about to end
            async with asyncio.timeout(1):
                while rest := asyncio.all_tasks() - {asyncio.current_task()}:
                    await asyncio.wait(rest)
        for each in office.servers:
            if each.transport:
                each.transport.abort()
        await asyncio.sleep(0.005)  # for the sockets behind all that was closed

    def serve() -> None:
        try:
            loop.run_until_complete(main())
            for task in (tasks := asyncio.all_tasks(loop)):
                task.cancel()
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        except BaseException as error:
            errors.append(error)
            started.set()
        finally:
            loop.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    started.wait(PATIENCE)
    if not office.port:
        raise LabError(
            f"The mail server did not start ({errors[0] if errors else 'it takes too long'}): run it again."
        )
    try:
        yield office
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(PATIENCE)


async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, note: bytearray, take: bytes) -> None:
    """Pass on all that comes, and note it. ``take``, a line of the server's, is left out."""
    try:
        while piece := await reader.read(65536):
            passed = piece.replace(take, b"") if take else piece
            note += passed
            writer.write(passed)
            await writer.drain()
    except ConnectionError:
        pass  # one side has gone, as after a run that was given up
    finally:
        writer.close()


def tls(security: Security) -> ssl.SSLContext | None:
    """For a server that speaks TLS from the first byte."""
    return quiet() if security == "TLS from the start" else None


def quiet() -> ssl.SSLContext:
    """Without tickets for a next session, which would come at any time after the handshake."""
    made = context("1.3", ssl.PROTOCOL_TLS_SERVER)
    made.num_tickets = 0
    return made


def protocol(office: Office, security: Security, unsafe: bool) -> Any:
    from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

    logging.getLogger("mail.log").setLevel(
        logging.ERROR
    )  # it warns of passwords in the clear, which are the subject

    def check(server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
        good = isinstance(given, LoginPassword) and given == LoginPassword(USER.encode(), PASSWORD.encode())
        return AuthResult(success=good)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the same once more
        made = SMTP(
            office,
            hostname="mail.example.org",
            ident="ESMTP",
            authenticator=check,
            auth_required=security != "none" or unsafe,
            auth_require_tls=security == "STARTTLS" or (security == "none" and not unsafe),
            tls_context=quiet() if security == "STARTTLS" else None,
            enable_SMTPUTF8=True,
        )
    office.servers.append(made)
    return made
