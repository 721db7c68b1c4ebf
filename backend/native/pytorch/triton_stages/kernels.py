"""The kernels whose stages are shown, in Triton. Nothing but a process of their own imports them."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def add(x, y, z, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    a = tl.load(x + i, inside)
    b = tl.load(y + i, inside)
    tl.store(z + i, a + b, inside)


@triton.jit
def softmax(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    a = tl.load(x + row * n + j, j < n, -float("inf"))
    e = tl.exp(a - tl.max(a, 0))
    p = e / tl.sum(e, 0)
    tl.store(y + row * n + j, p, j < n)


@triton.jit
def matmul(a, b, c, n, BLOCK: tl.constexpr, DEPTH: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    k = tl.arange(0, DEPTH)
    from_a = a + i[:, None] * n + k[None, :]
    from_b = b + k[:, None] * n + j[None, :]
    sums = tl.zeros((BLOCK, BLOCK), tl.float32)
    for _ in range(0, n, DEPTH):
        left = tl.load(from_a)
        right = tl.load(from_b)
        sums = tl.dot(left, right, sums)
        from_a += DEPTH
        from_b += DEPTH * n
    to_c = c + i[:, None] * n + j[None, :]
    tl.store(to_c, sums.to(tl.float16))
