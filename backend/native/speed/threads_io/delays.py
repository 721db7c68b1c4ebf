"""A server that answers after so many milliseconds as its path says, over TLS or not, and at a distance.

The distance is a relay before it, on the loopback as well. It holds all that passes for half a round trip. On the
loopback the kernel makes a connection at once. Over a distance that takes a round trip, too: so the relay says only
after one that the client is connected.
"""

from __future__ import annotations

import asyncio
import ssl
import sys

from native.models import localhost

BODY = b"x" * 512
CONNECTED = b"\0"
"""What the relay says once a connection would be made over its distance; the client waits for it."""


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Requests for ``/MILLISECONDS``, one after the other on a connection, until the client hangs up."""
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            await asyncio.sleep(int(head.split(b" ", 2)[1][1:]) / 1000)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


class Held:
    """Bytes in one direction: each piece leaves after ``seconds``."""

    def __init__(self, to: asyncio.StreamWriter, seconds: float) -> None:
        self.to, self.seconds = to, seconds

    async def carry(self, reader: asyncio.StreamReader) -> None:
        loop = asyncio.get_running_loop()
        not_before = 0.0  # what came first leaves first
        while piece := await reader.read(65536):
            not_before = max(not_before, loop.time() + self.seconds)
            loop.call_at(not_before, self.to.write, piece)
        loop.call_at(max(not_before, loop.time() + self.seconds), self.to.close)


async def serve(round_trip: float, tls: str) -> None:
    """Print the port, then serve until killed. ``tls`` is none, or the newest version that is spoken."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context(tls, ssl.PROTOCOL_TLS_SERVER))
    inner = server.sockets[0].getsockname()[1]

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, on = await asyncio.open_connection("127.0.0.1", inner)
        await asyncio.sleep(round_trip)
        writer.write(CONNECTED)
        await asyncio.gather(
            Held(on, round_trip / 2).carry(reader),
            Held(writer, round_trip / 2).carry(back),
            return_exceptions=True,  # a client may hang up at any time
        )

    outer = await asyncio.start_server(relay, "127.0.0.1", 0)
    sys.stdout.write(f"{outer.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await outer.serve_forever()


def context(tls: str, side: int) -> ssl.SSLContext | None:
    return None if tls == "none" else localhost.context(tls, side)
