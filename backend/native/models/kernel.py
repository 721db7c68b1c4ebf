"""C programs of ours, compiled by the compiler from PyPI: by ``make build``, or else by the run that wants one."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BUILT = Path(__file__).parents[1] / "built"
FLAGS = ("-O2", "-fno-sanitize=all")


def program(source: str) -> Path:
    """The program made from a source. Raises ``CalledProcessError`` if the compiler refuses it."""
    path = place(BUILT, source)
    return path if path.exists() else build(source, Path(tempfile.mkdtemp()))


def place(folder: Path, source: str) -> Path:
    """Named after what it is made from: a changed source is another file."""
    return folder / hashlib.sha256((source + str(FLAGS)).encode()).hexdigest()[:16]


def build(source: str, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = place(folder, source)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        code, made = Path(work) / "kernel.c", Path(work) / "kernel"
        code.write_text(source)
        caches = {f"ZIG_{which}_CACHE_DIR": str(Path(work) / which) for which in ("GLOBAL", "LOCAL")}
        command = [sys.executable, "-m", "ziglang", "cc", *FLAGS, "-o", str(made), str(code)]
        subprocess.run(command, check=True, capture_output=True, env=os.environ | caches)
        os.replace(made, path)
    return path
