"""The compiler at work: one shared library of one source, without a C++ library of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from native.models.kernel import caches
from native.pytorch.abi_break import sources

if TYPE_CHECKING:
    from native.pytorch.abi_break import Params

FLAGS = ("-std=c++17", "-O2", "-fPIC", "-fno-sanitize=all", "-shared", "-nostdlib", "-Wl,--no-as-needed")


def extension(folder: Path, params: Params, torch: Path) -> Path:
    """Built against one release, with the other beside it in ``folder``; ``torch`` has PyTorch's libraries."""
    source = sources.extension(params)
    if params.change == "string":
        named = "torch_cpu" if params.interface == "stable" else "c10"
        return _made(folder, "extension.so", source.text, *source.flags, f"-L{torch}", f"-l{named}")
    against, met = sources.built_against(params), sources.met(params)
    for release in {against, met}:
        library(folder / str(release), params, release)
    there, here = folder / str(against) / sources.OURS, folder / str(met)
    return _made(here, "extension.so", source.text, str(there), "-Wl,-rpath,$ORIGIN")


def library(folder: Path, params: Params, release: int) -> Path:
    """A release of the library that is ours."""
    folder.mkdir(exist_ok=True)
    source = sources.library(params, release)
    flags = ["-Wl,-soname," + sources.OURS]
    if params.change == "version":
        name = f"STATS_{release + 1}.0"
        (folder / name).write_text(f"{name} {{ global: *; }};\n")
        flags += source.flags
    return _made(folder, sources.OURS, source.text, *flags)


def _made(folder: Path, name: str, text: str, *more: str) -> Path:
    path = folder / name
    source = path.with_suffix(".cpp")
    source.write_text(text)
    words = [*FLAGS, source.name, *more, "-o", name]
    environment = {**os.environ, **caches(folder.parent)}
    done = subprocess.run(
        [sys.executable, "-m", "ziglang", "c++", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"the compiler refuses {source.name}: {done.stderr.strip()}")
    return path
