"""Where a number comes from: the machine and the versions that made it. Imports the standard library only."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from typing import Any

from underhood.machine.hardware import graphics, hardware


def provenance(lab_version: str, where: str = "server", device: str = "cpu") -> dict[str, Any]:
    """The facts that go with a run: place, time (UTC, to the second), machine, versions."""
    return {
        "where": where,
        "at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "machine": machine(device),
        "hardware": hardware(device),
        "versions": versions(),
        "lab_version": lab_version,
    }


def machine(device: str = "cpu") -> str:
    """The machine in one line, such as "AMD EPYC, 2 cores, AVX-512, L1 48 KiB, L2 1 MiB, L3 32 MiB, Linux 6.18"."""
    return ", ".join(hardware(device).values())


@cache
def versions() -> dict[str, str]:
    """Versions of Python and of those of NumPy and PyTorch that are installed. Imports neither."""
    found = {"python": platform.python_version()}
    for name in ("numpy", "torch"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def has_cuda() -> bool:
    """Whether a lab could run on a GPU here: there is one, and the installed torch is built for it."""
    torch = versions().get("torch", "+cpu")
    return not torch.endswith("+cpu") and graphics() != "no GPU"
