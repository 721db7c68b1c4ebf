"""One thread and a loop: asyncio asks the kernel which connections have something to say, and calls them in turn.

A handler that waits gives the thread back until a timer fires. One that blocks instead stops every connection.
"""

from __future__ import annotations

import asyncio
import socket
import time

from native.speed.http_servers.http import END, Options, answer, log


class Conversation(asyncio.Protocol):
    """One connection. asyncio calls these methods; none of them may take long."""

    def __init__(self, options: Options, blocks: bool) -> None:
        self.options, self.blocks = options, blocks
        self.received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        if not self.options.whole:  # asyncio has turned Nagle's algorithm off
            transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, False)

    def data_received(self, data: bytes) -> None:
        self.received += data
        while END in self.received:
            _, _, self.received = self.received.partition(END)
            if self.blocks:
                time.sleep(self.options.wait)  # the mistake: nobody else is called meanwhile
                self.answer()
            elif self.options.wait:
                asyncio.get_running_loop().call_later(self.options.wait, self.answer)
            else:
                self.answer()

    def answer(self) -> None:
        log(self.options)
        for piece in answer(self.options):
            self.transport.write(piece)
        if not self.options.keep_alive:
            self.transport.close()


def serve(listener: socket.socket, options: Options, blocks: bool = False) -> None:
    async def forever() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: Conversation(options, blocks), sock=listener, backlog=options.backlog
        )
        await server.serve_forever()

    asyncio.run(forever())
