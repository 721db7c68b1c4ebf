"""Emitted kernels on a processor, a fiber for each thread, by the compiler from PyPI and `on_a_processor.h`."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from labs.models.fusing.loops import Kernel, Program
from numpy.typing import NDArray

from native.compilers.gpu_kernel_stages import block
from native.compilers.gpu_kernel_stages.emit import Emitted
from native.compilers.gpu_kernel_stages.products import THREADS
from native.models.kernel import KERNELS

Memory = Mapping[str, NDArray[np.float32]]
FORWARD, BACKWARD, SHUFFLED = range(3)
# Fortified jumps refuse to leave a stack; fibers do nothing else.
FLAGS = (
    *("-x", "c++", "-std=c++20", "-O1", "-shared", "-fPIC", "-nostdlib++", "-fno-exceptions", "-fno-rtti"),
    *("-U_FORTIFY_SOURCE", "-fno-sanitize=all", "-Wno-unknown-pragmas", "-Wno-pass-failed"),
    *("-mllvm", "-pragma-unroll-threshold=1"),
)
HEAD = """
#include <math.h>
#include "on_a_processor.h"
static dim3 blockDim, gridDim;
static void **given;
"""
CALL = """
extern "C" void run_NAME(void **arrays, int blocks, int order) {
  given = arrays, gridDim = {(unsigned)blocks, 1}, blockDim = {THREADS, 1};
  on_a_processor([] { NAME(ARGUMENTS); }, gridDim, blockDim, order);
}
"""


class OnProcessor:
    """The kernels of a file, or of another text with the same kernels, ready to be run."""

    def __init__(self, emitted: Emitted, text: str = "") -> None:
        self.emitted = emitted
        calls = [HEAD, text or emitted.text]
        for name, _, buffers in emitted.launches:
            arguments = ", ".join(f"(float *)given[{place}]" for place in range(len(buffers)))
            call = CALL.replace("NAME", name).replace("THREADS", str(THREADS))
            calls.append(call.replace("ARGUMENTS", arguments))
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "kernels.cc").write_text("\n".join(calls))
            command = [
                sys.executable,
                "-m",
                "ziglang",
                "cc",
                *FLAGS,
                f"-I{KERNELS}",
                "-o",
                "kernels.so",
                "kernels.cc",
            ]
            subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder)
            self.library = ctypes.CDLL(str(Path(folder) / "kernels.so"))

    def run(self, name: str, memory: Memory, order: int = FORWARD) -> None:
        """All blocks of a kernel. Results are written into ``memory``, an array for each buffer."""
        _, blocks, buffers = next(each for each in self.emitted.launches if each[0] == name)
        arrays = (ctypes.c_void_p * len(buffers))(*(memory[each].ctypes.data for each in buffers))
        getattr(self.library, f"run_{name}")(arrays, blocks, order)


def errors(
    program: Program, emitted: Emitted, source: str, makers: Mapping[str, Kernel], seed: int
) -> dict[str, float]:
    """For each value how far it is from PyTorch's in float64, as a share of the largest number."""
    given = block.inputs(source, seed)
    memory = {
        each.name: given[each.name].numpy().ravel()
        if each.role == "input"
        else np.full(each.size, np.nan, np.float32)
        for each in program.buffers
    }
    ready = OnProcessor(emitted)
    for name, _, _ in emitted.launches:
        ready.run(name, memory, SHUFFLED)
    return block.apart(given, makers, memory)
