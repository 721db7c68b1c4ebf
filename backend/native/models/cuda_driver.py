"""CUDA C of ours (wasm/kernels), compiled by NVRTC where it runs, and started on torch's stream.

NVRTC is a library, so no compiler has to be installed, nor a GPU to compile. Both it and the driver are called by
``cuda.bindings``, which torch's CUDA build brings along. Nothing here is imported before it is used.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from native.models.kernel import KERNELS

HOPPER = "sm_90a"


@dataclass(frozen=True)
class Built:
    """Machine code of a text of kernels, the PTX it comes from, and what the assembler said of each kernel."""

    ptx: str
    cubin: bytes
    resources: Mapping[str, Resources]


@dataclass(frozen=True)
class Resources:
    """What a thread or a block of a kernel takes."""

    registers: int
    shared: int
    """bytes that a block has in common"""
    spilled: int
    """bytes that a thread writes to memory and reads back for want of registers"""


def build(file: str, arch: str, defines: tuple[str, ...] = ()) -> Built:
    """Compile a file of wasm/kernels, for sm_90 for example. Raises ``ValueError`` with NVRTC's words."""
    source = (KERNELS / file).read_text()
    where = (f"-I{KERNELS}", f"-I{headers()}") if "#include" in source else ()
    return compiled(source, file, arch, (*where, *(f"-D{each}" for each in defines)))


@cache
def headers() -> Path:
    """NVIDIA's own, such as mma.h, which NVRTC lacks: Triton brings them along, and so does CUDA's toolkit."""
    triton = find_spec("triton")
    (beside, *_) = (triton and triton.submodule_search_locations) or ("",)
    toolkit = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    for place in (Path(beside, "backends/nvidia/include"), Path(toolkit, "include")):
        if (place / "mma.h").exists():
            return place
    raise ValueError("NVIDIA's headers are missing: install Triton, or set CUDA_HOME.")


@lru_cache(16)
def compiled(source: str, file: str, arch: str, more: tuple[str, ...] = ()) -> Built:
    """Compile a text that is called so, with more options of NVRTC's. Raises ``ValueError`` with NVRTC's words."""
    from cuda.bindings import nvrtc

    program = _ask(nvrtc.nvrtcCreateProgram(source.encode(), file.encode(), 0, [], []))
    options = [f"--gpu-architecture={arch}", "--ptxas-options=-v", *more]
    (code,) = nvrtc.nvrtcCompileProgram(program, len(options), [each.encode() for each in options])
    log = bytearray(_ask(nvrtc.nvrtcGetProgramLogSize(program)))
    _ask(nvrtc.nvrtcGetProgramLog(program, log))
    words = log.decode(errors="replace").rstrip("\0\n")
    if code:
        raise ValueError(f"NVRTC does not compile {file} for {arch}: {words}")
    ptx = bytearray(_ask(nvrtc.nvrtcGetPTXSize(program)))
    _ask(nvrtc.nvrtcGetPTX(program, ptx))
    cubin = bytearray(_ask(nvrtc.nvrtcGetCUBINSize(program)))
    _ask(nvrtc.nvrtcGetCUBIN(program, cubin))
    nvrtc.nvrtcDestroyProgram(program)
    return Built(ptx.decode().rstrip("\0"), bytes(cubin), dict(_resources(words)))


def _resources(words: str) -> list[tuple[str, Resources]]:
    found = []
    for part in words.split("Compiling entry function '")[1:]:
        spilled = sum(map(int, re.findall(r"(\d+) bytes spill (?:stores|loads)", part)))
        registers, shared = (re.search(rf"(\d+) {what}", part) for what in ("registers", "bytes smem"))
        assert registers is not None
        taken = Resources(int(registers[1]), int(shared[1]) if shared else 0, spilled)
        found.append((part.partition("'")[0], taken))
    return found


@cache
def load(file: str, name: str, defines: tuple[str, ...] = ()) -> Any:
    """A kernel on the GPU that torch uses, ready to be launched."""
    from cuda.bindings import driver

    return _ask(driver.cuModuleGetFunction(_module(file, defines), name.encode()))


@cache
def _module(file: str, defines: tuple[str, ...]) -> Any:
    return put(build(file, here(), defines).cubin)


def here() -> str:
    """The architecture of the GPU that torch uses; Hopper's with the instructions that no later one has."""
    import torch

    torch.cuda.synchronize()  # makes the context that code is loaded into
    major, minor = torch.cuda.get_device_capability()
    return HOPPER if major == 9 else f"sm_{major}{minor}"


def put(cubin: bytes) -> Any:
    """Machine code onto the GPU."""
    from cuda.bindings import driver

    held = ctypes.create_string_buffer(cubin)  # for as long as the driver reads it
    return _ask(driver.cuModuleLoadData(ctypes.addressof(held)))


def kernels(built: Built, names: Iterable[str]) -> dict[str, Any]:
    """Those of a text, by name, ready to be launched."""
    from cuda.bindings import driver

    module = put(built.cubin)
    return {name: _ask(driver.cuModuleGetFunction(module, name.encode())) for name in names}


def launch(
    kernel: Any, blocks: tuple[int, int], threads: tuple[int, int], arguments: tuple[Any, ...], shared: int = 0
) -> None:
    """Put a kernel on torch's current stream, with so many bytes of shared memory beside those it declares.

    Tensors go as their addresses, what ``boxes`` made as it is, other numbers as int or float.
    """
    import torch
    from cuda.bindings import driver

    def held(each: Any) -> Any:
        if isinstance(each, torch.Tensor):
            return ctypes.c_void_p(each.data_ptr())
        if isinstance(each, ctypes.Array):
            return each
        return (ctypes.c_int if isinstance(each, int) else ctypes.c_float)(each)

    given = [held(each) for each in arguments]
    addresses = (ctypes.c_void_p * len(given))(*map(ctypes.addressof, given))
    stream = torch.cuda.current_stream().cuda_stream
    _ask(driver.cuLaunchKernel(kernel, *blocks, 1, *threads, 1, shared, stream, ctypes.addressof(addresses), 0))


def allow(kernel: Any, shared: int) -> None:
    """Let a kernel be launched with so many bytes of shared memory: beyond 48 KiB it has to be said beforehand."""
    from cuda.bindings import driver

    what = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    _ask(driver.cuFuncSetAttribute(kernel, what, shared))


def boxes(matrix: Any, high: int, wide: int) -> Any:
    """A matrix of bfloat16 as Hopper's copy engine is told of it, to bring boxes of so many rows and columns.

    Rows begin at multiples of 16 bytes, and those of a box have 128, swizzled by their address. The driver wants to
    write this at a multiple of 64, which Python's own class for it, ``driver.CUtensorMap``, does not keep.
    """
    from cuda.bindings import driver

    rows, columns = matrix.shape
    room = bytearray(128 + 64)
    start = ctypes.addressof((ctypes.c_char * len(room)).from_buffer(room))
    made = (ctypes.c_char * 128).from_buffer(room, -start % 64)
    code = ctypes.CDLL("libcuda.so.1").cuTensorMapEncodeTiled(
        ctypes.byref(made),
        int(driver.CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_BFLOAT16),
        2,
        ctypes.c_void_p(matrix.data_ptr()),
        (ctypes.c_uint64 * 2)(columns, rows),
        (ctypes.c_uint64 * 1)(2 * columns),  # bytes from a row to the next
        (ctypes.c_uint32 * 2)(wide, high),
        (ctypes.c_uint32 * 2)(1, 1),
        int(driver.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE),
        int(driver.CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_128B),
        int(driver.CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_256B),
        int(driver.CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
    )
    _ask((driver.CUresult(code),))
    return made


def _ask(answer: tuple[Any, ...]) -> Any:
    """What a call returned beside its code. Raises ``RuntimeError`` where the code is one of an error."""
    code, *rest = answer
    if code:
        raise RuntimeError(f"CUDA answered {code!r}")
    return rest[0] if rest else None
