"""The C compiler of this machine, as an oracle."""

import subprocess
from pathlib import Path


def build(source: str, place: Path, *flags: str) -> Path:
    """The program made from a source, in the folder `place`."""
    (place / "program.c").write_text(source)
    command = ["gcc", "-w", "-g", *flags, "-o", place / "program", place / "program.c", "-lm"]
    subprocess.run(command, check=True, timeout=60)
    return place / "program"


def run(source: str, place: Path, *flags: str, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([build(source, place, *flags)], input=typed, capture_output=True, timeout=60, check=False)
