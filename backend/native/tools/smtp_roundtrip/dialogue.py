"""What was said, beside what passed on the wire meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from native.tools.smtp_roundtrip.office import Office
from native.tools.smtp_roundtrip.wire import Record, encrypted, records


@dataclass(frozen=True)
class Exchange:
    """Something sent, and the reply."""

    client: str
    """What the mailer sends, line by line; nothing where the server speaks first."""
    server: str
    """The reply, line by line."""
    sealed: bool
    """Whether it travels in records of TLS."""
    up: list[Record]
    """The mailer's records; none without TLS."""
    down: list[Record]
    """The server's."""
    up_bytes: int
    """On the wire, from the mailer; 0 for a handshake, whose sizes differ by version of OpenSSL."""
    down_bytes: int
    """The same from the server."""


@dataclass
class Dialogue:
    office: Office
    sealed: bool = False
    taken: list[int] = field(default_factory=lambda: [0, 0])

    def next(self, heard: dict[str, Any]) -> Exchange:
        """``heard`` is what the mailer tells: what was said, or that TLS begins."""
        if "tls" in heard:
            self.sealed = True
            self.office.wait(lambda: encrypted(self.passed(0)))
        up, down = self.passed(0), self.passed(1)
        self.taken = [self.taken[0] + len(up), self.taken[1] + len(down)]
        if "tls" in heard:
            sent, got = ([Record(each.type, 0) for each in records(way)] for way in (up, down))
            return Exchange("", f"{heard['tls']}, {heard['cipher']}", True, sent, got, 0, 0)
        client, server = heard["client"].removesuffix("\r\n").replace("\r\n", "\n"), heard["server"]
        if not self.sealed:
            return Exchange(client, server, False, [], [], len(up), len(down))
        sent, got = (
            records(up),
            records(down)[: len(server.split("\n"))],
        )  # behind the last reply, TLS says good-bye
        return Exchange(client, server, True, sent, got, size(sent), size(got))

    def passed(self, way: int) -> bytes:
        """Since what was taken last."""
        return bytes(self.office.wire[way][self.taken[way] :])


def size(found: list[Record]) -> int:
    return sum(each.bytes for each in found)
