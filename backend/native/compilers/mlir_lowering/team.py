"""The threads of OpenMP that share a loop: LLVM's own runtime, which code of MLIR's dialect calls."""

from __future__ import annotations

import ctypes
import time
from importlib.metadata import distribution

SPIN = 1  # milliseconds that idle threads of OpenMP look for work before they sleep; 200 if nobody says so
SETTLED = 3e-2  # seconds after which the threads of what ran before sleep, PyTorch's, too, and leave their cores


def libraries(threads: int) -> list[str]:
    """What code for several threads is linked with."""
    if threads == 1:
        return []
    path = str(distribution("cmeel-libomp").locate_file("cmeel.prefix/lib/libomp.so"))
    ctypes.CDLL(path).kmp_set_blocktime(SPIN)
    return [path]


def torch(threads: int) -> None:
    from torch import set_num_threads

    set_num_threads(threads)


def settle(threads: int) -> None:
    if threads > 1:
        time.sleep(SETTLED)
