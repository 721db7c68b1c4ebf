"""What tells one machine from another where speed is measured. Imports the standard library only."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from pathlib import Path

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
CPUINFO = Path("/proc/cpuinfo")
FIRST_CORE = Path("/sys/devices/system/cpu/cpu0")


@cache
def hardware(device: str = "cpu") -> dict[str, str]:
    """The facts of this machine by name, in the order in which they are told; what is not known is left out.

    Two machines with a processor of the same name are often not the same: a virtual machine may hide its vector
    extensions, and a maker's name may cover many sizes of cache.
    """
    count = cores()
    known = {
        "gpu": graphics() if device == "cuda" else None,
        "processor": processor(),
        "cores": f"{count} core{'s' if count > 1 else ''}",
        "vectors": simd(),
        "caches": caches(),
        "clock": clock(),
        "system": f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}",
    }
    return {name: fact for name, fact in known.items() if fact}


def cores() -> int:
    """How many cores this process may use, which in a container is fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory(control: Path = Path("/sys/fs/cgroup/memory.max")) -> int:
    """Bytes of memory that this process may use, which in a container are fewer than the machine has."""
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(there, int(control.read_text()))
    except (OSError, ValueError):  # no control group, or "max"
        return there


def processor(info: Path = CPUINFO) -> str:
    """The CPU's name as its maker gives it, or its architecture where the system does not say."""
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name" and value.strip():
                return " ".join(value.split())
    if platform.system() == "Darwin":
        return _ask("sysctl", "-n", "machdep.cpu.brand_string") or platform.machine()
    return platform.machine()


def simd(info: Path = CPUINFO) -> str | None:
    """The best vector extension of this CPU, or None where the system does not say."""
    try:
        lines = info.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    flags = next((line.partition(":")[2].split() for line in lines if line.startswith(("flags", "Features"))), [])
    return next((name for flag, name in LEVELS.items() if flag in flags), None)


def caches(core: Path = FIRST_CORE) -> str | None:
    """The data caches that one core reaches, such as "L1 48 KiB, L2 1 MiB, L3 32 MiB"; None where nobody says."""
    found = {}
    for place in sorted(core.glob("cache/index*")):
        level, kind, size = (_read(place / name) for name in ("level", "type", "size"))
        if kind in ("Data", "Unified") and size and size.endswith("K"):
            kibi = int(size[:-1])
            found[level] = f"L{level} {kibi} KiB" if kibi < 1024 or kibi % 1024 else f"L{level} {kibi // 1024} MiB"
    return ", ".join(found.values()) or None


def clock(core: Path = FIRST_CORE) -> str | None:
    """The highest clock of a core, such as "up to 4.5 GHz". A virtual machine rarely knows: None."""
    kilohertz = _read(core / "cpufreq" / "cpuinfo_max_freq")
    return f"up to {int(kilohertz) / 1e6:.2g} GHz" if kilohertz and kilohertz.isdigit() else None


def graphics() -> str:
    """The first NVIDIA GPU and its driver, such as "NVIDIA H200, driver 575.57", or "no GPU"."""
    found = gpu()
    return f"{found['name']}, driver {found['driver']}" if found else "no GPU"


def gpu() -> dict[str, str] | None:
    """Name, memory and driver of the first NVIDIA GPU; None if there is none, or if it does not answer."""
    line = _ask("nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader")
    parts = line.partition("\n")[0].split(", ")
    return dict(zip(("name", "memory", "driver"), parts, strict=True)) if len(parts) == 3 else None


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return None


def _ask(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
