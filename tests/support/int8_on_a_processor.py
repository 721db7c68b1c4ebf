"""Runs wasm/kernels/int8.cu on this processor: compiled as C++, a fiber for each CUDA thread."""

from __future__ import annotations

import ctypes
import re
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from cuda_on_a_processor import ACCESS, FORWARD, KERNELS, Ran, aligned, at, compiled
from native.learning.int8_gemm.on_gpu import FILE, ROWS, TILES

NAMES = ("by_vector", "by_vector4", "multiply", "reading")
GUARD = -77
GUARD_ROOM = 1 << 15  # numbers on each side of a result
# Old and new text of one place each. All are compiled at once, beside the text as it is.
MISTAKES = {
    "a slab that is not there": ("wait_prior(STAGES - 2)", "wait_prior(STAGES - 1)"),
    "no barrier beside copies": ("    __syncthreads(); /* all have", "    /* all have"),
    "sums into slabs in use": ("  __pipeline_wait_prior(0);\n  __syncthreads();\n", ""),
    "no wait for a sum": ("      __syncwarp();\n      for", "      for"),
    "a sum written over": ("      __syncwarp(); /* the next", "      /* the next"),
    "rows beyond the last": ("i < rows && k < depth", "k < depth"),
    "the next row as this one": ("i < rows && k < depth", "i < rows"),
    "written beyond the rim": ("row < rows && column < columns", "row < rows"),
    "half of a strip": ("right[stage][part][i + WIDE / 2], w", "right[stage][part][i], w"),
    "a vector's row beyond the last": (
        "    return;\n  w += (size_t)row * length",
        "    ;\n  w += (size_t)row * length",
    ),
    "half of a warp": ("apart = WARP / 2", "apart = WARP / 4"),
    "a borrow from the next code": ("+ 0x78787878) ^ 0x80808080", "- 0x08080808)"),
    "a scale of another group": ("scales + i / QUARTERS)", "scales + i / QUARTERS / 2)"),
    "read twice": ("i += gridDim.x * THREADS", "i += THREADS"),
}


@cache
def library() -> ctypes.CDLL:
    """Of a text with a mistake only the part is compiled that has it; the rest is that of the text as it is."""
    source, folder = (KERNELS / FILE).read_text("utf-8"), Path(tempfile.mkdtemp())
    head, *parts = re.sub(r"#pragma unroll.*\n", "", source).split("/* -- ")  # unrolled, it takes long to compile
    texts = ["/* -- ".join((head, *parts))]
    for old, new in MISTAKES.values():
        (part,) = (each for each in parts if old in each)
        assert part.count(old) == 1, old
        texts.append(f"{head}/* -- {part.replace(old, new)}")
    lines = []
    for place, text in enumerate(texts):
        (folder / f"{place}.cu").write_text(text, "utf-8")
        others = "".join(f"using text0::{name};\n" for name in NAMES if f"KERNEL {name}(" not in text)
        lines.append(f'namespace text{place} {{\n{others}#include "{folder}/{place}.cu"\n}}\n')
    listed = ", ".join(f"KERNELS(text{place})" for place in range(len(texts)))
    (folder / "texts.h").write_text("".join(lines) + f"#define EACH {listed}\n", "utf-8")
    loaded = compiled("int8_on_a_processor.cc", f'TEXTS="{folder}/texts.h"')
    loaded.traced.restype = ctypes.c_size_t
    return loaded


def launch(
    name: str, blocks: int, sizes: Sequence[int], given: Sequence[np.ndarray], to: np.ndarray,
    order: int = FORWARD, mistake: str = "", trace: int = -1,
) -> int:  # fmt: skip
    """Returns how many flaws were seen. Arrays begin where those on a GPU may."""
    text = ["", *MISTAKES].index(mistake)
    addresses = (ctypes.c_void_p * len(given))(*(each.ctypes.data for each in given))
    bytes_ = (ctypes.c_int64 * len(given))(*(each.nbytes for each in given))
    numbers = (ctypes.c_int * len(sizes))(*sizes)
    which = NAMES.index(name)
    return int(library().launch(text, which, blocks, numbers, len(given), addresses, bytes_, at(to), order, trace))


def run(name: str, given: Sequence[np.ndarray], order: int = FORWARD, mistake: str = "", trace: int = -1) -> Ran:
    """The kernel as ``on_gpu`` launches it. The result begins as guards and lies between others that stay."""
    given = [aligned(each) for each in given]
    first, second = given[0], given[1 % len(given)]
    kind, shape, blocks = np.int32, (len(first),), ROWS.blocks(1, len(first))[0]
    sizes = [len(first), first.shape[-1] // 16]
    if name == "by_vector4":
        kind, sizes = np.float32, [len(first), first.shape[1]]
    elif name == "multiply":
        shape, sizes = (len(first), len(second)), [len(first), len(second), first.shape[1]]
        blocks = TILES.blocks(shape[1], shape[0])[0]
    elif name == "reading":
        shape, sizes, blocks = (1,), [first.nbytes // 16], 3
    count = int(np.prod(shape))
    held = aligned(np.full(count + 2 * GUARD_ROOM, GUARD, kind))
    flaws = launch(name, blocks, sizes, given, held[GUARD_ROOM:], order, mistake, trace)
    assert (held[:GUARD_ROOM] == GUARD).all() and (held[GUARD_ROOM + count :] == GUARD).all(), "wrote outside"
    where = ctypes.c_void_p()
    listed = library().traced(ctypes.byref(where))
    reads = np.frombuffer(ctypes.string_at(where, listed * ACCESS.itemsize), ACCESS)
    return Ran(held[GUARD_ROOM : GUARD_ROOM + count].reshape(shape).copy(), flaws, reads)
