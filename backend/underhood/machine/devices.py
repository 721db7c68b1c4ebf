"""What can run labs here, as a worker announces it and the page of devices shows it."""

from __future__ import annotations

import os
import platform
import socket
from functools import cache
from pathlib import Path
from typing import Any

from underhood.machine.provenance import cores, gpu, machine, processor, versions

# Vector extensions that kernels are written for, best first, by their names in /proc/cpuinfo.
LEVELS = {
    "avx512f": "AVX-512",
    "avx2": "AVX2",
    "avx": "AVX",
    "sse4_2": "SSE4.2",
    "sse2": "SSE2",
    "sve2": "SVE2",
    "sve": "SVE",
    "asimd": "NEON",
}


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


def simd(info: Path = Path("/proc/cpuinfo")) -> str | None:
    """The best vector extension of this CPU, or None where the system does not say."""
    try:
        lines = info.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    flags = next((line.partition(":")[2].split() for line in lines if line.startswith(("flags", "Features"))), [])
    return next((name for flag, name in LEVELS.items() if flag in flags), None)
