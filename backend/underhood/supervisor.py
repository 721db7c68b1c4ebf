"""Watches one process from its first event to its end: passes events on, holds the limits, ends it for certain."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any

from labs.discover import Lab

from underhood.child import HEADER
from underhood.processes import Process, Processes
from underhood.provenance import cores
from underhood.settings import Limits
from underhood.store import Entry, Status

log = logging.getLogger("underhood.lab")

OUTPUT = 64 << 10  # bytes of a lab's own prints that reach the server's log


@dataclass(frozen=True)
class Outcome:
    status: Status
    reason: str = ""


@dataclass(frozen=True)
class Sink:
    """Where events and large arrays go. Both return when what they were given is safe, which holds the lab back."""

    entries: Callable[[list[Entry]], Awaitable[None]]
    blob: Callable[[bytes], Awaitable[str]]


async def supervise(
    processes: Processes,
    lab: Lab,
    params: dict[str, Any],
    limits: Limits,
    sink: Sink,
    cancelled: asyncio.Future[str],
) -> Outcome:
    """Run a lab to its end, whatever that is. ``cancelled`` may be given a reason at any time.

    When this returns, or is itself cancelled, no process of the run is alive.
    """
    job = {"module": lab.module, "params": params, "limits": asdict(limits) | {"cores": cores()}}
    process = await processes.spawn(job)
    printing = asyncio.create_task(_log(process, lab.id))
    watching = asyncio.create_task(_watch(process, limits, sink))
    patience = 0.0
    try:
        either: set[asyncio.Future[Any]] = {watching, cancelled}
        await asyncio.wait(either, timeout=limits.wall, return_when=asyncio.FIRST_COMPLETED)
        if watching.done():
            outcome = watching.result()
            patience = 0.5  # it has said goodbye and is on its way out
            return outcome
        if cancelled.done():
            return Outcome("cancelled", cancelled.result())
        return Outcome("timed_out", f"The run reached its time limit of {limits.wall:g} seconds and was stopped.")
    finally:
        watching.cancel()
        stopping = asyncio.create_task(process.stop(limits.grace, patience))
        while not stopping.done():  # our own cancellation must not leave a process behind
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.shield(stopping)
        printing.cancel()


async def _watch(process: Process, limits: Limits, sink: Sink) -> Outcome:
    received, events, total = bytearray(), 0, 0
    while chunk := await _read(process.events, 1 << 18):
        received += chunk
        entries: list[Entry] = []
        end: Outcome | None = None
        while end is None and (frame := _frame(received)) is not None:
            letter, size = frame
            total += size
            most = limits.blob_bytes if letter == b"B" else limits.event_bytes
            if size > most:
                what = "array" if letter == b"B" else "event"
                end = _over(f"one {what} of {size:,} bytes; {most:,} are allowed")
            elif total > limits.run_bytes:
                end = _over(f"more than {limits.run_bytes:,} bytes in all")
            elif len(received) < HEADER.size + size:
                total -= size  # not all here yet
                break
            else:
                payload = bytes(received[HEADER.size : HEADER.size + size])
                del received[: HEADER.size + size]
                if letter == b"E":
                    events += 1
                    if events > limits.events:
                        end = _over(f"more than {limits.events:,} events")
                    else:
                        kind, _, data = payload.decode().partition("\n")
                        entries.append(Entry(kind, data))
                elif letter == b"B":
                    await sink.blob(payload)
                else:
                    end = Outcome("ok") if letter == b"D" else Outcome("failed", payload.decode())
        if entries:
            await sink.entries(entries)
        if end is not None:
            return end
    return _death(await process.ended)


async def _read(stream: asyncio.StreamReader, most: int) -> bytes:
    """What has come, or nothing at the end: a process that was killed resets its socket instead of closing it."""
    try:
        return await stream.read(most)
    except ConnectionResetError:
        return b""


def _frame(received: bytearray) -> tuple[bytes, int] | None:
    if len(received) < HEADER.size:
        return None
    letter, size = HEADER.unpack_from(received)
    return letter, size


def _over(what: str) -> Outcome:
    return Outcome("failed", f"The lab sent {what}, so it was stopped.")


def _death(code: int) -> Outcome:
    if code >= 0:
        return Outcome("failed", f"The lab's process ended with exit code {code} before the lab had finished.")
    name = signal.Signals(-code).name
    why = {
        "SIGSEGV": "it touched memory that is not its own",
        "SIGBUS": "it touched memory that is not there",
        "SIGKILL": "most often this means that memory ran out",
        "SIGXCPU": "it used up its processor time",
        "SIGABRT": "it gave up by itself",
    }.get(name, "the server's log may say more")
    return Outcome("failed", f"The lab's process was killed by {name} before the lab had finished: {why}.")


async def _log(process: Process, lab: str) -> None:
    """Copy what the lab prints to the server's log, up to a limit; read on after it, or the lab would block."""
    left = OUTPUT
    while chunk := await _read(process.output, 1 << 14):
        if left > 0:
            for line in chunk[:left].decode(errors="replace").splitlines():
                log.info("%s: %s", lab, line)
            if (left := left - len(chunk)) <= 0:
                log.info("%s: more than %d bytes printed; the rest is dropped", lab, OUTPUT)
