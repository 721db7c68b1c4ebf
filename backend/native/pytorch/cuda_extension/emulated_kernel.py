"""The kernels of wasm/kernels/extension.cu, compiled for this processor, with the guard and without."""

from __future__ import annotations

from native.models.kernel import LIBRARY, Kernel

# Fortified jumps refuse to leave a stack; fibers do nothing else.
FLAGS = ("-x", "c++", "-std=c++20", "-O1", "-nostdlib++", "-fno-exceptions", "-fno-rtti", "-U_FORTIFY_SOURCE")
GUARDED = Kernel("extension_on_a_processor.cc", (*FLAGS, *LIBRARY))
UNGUARDED = Kernel("extension_on_a_processor.cc", ("-DUNGUARDED", *FLAGS, *LIBRARY))
