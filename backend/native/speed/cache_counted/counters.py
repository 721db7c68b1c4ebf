"""What the processor counts while work is done, as far as Linux lets a program see it (perf_event_open(2))."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import struct
from collections.abc import Callable
from pathlib import Path

from labs.contract import LabError

CALLS = {"x86_64": 298, "aarch64": 241}  # the number of perf_event_open
ENABLE, DISABLE, RESET = 0x2400, 0x2401, 0x2403
SIZE = 128  # bytes of what the call is told
DISABLED, PINNED, USER_ONLY = 1 << 0, 1 << 2, 1 << 5 | 1 << 6  # pinned: counted all the time, or not at all
PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")

Event = tuple[int, int]
"""The kind of a counter, and which of its kind."""
FIRST_CACHE_MISSES: Event = (3, 1 << 16)
"""Loads that do not find their line in the first cache of data."""
PAGE_FAULTS: Event = (1, 2)
"""Counted by Linux itself, on any processor."""


def count(event: Event, work: Callable[[], object]) -> int:
    """How often the event happened in this thread's own code while it worked. Raises ``LabError`` with the reason
    where that is not told."""
    counter = _open(event)
    try:
        fcntl.ioctl(counter, RESET)
        fcntl.ioctl(counter, ENABLE)
        work()
        fcntl.ioctl(counter, DISABLE)
        told = os.read(counter, 8)
    finally:
        os.close(counter)
    if not told:
        raise LabError("The processor's counters are in use by another program.")
    return int.from_bytes(told, "little")


def _open(event: Event) -> int:
    if platform.system() != "Linux" or platform.machine() not in CALLS:
        raise LabError("Counters can be read only through Linux, on x86-64 and on Arm.")
    kind, which = event
    asked = struct.pack("IIQQQQQ", kind, SIZE, which, 0, 0, 0, DISABLED | PINNED | USER_ONLY).ljust(SIZE, b"\0")
    here, anywhere, alone = 0, -1, -1  # this thread, on whatever core, in no group
    libc = ctypes.CDLL(None, use_errno=True)
    counter = libc.syscall(CALLS[platform.machine()], asked, here, anywhere, alone, 0)
    if counter < 0:
        raise LabError(_why(ctypes.get_errno()))
    return int(counter)


def _why(error: int) -> str:
    if error in (errno.EACCES, errno.EPERM):
        level = PARANOID.read_text().strip() if PARANOID.exists() else "unknown"
        return f"Linux allows no access to counters here: kernel.perf_event_paranoid is {level}."
    if error in (errno.ENOENT, errno.EOPNOTSUPP):
        return "This machine has no such counter; most virtual machines have none."
    return f"Linux allows no access to counters here: {os.strerror(error)}."
