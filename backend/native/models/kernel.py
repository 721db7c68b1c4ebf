"""C kernels of ours, compiled by the C compiler from PyPI: by ``make build``, or else by the run that wants one."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BUILT = Path(__file__).parents[1] / "built"
FLAGS = ("-O2", "-shared", "-fPIC", "-fno-sanitize=all")


def load(source: str) -> ctypes.CDLL:
    """The shared library made from a source. Raises ``CalledProcessError`` if the compiler refuses it."""
    path = place(BUILT, source)
    if not path.exists():
        path = build(source, Path(tempfile.mkdtemp()))
    return ctypes.CDLL(str(path))


def place(folder: Path, source: str) -> Path:
    """Named after what it is made from: a changed source is another file."""
    return folder / f"{hashlib.sha256((source + str(FLAGS)).encode()).hexdigest()[:16]}.so"


def build(source: str, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = place(folder, source)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        code, made = Path(work) / "kernel.c", Path(work) / "kernel.so"
        code.write_text(source)
        caches = {f"ZIG_{which}_CACHE_DIR": str(Path(work) / which) for which in ("GLOBAL", "LOCAL")}
        command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, "-o", str(made), str(code)]
        subprocess.run(command, check=True, capture_output=True, env=os.environ | caches)
        os.replace(made, path)
    return path
