"""NVIDIA's compiler, from wheels, and what stands in for the CUDA half of torch where there is none."""

import importlib.util
import os
import subprocess
from pathlib import Path

import torch

TORCH = Path(torch.__file__).parent


def package(name: str) -> Path:
    found = importlib.util.find_spec(name)
    assert found and found.submodule_search_locations
    return Path(next(iter(found.submodule_search_locations)))


CUDA = package("nvidia") / "cu13"
CUOBJDUMP = package("triton") / "backends/nvidia/bin/cuobjdump"
RUNTIME = CUDA / "lib/libcudart.so.13"


def environment(folder: Path) -> dict[str, str]:
    """For a shell in which commands find the compiler, torch, and what stands in for its other half in a folder.

    A header that configures the build lies in the CUDA builds of torch alone; here it is empty.
    """
    header = folder / "include/c10/cuda/impl/cuda_cmake_macros.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    header.touch()
    (folder / "lib").mkdir(exist_ok=True)
    if not (runtime := folder / "lib/libcudart.so").exists():
        runtime.symlink_to(RUNTIME)
    return os.environ | {
        "TORCH": str(TORCH),
        "CUDA_HOME": str(CUDA),
        "PATH": f"{CUDA / 'bin'}:{os.environ['PATH']}",
        "CPATH": str(folder / "include"),
        "LIBRARY_PATH": str(folder / "lib"),
    }


def names(file: Path, *which: str) -> list[str]:
    """The symbols of an object, by binutils."""
    told = subprocess.run(["nm", *which, file], check=True, capture_output=True, text=True).stdout
    return [line.split()[-1] for line in told.splitlines()]


def undefined(file: Path) -> list[str]:
    """Those that it leaves to others."""
    return names(file, "-u")


def stand_in(name: str, symbols: list[str], folder: Path) -> Path:
    """A library with these names and nothing behind them: what needs them loads, and must not call them."""
    lines = [f".globl {each}\n{each}: .quad 0" for each in symbols]
    (folder / "names.s").write_text("\n".join([".data", *lines, '.section .note.GNU-stack,""\n']))
    made = folder / "lib" / name
    command = ["g++", "-shared", "-nostdlib", f"-Wl,-soname,{name}", "-o", str(made), str(folder / "names.s")]
    subprocess.run(command, check=True)
    return made
