"""What ``underhood worker`` does: set up logging and signals around a worker."""

from __future__ import annotations

import asyncio
import logging.config
from collections.abc import Callable

from labs import discover

from underhood.logging_config import LOGGING
from underhood.machine import gpu_probe
from underhood.machine.provenance import has_cuda
from underhood.settings import Settings
from underhood.workers.worker import Worker, healthy


def work(settings: Settings, device: str, slots: int | None = None) -> int:
    """Work until a signal comes; the exit code. Raises ``RuntimeError`` if this machine lacks the device."""
    if device == "cuda" and not has_cuda():
        raise RuntimeError(
            "no GPU that the installed torch can use was found, so this worker cannot take cuda runs"
        )
    logging.config.dictConfig(LOGGING)
    labs = discover.find(settings.labs)
    # One run at a time on a GPU: two would spoil each other's memory and timings.
    slots = slots or (1 if device == "cuda" else settings.concurrency)

    async def go() -> int:
        return await Worker(settings, labs, device, slots, _probe(device)).work()

    return asyncio.run(go())


def check(settings: Settings, device: str) -> bool:
    return asyncio.run(healthy(settings, device, _probe(device)))


def _probe(device: str) -> Callable[[], bool]:
    """Whether the device answers, asked anew each time: a container may lose its GPU while it runs."""
    return gpu_probe.answers if device == "cuda" else (lambda: True)
