"""The few Linux calls that Python does not wrap. On other systems they do nothing, and say so."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 36, 38
CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAPABILITY_VERSION_3 = 1, 2, 0x20080522

libc = ctypes.CDLL(None, use_errno=True)


def syscall(number: int, *values: Any) -> int:
    """The call's result; below 0 if it failed or there is no Linux."""
    if sys.platform != "linux":
        return -1
    return int(libc.syscall(*(ctypes.c_long(v) if isinstance(v, int) else v for v in (number, *values))))


def prctl(option: int, *values: int) -> bool:
    """True if the kernel did it."""
    if sys.platform != "linux":
        return False
    padded = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    return bool(libc.prctl(ctypes.c_int(option), *padded) == 0)


def no_new_privileges() -> bool:
    """From now on no program that we start gains rights by being set-uid; seccomp and Landlock ask for this."""
    return prctl(PR_SET_NO_NEW_PRIVS, 1)


def drop_capabilities() -> bool:
    """Give up what root may do, except to read and write files of others: Landlock sees to files."""
    if sys.platform != "linux":
        return False
    keep = 1 << CAP_DAC_OVERRIDE | 1 << CAP_DAC_READ_SEARCH if os.geteuid() == 0 else 0
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    data = (ctypes.c_uint32 * 6)(keep, keep, 0, 0, 0, 0)  # effective, permitted, inheritable; then the upper halves
    return bool(libc.capset(header, data) == 0)


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
