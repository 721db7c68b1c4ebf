"""Emitted CUDA on this processor, a fiber for each thread: a missing barrier shows in one order or another."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import fusing_c
from cuda_on_a_processor import FLAGS
from labs.models.fusing.emit_cuda import Launch, emit_cuda, launches
from labs.models.fusing.evaluate import Array
from labs.models.fusing.loops import Program
from native.models.kernel import KERNELS

HEAD = """
#include <math.h>
#include "on_a_processor.h"
static dim3 blockDim, gridDim;
static void **given;
__shared__ float some; // at least one: the linker then knows where they begin and end
extern "C" float *shared() { return &some; }
"""
CALL = """
extern "C" void run_NAME(void **arrays, int order) {
  given = arrays, gridDim = {BLOCKS, 1}, blockDim = {THREADS, 1};
  on_a_processor([] { NAME(ARGUMENTS); }, gridDim, blockDim, order);
}
"""


def compiled(program: Program) -> ctypes.CDLL:
    folder = Path(tempfile.mkdtemp())
    text = "\n".join(each.text for each in emit_cuda(program))
    calls = (call(program, number, each) for number, each in enumerate(launches(program)))
    (folder / "kernels.cc").write_text(HEAD + text + "".join(calls))
    command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, f"-I{KERNELS}", "-o", "kernels.so", "kernels.cc"]
    subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder)
    return ctypes.CDLL(str(folder / "kernels.so"))


def call(program: Program, number: int, launch: Launch) -> str:
    shared = [each for each in program.kernels[number].buffers if each.role != "local"]
    types = fusing_c.TYPES
    given = ", ".join(f"({types[each.dtype]} *)given[{place}]" for place, each in enumerate(shared))
    text = CALL.replace("NAME", launch.kernel).replace("BLOCKS", str(launch.blocks))
    return text.replace("THREADS", str(launch.threads)).replace("ARGUMENTS", given)


def run(program: Program, library: ctypes.CDLL, inputs: Mapping[str, Array], order: int) -> list[Array]:
    memory = {each.name: fusing_c.filled(each, inputs) for each in program.buffers}
    for kernel in program.kernels:
        shared = [each for each in kernel.buffers if each.role != "local"]
        arrays = (ctypes.c_void_p * len(shared))(*(memory[each.name][64:].ctypes.data for each in shared))
        getattr(library, f"run_{kernel.name}")(arrays, order)
    return fusing_c.results(program, memory)


def accepted(program: Program, arch: str) -> None:
    """By NVRTC, which needs no GPU for it."""
    from cuda.bindings import nvrtc

    source = "\n".join(each.text for each in emit_cuda(program)).encode()
    _, made = nvrtc.nvrtcCreateProgram(source, b"kernels.cu", 0, [], [])
    (code,) = nvrtc.nvrtcCompileProgram(made, 1, [f"--gpu-architecture={arch}".encode()])
    log = bytearray(nvrtc.nvrtcGetProgramLogSize(made)[1])
    nvrtc.nvrtcGetProgramLog(made, log)
    assert not int(code), log.decode()
