"""C of ours (wasm/kernels), compiled by the compiler from PyPI: by ``make build``, or by the run that wants it.

A machine that has only been lent may lack that compiler: there the system's own is taken, or there is none.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from labs import contract
from numpy.typing import NDArray

KERNELS = Path(contract.__file__).parents[1] / "kernels"
BUILT = Path(__file__).parents[1] / "built"
LIBRARY = ("-shared", "-fPIC", "-fno-sanitize=all")
PROGRAM = ("-fno-sanitize=all",)
ZIG = (sys.executable, "-m", "ziglang", "cc")
# gcc does not know clang's word for it: loops over a tile have to vanish, or no number of it stays in a register
UNROLLED = ("--param=max-completely-peel-times=64", "--param=max-completely-peeled-insns=4096")


@dataclass(frozen=True)
class Kernel:
    """A file of wasm/kernels and how it is compiled."""

    file: str
    flags: tuple[str, ...]


@cache
def compiler() -> tuple[str, ...] | None:
    """The command that compiles C here; None if there is none."""
    if importlib.util.find_spec("ziglang"):
        return ZIG
    found = next(filter(None, map(shutil.which, ("clang", "gcc", "cc"))), None)
    return (found,) if found else None


@cache
def available() -> bool:
    """Whether C of ours can be compiled here; of the system's compiler only a trial tells."""
    command = compiler()
    if command is None or command == ZIG:
        return command == ZIG
    tried = subprocess.run(
        [*command, "-xc", "-c", "-o", os.devnull, "-"], input=b"#include <stddef.h>\n", capture_output=True
    )
    return tried.returncode == 0


def made(kernel: Kernel) -> Path:
    """What the compiler made of it. Raises ``CalledProcessError`` if it refuses."""
    path = place(BUILT, kernel)
    return path if path.exists() else build(kernel, Path(tempfile.mkdtemp()))


def place(folder: Path, kernel: Kernel) -> Path:
    """Named after what it is made from, and for which processor: what has changed is another file."""
    digest = hashlib.sha256(f"{kernel} {_processor() if '-mcpu=native' in kernel.flags else ''}".encode())
    for text in _sources(kernel.file):
        digest.update(text)
    return folder / digest.hexdigest()[:16]


def _sources(file: str) -> Iterator[bytes]:
    """A source, and what it includes of ours."""
    text = (KERNELS / file).read_bytes()
    yield text
    for name in re.findall(rb'^#include "(.+)"', text, re.MULTILINE):
        yield from _sources(name.decode())


@cache
def load(kernel: Kernel) -> ctypes.CDLL:
    """A kernel that was compiled as a library."""
    return ctypes.CDLL(str(made(kernel)))


def printed(program: Path, *given: object) -> list[str]:
    """The words that a kernel compiled as a program prints. Raises ``CalledProcessError`` if it fails."""
    command = [str(program), *map(str, given)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def at(array: NDArray[Any]) -> ctypes.c_void_p:
    """Where an array is; good for as long as somebody holds it."""
    return ctypes.c_void_p(array.ctypes.data)


def build(kernel: Kernel, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = place(folder, kernel)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        out = Path(work) / "made"
        command = [*_compile(kernel.flags), "-o", str(out), str(KERNELS / kernel.file)]
        try:
            environment = caches(Path(work)) | dict(os.environ)
            subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        except subprocess.CalledProcessError as error:
            error.add_note(error.stderr)
            raise
        os.replace(out, path)
    return path


def _compile(flags: tuple[str, ...]) -> tuple[str, ...]:
    """The compiler, and the flags as it knows them: zig's names for processors are its own."""
    command = compiler()
    if command is None:
        raise FileNotFoundError("there is no C compiler here: neither ziglang from PyPI, nor clang, nor gcc")
    if command == ZIG:
        return (*command, *flags)
    native = "-mcpu=native" if platform.machine() in ("aarch64", "arm64") else "-march=native"
    known = (native if flag == "-mcpu=native" else flag for flag in flags if flag != "-mcpu=baseline")
    return (*command, *known, "-pthread", *(() if "clang" in command[0] else UNROLLED))


def caches(folder: Path) -> dict[str, str]:
    """Where the compiler is to keep what it may need again, as it reads it from its environment."""
    return {f"ZIG_{which}_CACHE_DIR": str(folder / which.lower()) for which in ("GLOBAL", "LOCAL")}


def _processor() -> str:
    """What ``-mcpu=native`` stands for here: code for one processor may hold what another does not know."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return "".join(sorted({line for line in lines if line.startswith(("model name", "flags", "Features"))}))
