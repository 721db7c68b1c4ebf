"""The few Linux calls that Python does not wrap. Elsewhere they do nothing, and say so."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36

libc = ctypes.CDLL(None, use_errno=True)


def prctl(option: int, *values: int) -> bool:
    """True if the kernel did it."""
    if sys.platform != "linux":
        return False
    padded = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    return bool(libc.prctl(ctypes.c_int(option), *padded) == 0)


def become_subreaper() -> bool:
    """From now on, orphans among our descendants become our children."""
    return prctl(PR_SET_CHILD_SUBREAPER, 1)


def die_with(parent: int) -> None:
    """Ask to be killed when the parent dies, and exit at once if it has died already."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def children_of(parent: int) -> list[int]:
    """Living children of a process, from /proc; empty where there is none."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        if (status := _stat(entry)) and status[0] != "Z" and int(status[1]) == parent:
            found.append(int(entry.name))
    return found


def session_of(pid: int) -> int | None:
    with contextlib.suppress(OSError):
        return os.getsid(pid)
    return None


def _stat(process: Path) -> list[str]:
    """State, parent, group, session … of a process: what follows its name, which may hold spaces and brackets."""
    with contextlib.suppress(OSError):
        return (process / "stat").read_text(errors="replace").rpartition(")")[2].split()
    return []
