"""The matrix products of wasm/kernels/matmul.c, compiled with the flags that a reader may choose."""

from __future__ import annotations

from native.models.kernel import LIBRARY, Kernel

FLAGS = {
    "-O0": ("-O0", "-mcpu=baseline"),
    "-O3": ("-O3", "-mcpu=baseline"),
    "-O3 -march=native": ("-O3", "-mcpu=native"),
    "-O3 -march=native -ffast-math": ("-O3", "-mcpu=native", "-ffast-math"),
    "-O3 -march=native -fno-vectorize": ("-O3", "-mcpu=native", "-fno-vectorize", "-fno-slp-vectorize"),
}
"""As readers know them; the compiler is clang with zig's names for processors, which has two vectorizers."""

LOOPS = {name: Kernel("matmul.c", (*flags, *LIBRARY)) for name, flags in FLAGS.items()}
BEST = LOOPS["-O3 -march=native"]
PEAK = Kernel("peak.c", ("-O3", "-mcpu=native", *LIBRARY))
