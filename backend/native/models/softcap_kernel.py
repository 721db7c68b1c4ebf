"""The kernel of wasm/kernels/softcap.c, called with the sizes, strides and addresses of tensors."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import torch
from torch import Tensor

from native.models.kernel import KERNELS, LIBRARY, Kernel, load

FLAGS = ("-O3", "-ffp-contract=off", *LIBRARY)
MISTAKES = {"right": "", "no tail": "NO_TAIL", "no strides": "NO_STRIDES"}
TIMED = {
    "scalar": Kernel("softcap.c", ("-DONE_LANE", "-fno-vectorize", "-fno-slp-vectorize", *FLAGS)),
    "native": Kernel("softcap.c", ("-DDENSE", "-mcpu=native", *FLAGS)),
}
SOFTCAP = {
    name: Kernel("softcap.c", (f"-D{mistake}", *FLAGS) if mistake else FLAGS) for name, mistake in MISTAKES.items()
} | TIMED


def call(which: str, x: Tensor, cap: float) -> Tensor:
    """x: float32. What the kernel does not write stays NaN, so that it shows, and shows the same each time."""
    return into(torch.full_like(x, torch.nan), which, x, cap)


def into(y: Tensor, which: str, x: Tensor, cap: float) -> Tensor:
    longs = ctypes.c_int64 * x.dim()
    function: Any = load(SOFTCAP[which]).softcap
    function(
        x.dim(), longs(*x.shape), longs(*x.stride()), longs(*y.stride()),
        ctypes.c_void_p(x.data_ptr()), ctypes.c_float(cap), ctypes.c_void_p(y.data_ptr()),
    )  # fmt: skip
    return y


@cache
def source(which: str) -> list[str]:
    """How it walks over a tensor, as the preprocessor leaves it."""
    kept, keep = [], [True]
    for line in (KERNELS / "softcap.c").read_text("utf-8").splitlines():
        if line.startswith("#ifdef"):
            keep.append(line.split()[1] == MISTAKES[which])
        elif line == "#else":
            keep.append(not keep.pop())
        elif line == "#endif":
            keep.pop()
        elif all(keep):
            kept.append(line)
    return kept[next(n for n, line in enumerate(kept) if line.startswith("static void row")) :]
