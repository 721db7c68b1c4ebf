"""The C++ compiler that Inductor calls: this machine's g++ where there is one, else the one of Zig."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from labs.contract import LabError

from native.models.kernel import BUILT, caches

# What Inductor asks of GCC that Clang and Zig do otherwise; without threads nothing of OpenMP is called.
DROP = {"-fopenmp", "-lgomp", "-fexcess-precision=fast", "-fno-tree-loop-vectorize", "-pedantic"}
OMP = """#pragma once
static inline int omp_get_max_threads() { return 1; }
static inline int omp_get_num_threads() { return 1; }
static inline int omp_get_thread_num() { return 0; }
static inline int omp_in_parallel() { return 0; }
"""


READY = BUILT / "cpp"
"""What Zig needs for any program in C++: a minute's work, done by ``make build`` where there is no g++."""
SMALL = "#include <vector>\nint main() { return std::vector<int>(1)[0]; }\n"


@dataclass(frozen=True)
class Toolchain:
    name: str
    program: str
    """What Inductor may ask for its version."""
    zig: bool

    def command(self, line: str, folder: Path) -> list[str]:
        words = shlex.split(line)
        if not self.zig:
            return words
        kept = [word for word in words[1:] if word not in DROP]
        kept = [
            "-mcpu=native" if word == "-march=native" else word for word in kept if not word.startswith("-mavx")
        ]
        return [self.program, *kept, f"-I{folder}", "-Wl,-z,lazy"]

    def run(self, folder: Path, *command: str) -> None:
        """Raises ``RuntimeError`` if the compiler refuses."""
        done = _run(folder, command, caches(folder) if self.zig else {})
        if done.returncode:
            raise RuntimeError(f"{self.name} refuses: {done.stderr[-4000:]}")


def _run(folder: Path, command: tuple[str, ...], more: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """In a folder of its own, for what it writes in between: GCC asks who it is, not what it may."""
    own = folder / "between"
    own.mkdir(exist_ok=True)
    return subprocess.run(
        command, capture_output=True, text=True, cwd=own, env={**os.environ, "TMPDIR": "."} | more
    )


def find(folder: Path, only: str = "") -> Toolchain:
    """One that works here; ``only`` is "g++" or "zig". Raises ``LabError`` if none does."""
    for make in (_gcc, _zig):
        found = make(folder)
        if found and only in ("", found.name.split()[0]):
            return found
    raise LabError(
        "Inductor writes C++, and no compiler for it works here: install g++ on the server, or the package ziglang."
    )


def _gcc(folder: Path) -> Toolchain | None:
    if not (program := shutil.which("g++")):
        return None
    test = folder / "works.cpp"
    test.write_text(SMALL)
    done = _run(folder, (program, str(test), "-o", str(folder / "works")), {})
    version = _run(folder, (program, "-dumpfullversion"), {}).stdout.strip()
    return Toolchain(f"g++ {version}", program, zig=False) if done.returncode == 0 else None


def _zig(folder: Path) -> Toolchain | None:
    if not importlib.util.find_spec("ziglang"):
        return None
    (folder / "omp.h").write_text(OMP)
    program = folder / "c++"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m ziglang c++ "$@"\n')
    program.chmod(0o700)
    if READY.exists():
        shutil.copytree(READY, folder / "global", dirs_exist_ok=True)
    return Toolchain("zig c++", str(program), zig=True)


def make_ready() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not _gcc(folder) and (tools := _zig(folder)):
            source = folder / "small.main.cpp"
            source.write_text(SMALL)
            build(tools, f"{tools.program} {source} -O3 -march=native -fPIC -shared -o {folder}/small.so", folder)
            shutil.copytree(folder / "global", READY)


def build(tools: Toolchain, line: str, folder: Path) -> Path | None:
    """Carry out what Inductor asks for, by way of assembly where it is a kernel; the path of that.

    Raises ``RuntimeError`` if the compiler refuses.
    """
    words = tools.command(line, folder)
    source = next((word for word in words if word.endswith(".main.cpp")), "")
    if not source or "-shared" not in words:
        tools.run(folder, *words)
        return None
    text = Path(source).with_suffix(".s")
    place = words.index("-o")
    compile_only = [word for word in [*words[:place], *words[place + 2 :]] if word != "-shared"]
    compile_only = [word for word in compile_only if not word.startswith(("-l", "-L", "-Wl"))]
    notes = ["-fverbose-asm"] if tools.zig else ["-dA"]
    tools.run(folder, *compile_only, "-S", *notes, "-masm=intel", "-o", str(text))
    tools.run(folder, *(str(text) if word == source else word for word in words if not word.startswith("-I")))
    return text
