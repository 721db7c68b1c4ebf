"""The server's side of the forkserver: start a process for a run, talk to it, end it for certain."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from underhood.confine import sandbox

log = logging.getLogger("underhood.processes")

PROBE_S = 10.0  # that a new forkserver may take to say what it can do
LOST = 256  # the code of processes whose forkserver died and took them with it; no process can exit with it


class Process:
    """One run's process. ``ended`` becomes its exit code, once its whole group is gone."""

    def __init__(self, number: int, parent: Spawner) -> None:
        self.number = number
        self.pid = 0
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._parent = parent
        self._writers: list[asyncio.StreamWriter] = []

    async def connect(self, channel: socket.socket, output: socket.socket, job: dict[str, Any]) -> None:
        self.events, to_child = await self._open(channel, 1 << 18)
        self.output, _ = await self._open(output, 1 << 16)
        to_child.write(json.dumps(job).encode() + b"\n")

    async def _open(self, end: socket.socket, limit: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        end.setblocking(False)
        reader, writer = await asyncio.open_connection(sock=end, limit=limit)
        self._writers.append(writer)
        return reader, writer

    def disconnect(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def stop(self, grace: float, patience: float = 0) -> None:
        """Return when the process and its group are gone: wait, ask with SIGTERM, then SIGKILL. Seconds each."""
        for order, seconds in (("", patience), ("term", grace), ("kill", 5.0)):
            if order:
                self._parent.send(f"{order} {self.number}")
            await asyncio.wait({self.ended}, timeout=seconds)
            if self.ended.done():
                break
        self.disconnect()


class Spawner:
    """Starts processes through one forkserver, which it starts again if it dies."""

    def __init__(self, modules: Sequence[str]) -> None:
        self._modules = modules
        self._server: subprocess.Popen[bytes] | None = None
        self._scratch = ""
        self._control: socket.socket | None = None
        self._received = b""
        self._loaded = False
        self._living: dict[int, Process] = {}
        self._number = 0
        self._forking = asyncio.Lock()
        self._forked: dict[int, asyncio.Future[int]] = {}
        self.layers: list[str] = []  # of the sandbox
        self._probed = asyncio.Event()

    def start(self) -> None:
        """Start the forkserver and return at once: it loads torch in its own time, and forks when it has."""
        ours, theirs = socket.socketpair()
        self._scratch = tempfile.mkdtemp(prefix="underhood-")
        Path(self._scratch).chmod(0o711)  # runs that became nobody go through it, each to its own
        command = [sys.executable, "-m", "underhood.processes.forkserver", str(theirs.fileno()), self._scratch]
        with theirs:
            self._server = subprocess.Popen(
                [*command, *self._modules],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                env=environment(),
            )
        ours.setblocking(False)
        self._control = ours
        self._received = b""
        self._loaded = False
        asyncio.get_running_loop().add_reader(ours, self._listen)

    async def probed(self) -> None:
        """Return when the layers are known, which takes as long as Python takes to start."""
        with contextlib.suppress(TimeoutError):  # it died: the next run starts another, and says why if it cannot
            async with asyncio.timeout(PROBE_S):
                await self._probed.wait()

    async def spawn(self, job: dict[str, Any]) -> Process:
        """A process that works on the job. Raises ``OSError`` if none can be made."""
        async with self._forking:
            if self._control is None:
                self.start()
            assert self._control is not None
            self._number += 1
            process = Process(self._number, self)
            channel, channel_child = socket.socketpair()
            output, output_child = socket.socketpair()
            forked = self._forked[process.number] = asyncio.get_running_loop().create_future()
            self._living[process.number] = process
            try:
                with channel_child, output_child:
                    order = f"fork {process.number}\n".encode()
                    socket.send_fds(self._control, [order], [channel_child.fileno(), output_child.fileno()])
                    process.pid = await forked
                if not process.pid:
                    raise OSError("no process could be made for the run")
                await process.connect(channel, output, job)
            except BaseException:
                process.disconnect()
                channel.close()
                output.close()
                self.send(f"kill {process.number}")
                self._living.pop(process.number, None)
                raise
            finally:
                del self._forked[process.number]
        return process

    def send(self, order: str) -> None:
        if self._control is not None:
            with contextlib.suppress(OSError):
                self._control.send(order.encode() + b"\n")

    async def close(self) -> None:
        """End every process and the forkserver."""
        self._drop()
        if self._server is not None:
            if not self._loaded:  # it has forked nothing yet, and importing torch it would not notice
                self._server.kill()
            try:
                await asyncio.to_thread(self._server.wait, 5)
            except subprocess.TimeoutExpired:
                self._server.kill()
                self._server.wait()
            self._server = None
        await asyncio.to_thread(shutil.rmtree, self._scratch, ignore_errors=True)

    def _listen(self) -> None:
        assert self._control is not None
        try:
            received = self._control.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        if not received:
            self._lost()
            return
        *lines, self._received = (self._received + received).split(b"\n")
        for line in lines:
            verb, number, value = line.split()
            if verb == b"ready":
                self._loaded = True
            elif verb == b"layers":
                self._probed.set()
                self.layers = [layer for layer in value.decode().split(",") if layer in sandbox.LAYERS]
            elif verb == b"forked" and (forked := self._forked.get(int(number))) and not forked.done():
                forked.set_result(int(value))
            elif verb == b"ended" and (process := self._living.pop(int(number), None)):
                process.ended.set_result(int(value))

    def _lost(self) -> None:
        """The forkserver died. Do what it did not live to do; the next run starts another."""
        log.error("the process that starts labs died; it will be started again with the next run")
        for pid in [process.pid for process in self._living.values() if process.pid]:
            with contextlib.suppress(OSError):
                os.killpg(pid, signal.SIGKILL)
        self._drop()
        if self._server is not None:
            self._server.kill()
            self._server.wait()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _drop(self) -> None:
        if self._control is not None:
            asyncio.get_running_loop().remove_reader(self._control)
            self._control.close()
            self._control = None
        for forked in self._forked.values():
            if not forked.done():
                forked.set_exception(OSError("the process that starts labs died"))
        for process in self._living.values():
            if not process.ended.done():
                process.ended.set_result(LOST)
        self._living.clear()


def environment() -> dict[str, str]:
    """What a lab's process sees: where programs are, a fixed hash seed, and one thread unless it asks for more.

    One thread also keeps NumPy and torch from starting a pool before the fork, which no child would survive.
    """
    threads = dict.fromkeys(sandbox.THREADS, "1")
    kept = {
        name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES") if name in os.environ
    }
    path = os.pathsep.join(entry for entry in sys.path if entry)
    bytecode = {"PYTHONDONTWRITEBYTECODE": "1"} if sys.dont_write_bytecode else {}  # as this process does
    return {"LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "PYTHONPATH": path} | threads | kept | bytecode
