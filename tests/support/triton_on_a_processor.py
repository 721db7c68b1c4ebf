"""Runs the Triton kernels on this processor, by Triton's interpreter, and prints how far they were off, as JSON.

A process of its own: Triton decides when it is imported whether it compiles or interprets.
"""

from __future__ import annotations

import json
import os
import sys

os.environ["TRITON_INTERPRET"] = "1"

import numpy as np
import torch
import triton.language as tl
from native.models import cuda_products, triton_matmul
from native.models.triton_kernels import again
from native.models.triton_matmul import Config
from triton.runtime import interpreter

SMALL = Config(64, 32, 32, 4, 3)
SIZES = (1, 8, 31, 32, 33, 64, 65, 100, 129, 136)

multiply = interpreter.InterpreterBuilder.create_dot


def create_dot(self, a, b, d, precision, imprecise):  # type: ignore[no-untyped-def]
    """The interpreter keeps bfloat16 as the bits of whole numbers, and would multiply those."""

    def real(handle):  # type: ignore[no-untyped-def]
        if handle.data.dtype != np.uint16:
            return handle
        return interpreter.TensorHandle((handle.data.astype(np.uint32) << 16).view(np.float32), tl.float32)

    return multiply(self, real(a), real(b), d, precision, imprecise)


interpreter.InterpreterBuilder.create_dot = create_dot  # type: ignore[method-assign]


def off(way: str, precision: cuda_products.Precision, n: int) -> float:
    torch.manual_seed(n)
    a, b = (torch.rand(n, n) * 2 - 1 for _ in range(2))
    given = [cuda_products.cast(each, precision) for each in (a, b)]
    c = torch.full_like(given[0], torch.nan)
    if way == "pointers":
        triton_matmul.pointers(*given, c, precision, SMALL)()
    else:
        triton_matmul.descriptors(*given, c, precision, SMALL, programs=3)()
    return cuda_products.error(c, a, b)


def tireless(precision: str, rounds: int) -> float:
    """As if each round added the product of the same two tiles."""
    torch.manual_seed(rounds)
    given, to = torch.rand(32 * 32), torch.zeros(32 * 32)
    again[(2,)](given, to, rounds, 32, 32, 32, precision)
    left = cuda_products.cast(given.view(32, 32), precision).double()
    exact = rounds * left @ left
    return float((to.view(32, 32) - exact).norm() / exact.norm())


found = [
    (way, precision, n, off(way, precision, n))
    for precision in ("fp32", "tf32", "bf16")
    for way in ("pointers", "descriptors")
    for n in SIZES
    if way == "pointers" or n * (2 if precision == "bf16" else 4) % 16 == 0
]
json.dump({"off": found, "again": {each: tireless(each, 5) for each in ("tf32", "bf16")}}, sys.stdout)
