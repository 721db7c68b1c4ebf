"""The products of matmul_ladder once more, as modules of WebAssembly that run in a reader's browser."""

from __future__ import annotations

from native.models.kernel import Kernel

EXPORTS = ("multiply", "peak", "__heap_base", "__stack_pointer")
MODULE = (
    *(
        "-target",
        "wasm32-freestanding",
        "-O3",
        "-nostdlib",
        "-fno-sanitize=all",
        "-Wl,--no-entry",
        "-Wl,--strip-all",
    ),
    *(f"-Wl,--export={name}" for name in EXPORTS),
)
MEMORY = 64 << 20  # bytes that threads share: three matrices of 2048 × 2048, the copies, a stack for each of 64
SHARED = ("-Wl,--shared-memory", "-Wl,--import-memory", f"-Wl,--max-memory={MEMORY}")


def module(features: str, *more: str) -> Kernel:
    return Kernel("device.c", (*MODULE, *more, f"-mcpu=generic+bulk_memory+mutable_globals{features}"))


MODULES = {
    "scalar": module(""),
    "simd": module("+simd128"),
    "relaxed": module("+simd128+relaxed_simd"),
    "simd_threads": module("+simd128+atomics", *SHARED),
    "relaxed_threads": module("+simd128+relaxed_simd+atomics", *SHARED),
}
"""By what a browser has to know: numbers one by one, four at once, multiply and add rounded once, shared memory."""
