"""Where a number comes from: the machine and the versions that made it. Imports the standard library only."""

from __future__ import annotations

import os
import platform
import subprocess
import tomllib
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any


def _version() -> str:
    """Ours; a machine that only records runs a checkout that nobody installed."""
    try:
        return metadata.version("underhood")
    except metadata.PackageNotFoundError:
        project = Path(__file__).parents[3] / "pyproject.toml"
        return str(tomllib.loads(project.read_text("utf-8"))["project"]["version"])


VERSION = _version()


def provenance(lab_version: str, where: str = "server", device: str = "cpu") -> dict[str, Any]:
    """The facts that go with a run: place, time (UTC, to the second), machine, versions."""
    return {
        "where": where,
        "at": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "machine": machine(device),
        "versions": versions(),
        "lab_version": lab_version,
    }


@cache
def machine(device: str = "cpu") -> str:
    """The machine in one line, such as "Intel(R) Xeon(R) Processor @ 2.50GHz, 2 cores, Linux 6.18"."""
    count = cores()
    system = f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}"
    parts = [processor(), f"{count} core{'s' if count > 1 else ''}", system]
    return ", ".join(([graphics()] if device == "cuda" else []) + parts)


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


def cores() -> int:
    """How many cores this process may use, which in a container is fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor() -> str:
    """The CPU's name as its maker gives it, or its architecture where the system does not say."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name" and value.strip():
                return " ".join(value.split())
    if platform.system() == "Darwin":
        return _ask("sysctl", "-n", "machdep.cpu.brand_string") or platform.machine()
    return platform.machine()


def graphics() -> str:
    """The first NVIDIA GPU and its driver, such as "NVIDIA H200, driver 575.57", or "no GPU"."""
    found = gpu()
    return f"{found['name']}, driver {found['driver']}" if found else "no GPU"


def gpu() -> dict[str, str] | None:
    """Name, memory and driver of the first NVIDIA GPU; None if there is none, or if it does not answer."""
    line = _ask("nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader")
    parts = line.partition("\n")[0].split(", ")
    return dict(zip(("name", "memory", "driver"), parts, strict=True)) if len(parts) == 3 else None


def has_cuda() -> bool:
    """Whether a lab could run on a GPU here: there is one, and the installed torch is built for it."""
    torch = versions().get("torch", "+cpu")
    return not torch.endswith("+cpu") and graphics() != "no GPU"


def _ask(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
