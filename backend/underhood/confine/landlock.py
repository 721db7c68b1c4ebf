"""Landlock, the kernel's own file sandbox for unprivileged processes (Linux 5.13 and later).

From linux/landlock.h: a ruleset says which rights it handles, rules give some of them back below a path, and
restricting is for good, for this process and all that it starts.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from underhood.confine import linux

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture
VERSION_FLAG, RULE_PATH_BENEATH = 1, 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REFER, TRUNCATE = 1 << 13, 1 << 14
ALL = (1 << 15) - 1  # the above, and removing and making every kind of file
SCOPE_ABSTRACT_SOCKET, SCOPE_SIGNAL = 1 << 0, 1 << 1

READ = EXECUTE | READ_FILE | READ_DIR
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE  # the rights that a rule about one file may name


class Ruleset(ctypes.Structure):
    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """Of the kernel's Landlock; below 1 if it has none."""
    return linux.syscall(CREATE_RULESET, None, 0, VERSION_FLAG)


def restrict(readable: Iterable[Path], writable: Iterable[Path]) -> bool:
    """Deny this process every file but these, and signals to processes that it has not started.

    Paths that do not exist are skipped. False if the kernel has no Landlock; nothing is restricted then.
    """
    if (abi := version()) < 1:
        return False
    handled = ALL & ~(REFER if abi < 2 else 0) & ~(TRUNCATE if abi < 3 else 0)
    scoped = SCOPE_ABSTRACT_SOCKET | SCOPE_SIGNAL if abi >= 6 else 0
    attributes = Ruleset(handled, 0, scoped)
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = linux.syscall(CREATE_RULESET, ctypes.byref(attributes), size, 0)
    if ruleset < 0:
        return False
    try:
        for paths, rights in ((readable, READ), (writable, handled)):
            for path in paths:
                _allow(ruleset, path, rights)
        return linux.no_new_privileges() and linux.syscall(RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rule = PathBeneath(rights if path.is_dir() else rights & OF_A_FILE, descriptor)
        linux.syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(descriptor)
