"""C = A B in Triton: a program makes a tile of C. The compiler takes tensor cores for tf32 and bf16.

Triton reads the source of these functions and compiles it; Python only calls them when it plays the GPU for a test.
"""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def place(tile, n, rows: tl.constexpr, columns: tl.constexpr):
    # Tiles that are made at the same time lie together, so that programs find in the cache what others have read.
    group: tl.constexpr = 8
    down, across = tl.cdiv(n, rows), tl.cdiv(n, columns)
    first = tile // (group * across) * group
    tall = min(down - first, group)
    return (first + tile % (group * across) % tall) * rows, tile % (group * across) // tall * columns


@triton.jit
def product(
    a,
    b,
    c,
    n,
    rows: tl.constexpr,
    columns: tl.constexpr,
    depth: tl.constexpr,
    precision: tl.constexpr,
):
    """By pointers, for any n: a program for each tile."""
    top, start = place(tl.program_id(0), n, rows, columns)
    i, j, k = top + tl.arange(0, rows), start + tl.arange(0, columns), tl.arange(0, depth)
    inside_i, inside_j = i < n, j < n
    from_a = a + i[:, None].to(tl.int64) * n + k[None, :]
    from_b = b + k[:, None].to(tl.int64) * n + j[None, :]
    sums = tl.zeros((rows, columns), tl.float32)
    for begin in range(0, n, depth):
        left = tl.load(from_a, inside_i[:, None] & (k[None, :] < n - begin), 0.0)
        right = tl.load(from_b, (k[:, None] < n - begin) & inside_j[None, :], 0.0)
        sums = tl.dot(left, right, sums, input_precision=precision)
        from_a += depth
        from_b += depth * n
    to_c = c + i[:, None].to(tl.int64) * n + j[None, :]
    tl.store(to_c, sums.to(c.dtype.element_ty), inside_i[:, None] & inside_j[None, :])


@triton.jit
def described(
    a,
    b,
    c,
    n,
    rows: tl.constexpr,
    columns: tl.constexpr,
    depth: tl.constexpr,
    precision: tl.constexpr,
):
    """By descriptors, from which Hopper's copy engine fetches whole tiles: a program makes tile after tile."""
    tiles = tl.cdiv(n, rows) * tl.cdiv(n, columns)
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0), flatten=True):
        top, start = place(tile, n, rows, columns)
        sums = tl.zeros((rows, columns), tl.float32)
        for begin in range(0, n, depth):
            left, right = a.load([top, begin]), b.load([begin, start])
            sums = tl.dot(left, right, sums, input_precision=precision)
        c.store([top, start], sums.to(c.dtype))


@triton.jit
def again(
    given, to, rounds, rows: tl.constexpr, columns: tl.constexpr, depth: tl.constexpr, precision: tl.constexpr
):
    """Two tiles that stay where they are, multiplied again and again: all that tensor cores can do."""
    i, j, k = tl.arange(0, rows), tl.arange(0, columns), tl.arange(0, depth)
    kind: tl.constexpr = tl.bfloat16 if precision == "bf16" else tl.float32
    left = tl.load(given + i[:, None] * depth + k[None, :]).to(kind)
    right = tl.load(given + k[:, None] * columns + j[None, :]).to(kind)
    sums = tl.zeros((rows, columns), tl.float32)
    for _ in range(rounds):
        sums = tl.dot(left, right, sums, input_precision="tf32")
    tl.store(to + i[:, None] * columns + j[None, :], sums)
