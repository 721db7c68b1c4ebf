"""The few Linux calls that Python does not wrap. On other systems they do nothing, and say so."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_CHILD_SUBREAPER = 1, 4, 8, 36
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, AMBIENT_RAISE = 38, 47, 2
FILES, CAPABILITY_VERSION_3 = (1, 2), 0x20080522  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
NOBODY = 65534

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


def yield_processor(steps: int) -> None:
    """From now on this session gets less of a processor that others want, by so many steps of nice."""
    os.nice(steps)
    with contextlib.suppress(OSError):  # there is none, or others may not set it: then nice alone counts
        Path("/proc/self/autogroup").write_text(str(steps))  # sessions share the processor before nice is looked at


def unshare(flags: int) -> bool:
    """Leave namespaces for new ones of this process. True if the kernel did it."""
    return sys.platform == "linux" and bool(libc.unshare(ctypes.c_int(flags)) == 0)


def no_new_privileges() -> bool:
    """From now on no program that we start gains rights by being set-uid; seccomp and Landlock ask for this."""
    return prctl(PR_SET_NO_NEW_PRIVS, 1)


def drop_rights(directory: Path, files: bool) -> bool:
    """Give up every capability; where this process is root, become nobody. False if the kernel refuses.

    Root's processes are bounded by no limit, nobody's are. With ``files``, what was root may still read and write
    those of others, since Python may lie in root's own home; that is for where Landlock sees to files. Its
    ``directory`` becomes its own all the same: a program that asks access(2), as linkers do, is told what a user
    may, whatever else was granted.
    """
    if sys.platform != "linux":
        return False
    if os.geteuid() != 0:
        return _set_capabilities(())
    parent = os.getppid()
    os.chown(directory, NOBODY, NOBODY)
    os.setgroups([])
    os.setgid(NOBODY)
    prctl(PR_SET_KEEPCAPS, 1)
    os.setuid(NOBODY)
    kept = FILES if files else ()
    done = _set_capabilities(kept)
    for capability in kept:
        done &= prctl(PR_CAP_AMBIENT, AMBIENT_RAISE, capability)  # for the programs that a lab starts
    prctl(PR_SET_DUMPABLE, 1)  # else its own entries in /proc would be root's
    die_with(parent)  # with the change of user this was forgotten
    return done


def _set_capabilities(kept: tuple[int, ...]) -> bool:
    bits = sum(1 << each for each in kept)
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    data = (ctypes.c_uint32 * 6)(bits, bits, bits, 0, 0, 0)  # effective, permitted, inheritable; the upper halves
    return bool(libc.capset(header, data) == 0)


def hide() -> bool:
    """From now on other processes of the same user cannot read our environment and memory: they hold passwords."""
    return prctl(PR_SET_DUMPABLE, 0)


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


def tasks_of(user: int) -> int:
    """Processes and threads of a user, from /proc."""
    count = 0
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if entry.stat().st_uid == user:
                count += len(os.listdir(entry / "task"))
    return count


def session_of(pid: int) -> int | None:
    with contextlib.suppress(OSError):
        return os.getsid(pid)
    return None


def _stat(process: Path) -> list[str]:
    """State, parent, group, session … of a process: what follows its name, which may hold spaces and brackets."""
    with contextlib.suppress(OSError):
        return (process / "stat").read_text(errors="replace").rpartition(")")[2].split()
    return []
