"""The compiler's part of the road: preprocess, compile, link, each a process of its own, with its seconds."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from native.models.kernel import caches

TORCH = Path(torch.__file__).parent
INCLUDE = (TORCH / "include", TORCH / "include/torch/csrc/api/include", Path(sysconfig.get_path("include")))
WARNINGS = ("-Wall", "-Wextra")
MADE = {"preprocess": "extension.ii", "compile": "extension.o", "link": "extension.so"}


@dataclass(frozen=True)
class Step:
    command: str
    """As a reader would type it"""
    seconds: float
    says: str
    """What the compiler prints: warnings, or why it refuses; empty if nothing"""
    failed: bool

    @property
    def refuses(self) -> str:
        """The first of the errors, without its place; empty if there is none."""
        errors = (line.partition("error: ")[2] for line in self.says.splitlines())
        return next(filter(None, errors), self.says) if self.failed else ""


def order(step: str, level: str, linked: bool) -> list[str]:
    """The words of a command, from the compiler's name on."""
    match step:
        case "preprocess":
            return ["c++", "-std=c++20", "-E", *(f"-isystem{each}" for each in INCLUDE), "extension.cpp"]
        case "compile":
            return ["c++", "-std=c++20", level, *WARNINGS, "-fPIC", "-fno-sanitize=all", "-c", "extension.ii"]
    libraries = [f"-L{TORCH / 'lib'}", "-ltorch_cpu"] if linked else []
    return ["cc", "-shared", "-nostdlib", "-Wl,-z,lazy", "extension.o", *libraries]


def shown(words: Sequence[str]) -> str:
    """With short names for where torch and Python lie."""
    return " ".join(words).replace(str(TORCH), "$TORCH").replace(str(INCLUDE[-1]), "$PYTHON")


def take(folder: Path, step: str, level: str = "-O2", linked: bool = True) -> Step:
    words = [*order(step, level, linked), "-o", MADE[step]]
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "ziglang", *words],
        cwd=folder,
        env={**os.environ, **caches(folder)},
        capture_output=True,
        text=True,
    )
    seconds = time.perf_counter() - begun
    return Step(shown(words), seconds, printed(done.stderr, folder), done.returncode != 0)


def printed(text: str, folder: Path) -> str:
    """What a compiler printed, in which nothing tells where it ran; it says first what it found first."""
    return shown([text.replace(f"{folder}/", "").strip()])[:4000]


def compiler() -> str:
    from importlib.metadata import version

    return f"Clang of zig {version('ziglang')}"


@dataclass(frozen=True)
class Size:
    """What a header brings along, after preprocessing."""

    lines: int
    bytes: int
    seconds: float


def size_of(folder: Path, header: str) -> Size:
    """Of one header alone; empty lines and the preprocessor's own marks do not count as lines."""
    (folder / "extension.cpp").write_text(header)
    step = take(folder, "preprocess")
    if step.failed:
        raise RuntimeError(f"{step.command} failed: {step.says}")
    return Size(*counted(folder / MADE["preprocess"]), step.seconds)


def counted(file: Path) -> tuple[int, int]:
    """Lines with code, and bytes."""
    text = file.read_bytes()
    return sum(1 for line in text.splitlines() if line.strip() and not line.startswith(b"#")), len(text)
