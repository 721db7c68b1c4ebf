"""Watches one process from its first event to its end: passes events on, holds the limits, ends it for certain."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from labs.discover import Lab

from underhood.machine.hardware import cores
from underhood.processes.frames import GarbledError, OversizeError, Unframer, allowed_kind
from underhood.processes.spawner import LOST, Process, Spawner
from underhood.settings import Limits
from underhood.stores.store import Entry, Status

log = logging.getLogger("underhood.lab")

OUTPUT = 64 << 10  # bytes of a lab's own prints that reach the server's log


@dataclass(frozen=True)
class Outcome:
    status: Status
    reason: str = ""
    impossible: bool = False  # the lab measured what cannot be, and refused it
    # From when its process is there to its end: what the run used, not what it waited for.
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class Sink:
    """Where events and large arrays go. Both return when what they were given is safe, which holds the lab back."""

    entries: Callable[[list[Entry]], Awaitable[None]]
    blob: Callable[[bytes], Awaitable[str]]


async def supervise(
    spawner: Spawner,
    lab: Lab,
    params: dict[str, Any],
    limits: Limits,
    sink: Sink,
    cancelled: asyncio.Future[str],
    background: bool = False,
) -> Outcome:
    """Run a lab to its end, whatever that is. ``cancelled`` may be given a reason at any time.

    In the background it yields the processor to runs that are not.

    When this returns, or is itself cancelled, no process of the run is alive. Raises ``OSError`` if none could be
    made, and whatever the sink raises.
    """
    job = {
        "module": lab.module,
        "params": params,
        "limits": asdict(limits) | {"cores": cores()},
        "background": background,
    }
    process = await spawner.spawn(job)
    began = time.monotonic()
    printing = asyncio.create_task(_log(process, lab.id))
    watching = asyncio.create_task(_watch(process, limits, sink))
    patience = 0.0
    try:
        either: set[asyncio.Future[Any]] = {watching, cancelled}
        await asyncio.wait(either, timeout=limits.wall, return_when=asyncio.FIRST_COMPLETED)
        if watching.done():
            patience = 0.5  # it has said goodbye and is on its way out
            outcome = watching.result()
        elif cancelled.done():
            outcome = Outcome("cancelled", cancelled.result())
        else:
            reason = f"The run reached its time limit of {limits.wall:g} seconds and was stopped."
            outcome = Outcome("timed_out", reason)
        return replace(outcome, seconds=time.monotonic() - began)
    finally:
        watching.cancel()
        stopping = asyncio.create_task(process.stop(limits.grace, patience))
        while not stopping.done():  # our own cancellation must not leave a process behind
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.shield(stopping)
        printing.cancel()


async def _watch(process: Process, limits: Limits, sink: Sink) -> Outcome:
    small = limits.event_bytes
    frames = Unframer({b"E": small, b"B": limits.blob_bytes, b"D": 0, b"F": small, b"I": small})
    tally = Tally(limits)
    while chunk := await _read(process.events, 1 << 18):
        entries: list[Entry] = []
        end: Outcome | None = None
        try:
            for letter, payload in frames.feed(chunk):
                end = tally.count(letter, payload)
                if end is None and letter == b"E":
                    entries.append(_entry(payload))
                elif end is None:
                    await sink.blob(payload)
                else:
                    break
        except OversizeError as error:
            what, most = ("array", limits.blob_bytes) if error.letter == b"B" else ("event", small)
            end = _over(f"one {what} of {error.size:,} bytes; {most:,} are allowed")
        except GarbledError:
            end = Outcome("failed", "The lab wrote over the channel that carries its events, so it was stopped.")
        if entries:
            await sink.entries(entries)
        if end is not None:
            return end
    return _death(await process.ended)


class Tally:
    """What a run has sent so far, against its limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.events, self.bytes = limits, 0, 0

    def count(self, letter: bytes, payload: bytes) -> Outcome | None:
        """How the run ends with this frame, if it does."""
        if letter == b"D":
            return Outcome("ok")
        if letter in (b"F", b"I"):
            return Outcome("failed", payload.decode(errors="replace"), impossible=letter == b"I")
        self.events += letter == b"E"
        self.bytes += len(payload)
        if self.events > self.limits.events:
            return _over(f"more than {self.limits.events:,} events")
        if self.bytes > self.limits.run_bytes:
            return _over(f"more than {self.limits.run_bytes:,} bytes in all")
        return None


def _over(what: str) -> Outcome:
    return Outcome("failed", f"The lab sent {what}, so it was stopped.")


def _entry(payload: bytes) -> Entry:
    kind, _, data = payload.decode(errors="replace").partition("\n")
    if not allowed_kind(kind):
        raise GarbledError
    return Entry(kind, data)


def _death(code: int) -> Outcome:
    if code == LOST:
        return Outcome("failed", "The process that starts labs died, and this run with it. Run it again.")
    if code >= 0:
        return Outcome("failed", f"The lab's process ended with exit code {code} before the lab had finished.")
    known = {int(each): each.name for each in signal.Signals}
    name = known.get(-code, f"signal {-code}")
    why = {
        "SIGSEGV": "it touched memory that is not its own",
        "SIGBUS": "it touched memory that is not there",
        "SIGKILL": "most often this means that memory ran out",
        "SIGXCPU": "it used up its processor time",
        "SIGABRT": "it gave up by itself",
    }.get(name, "the server's log may say more")
    return Outcome("failed", f"The lab's process was killed by {name} before the lab had finished: {why}.")


async def _read(stream: asyncio.StreamReader, most: int) -> bytes:
    """What has come, or nothing at the end: a process that was killed resets its socket instead of closing it."""
    try:
        return await stream.read(most)
    except ConnectionResetError:
        return b""


async def _log(process: Process, lab: str) -> None:
    """Copy what the lab prints to the server's log, up to a limit; read on after it, or the lab would block."""
    left = OUTPUT
    while chunk := await _read(process.output, 1 << 14):
        if left > 0:
            for line in chunk[:left].decode(errors="replace").splitlines():
                log.info("%s: %s", lab, line)
            if (left := left - len(chunk)) <= 0:
                log.info("%s: more than %d bytes printed; the rest is dropped", lab, OUTPUT)
