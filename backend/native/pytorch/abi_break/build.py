"""The compiler at work: one shared library of one source."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from native.models.kernel import caches
from native.pytorch.abi_break import module, sources, stable_kernel

if TYPE_CHECKING:
    from native.pytorch.abi_break import Params

SHARED = ("-O2", "-fPIC", "-fno-sanitize=all", "-shared", "-nostdlib", "-Wl,--no-as-needed")


def beside(folder: Path, params: Params) -> Path:
    """The library that the extension meets."""
    match params.change:
        case "string":
            name = "libtorch_cpu.so" if params.interface == "stable" else "libc10.so"
            return stable_kernel.torch() / "lib" / name
        case "Python":
            return module.library()
    return folder / str(sources.met(params)) / sources.OURS


def extension(folder: Path, params: Params) -> Path:
    """Built against one release, with the other beside it in ``folder`` if that is ours."""
    source = sources.extension(params)
    against, met = sources.built_against(params), sources.met(params)
    match params.change:
        case "string" if params.interface == "stable":
            return stable_kernel.made(against, folder)
        case "string":
            return _made(
                folder, "extension.so", source.text, *source.flags, f"-L{stable_kernel.torch() / 'lib'}", "-lc10"
            )
        case "Python":
            return _made(folder, module.file(params), source.body, f"-I{module.include()}", language="c")
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


def promised(folder: Path, params: Params) -> set[str] | None:
    """The names that the library promises to keep; None for all, as a library of ours does with its stable ones."""
    match params.change:
        case "string":
            return stable_kernel.promised()
        case "Python":
            (folder / "limited.c").write_text(f"{module.WITHIN}\n#include <Python.h>\n")
            done = _run(folder, "cc", "-E", f"-I{module.include()}", "limited.c")
            return module.words(done)
    return None if params.interface == "stable" else set()


def _made(folder: Path, name: str, text: str, *more: str, language: str = "c++") -> Path:
    path = folder / name
    source = path.with_suffix(".cpp" if language == "c++" else ".c")
    source.write_text(text)
    if language == "c++":
        _run(folder, "c++", "-std=c++17", *SHARED, source.name, *more, "-o", name)
    else:
        _run(folder, "cc", *SHARED, source.name, *more, "-o", name)
    return path


def _run(folder: Path, *words: str) -> str:
    """What the compiler prints. Raises ``RuntimeError`` if it refuses."""
    done = subprocess.run(
        [sys.executable, "-m", "ziglang", *words],
        cwd=folder,
        env={**os.environ, **caches(folder.parent)},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"the compiler refuses {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout
