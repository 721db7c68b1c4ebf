"""Emitted C, compiled by the compiler from PyPI and run on arrays."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from labs.models.fusing.c_helpers import TYPES as TYPES
from labs.models.fusing.emit_c import emit_c
from labs.models.fusing.evaluate import NUMPY, Array, held, rounded
from labs.models.fusing.loops import Buffer, Program

FLAGS = ("-O3", "-std=c11", "-fopenmp-simd", "-Wall", "-Werror", "-Wno-unknown-pragmas", "-Wno-pass-failed")


Kernels = dict[str, Any]
"""The compiled kernels of one program, by name."""


def compiled(programs: Sequence[Program]) -> list[Kernels]:
    """The kernels of each program, compiled by one start of the compiler; all are in one library."""
    folder = Path(tempfile.mkdtemp())
    sources = [folder / f"p{number}.c" for number in range(len(programs))]
    for source, program in zip(sources, programs, strict=True):
        own = [f"#define {kernel.name} {source.stem}_{kernel.name}" for kernel in program.kernels]
        source.write_text("\n".join([*own, *(each.text for each in emit_c(program))]) + "\n")
    made = folder / "all.so"
    command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, "-shared", "-fPIC", "-o", made, *sources, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    library = ctypes.CDLL(str(made))
    return [
        {kernel.name: getattr(library, f"{source.stem}_{kernel.name}") for kernel in program.kernels}
        for source, program in zip(sources, programs, strict=True)
    ]


def filled(buffer: Buffer, inputs: Mapping[str, Array]) -> Array:
    """A buffer between two guards, which nothing may write to."""
    kind = {"bf16": np.uint16, "bool": np.uint8}.get(buffer.dtype, NUMPY[buffer.dtype])
    memory = np.full(buffer.size + 128, 77, kind)
    if buffer.role == "input":
        given = np.ravel(inputs[buffer.name]).astype(NUMPY[buffer.dtype])
        memory[64:-64] = as_bits(given) if buffer.dtype == "bf16" else held(given, buffer.dtype, False)
    return memory


def run(program: Program, kernels: Kernels, inputs: Mapping[str, Array]) -> list[Array]:
    memory = {each.name: filled(each, inputs) for each in program.buffers}
    for kernel in program.kernels:
        shared = [each for each in kernel.buffers if each.role != "local"]
        kernels[kernel.name](*(ctypes.c_void_p(memory[each.name][64:].ctypes.data) for each in shared))
    return results(program, memory)


def results(program: Program, memory: Mapping[str, Array]) -> list[Array]:
    assert all((each[:64] == 77).all() and (each[-64:] == 77).all() for each in memory.values())
    outputs = []
    for each in program.buffers:
        if each.role == "output":
            found = memory[each.name][64:-64]
            found = as_numbers(found) if each.dtype == "bf16" else found
            outputs.append(found.reshape(program.shapes[each.name]))
    return outputs


def as_bits(numbers: Array) -> Array:
    return np.asarray(rounded(numbers).view(np.uint32) >> 16).astype(np.uint16)


def as_numbers(bits: Array) -> Array:
    return (bits.astype(np.uint32) << 16).view(np.float32)
