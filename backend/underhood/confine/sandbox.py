"""What the process of a run may not do. Each layer is applied where the kernel has it; `confine` says which it was.

rlimits       memory, processor time, processes, size and number of files; no core dumps
capabilities  nothing of what root may do more than others, now or through set-uid programs; root becomes nobody
landlock      files: read the system and Python, write only the run's own directory; no signals to other processes
seccomp       no network: only sockets of this machine can be made. A lab whose subject is the network says
              ``LOOPBACK = True`` and may make all, in a network of its own
loopback      that network, which holds nothing but a loopback. Where the kernel refuses to make one, what such a
              lab can reach is up to the container around it
"""

from __future__ import annotations

import math
import os
import resource
import socket
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from underhood.confine import landlock, linux, loopback, seccomp

EVERY_RUN = ("rlimits", "capabilities", "landlock", "seccomp")
LAYERS = (*EVERY_RUN, "loopback")
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
KEEP = ("PATH", "LANG", "PYTHONHASHSEED", "CUDA_VISIBLE_DEVICES", *THREADS)  # the environment of a run
SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/opt", "/proc", "/sys")
# From /etc what programs need to start, and not what is secret there.
NEEDED = (
    "alternatives",
    "group",
    "hosts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "nsswitch.conf",
)
ETC = tuple(f"/etc/{name}" for name in (*NEEDED, "os-release", "passwd", "ssl", "timezone"))
DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "shm", "nvidia*", "dri")


def confine(directory: Path, limits: dict[str, Any], package: str = "labs", network: bool = False) -> list[str]:
    """Confine this process for good; return the layers that hold. ``limits`` are `settings.Limits` and ``cores``.

    ``package`` is where the lab lives; its source stays readable, because a lab may import more when it runs.
    """
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_CPU, math.ceil(limits["wall"]) * limits["cores"] + 5)
    _limit(resource.RLIMIT_FSIZE, limits["file_bytes"])
    _limit(resource.RLIMIT_NOFILE, limits["files"])
    if limits["memory"]:
        # DATA, not AS: torch and CUDA reserve far more address space than they ever write to.
        _limit(resource.RLIMIT_DATA, limits["memory"])
    held = ["rlimits"]
    if network and loopback.leave_for_loopback():  # first: it takes rights that are given up next
        held.append("loopback")
    if linux.no_new_privileges() and linux.drop_rights(directory, files=landlock.version() >= 1):
        held.append("capabilities")
    # The kernel counts all tasks of a user together; those that are there already are none of the lab's doing.
    _limit(resource.RLIMIT_NPROC, linux.tasks_of(os.getuid()) + limits["processes"])
    writable = [directory, *(each for name in DEVICES for each in Path("/dev").glob(name))]
    if landlock.restrict(readable=_readable(package), writable=writable):
        held.append("landlock")
    if seccomp.deny_sockets(None if network else socket.AF_UNIX):
        held.append("seccomp")
    return held


def probe(limits: dict[str, Any]) -> list[str]:
    """The layers that hold on this machine: those of every run, and of a lab whose subject is the network."""
    held = [set(_tried(limits, network)) for network in (False, True)]
    return [layer for layer in LAYERS if layer in held[layer not in EVERY_RUN]]


def _tried(limits: dict[str, Any], network: bool) -> list[str]:
    """The layers that a process held, which confined itself and ended."""
    with tempfile.TemporaryDirectory() as directory:
        if not (pid := os.fork()):
            try:
                held = confine(Path(directory), limits, network=network)
                os._exit(sum(1 << n for n, layer in enumerate(LAYERS) if layer in held))
            finally:
                os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return [layer for n, layer in enumerate(LAYERS) if code > 0 and code >> n & 1]


def _readable(package: str) -> Iterator[Path]:
    yield from map(Path, (*SYSTEM, *ETC, sys.prefix, sys.base_prefix))
    yield from (Path(entry) for entry in sys.path if entry)
    for name in {package, "labs", "native"}:  # installed for editing, they lie outside of sys.path
        spec = find_spec(name)
        for folder in map(Path, (spec.submodule_search_locations or ()) if spec else ()):
            yield from (folder, folder.with_name("kernels"))


def _limit(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
