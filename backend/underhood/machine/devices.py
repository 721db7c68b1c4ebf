"""What can run labs here, as a worker announces it and the page of devices shows it."""

from __future__ import annotations

import os
import platform
import socket
from functools import cache
from typing import Any

from underhood.machine.hardware import cores, gpu, processor, simd
from underhood.machine.provenance import machine, versions


@cache
def describe(device: str) -> dict[str, Any]:
    """The facts of a device on this machine; ``gpu`` is null where it is not about one. May ask the driver."""
    return {
        "device": device,
        "id": f"{socket.gethostname()}-{os.getpid()}-{device}",
        "host": socket.gethostname(),
        "name": machine(device),
        "cpu": {"name": processor(), "cores": cores(), "simd": simd(), "architecture": platform.machine()},
        "gpu": gpu() if device == "cuda" else None,
        "versions": versions(),
    }
