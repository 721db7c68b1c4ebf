"""From CUDA C to machine code: NVRTC makes PTX, the assembler in it makes SASS, and Triton's nvdisasm reads that.

No GPU is needed. NVRTC comes with PyTorch's CUDA build, or from PyPI (requirements/cuda-tests.txt).
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from native.models import cuda_driver
from native.models.cuda_driver import Resources
from native.models.occupancy import RESERVED

FILE = "kernels.cu"


@dataclass(frozen=True)
class Code:
    """A line of a stage."""

    text: str
    line: int
    """Of the CUDA C that it comes from, from 1; 0 for none"""


@dataclass(frozen=True)
class Stages:
    """Lines of each kernel."""

    ptx: dict[str, list[Code]]
    sass: dict[str, list[Code]]
    resources: Mapping[str, Resources]


def missing() -> str:
    """What of the tools is not here; nothing if all are."""
    try:
        from cuda.bindings import nvrtc

        nvrtc.nvrtcVersion()
    except (ImportError, RuntimeError):
        return "NVRTC, NVIDIA's compiler of CUDA C,"
    try:
        import triton
    except ImportError:
        return "Triton, which brings NVIDIA's disassembler,"
    return (
        "" if (Path(triton.__file__).parent / "backends/nvidia/bin/nvdisasm").exists() else "NVIDIA's disassembler"
    )


def compiled(text: str, arch: str) -> cuda_driver.Built:
    """Raises ``ValueError`` with NVRTC's words."""
    return cuda_driver.compiled(text, FILE, arch, ("-lineinfo",))


@lru_cache(8)
def stages(text: str, arch: int) -> Stages:
    """Raises ``ValueError`` with NVRTC's words."""
    import triton

    built = compiled(text, f"sm_{arch}")
    tools = Path(triton.__file__).parent / "backends/nvidia/bin"
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(built.cubin)
        file.flush()
        sass = said(tools / "nvdisasm", "-c", "-g", file.name)
        usage = said(tools / "cuobjdump", "-res-usage", file.name)
    return Stages(listed_ptx(built.ptx), listed_sass(sass), taken(usage, RESERVED if arch >= 90 else 0))


def said(*command: object) -> str:
    return subprocess.run([str(each) for each in command], capture_output=True, text=True, check=True).stdout


def taken(usage: str, reserved: int) -> dict[str, Resources]:
    """What each kernel takes, as the machine code says it; from Hopper on with what CUDA keeps for itself."""
    found = {}
    for name, numbers in re.findall(r"Function (\w+):\s*\n\s*(.*)", usage):
        each = {key: int(number) for key, number in re.findall(r"\b(REG|STACK|SHARED|LOCAL):(\d+)", numbers)}
        found[name] = Resources(each["REG"], each["SHARED"] - reserved, each["STACK"] + each["LOCAL"])
    return found


def listed_ptx(text: str) -> dict[str, list[Code]]:
    found: dict[str, list[Code]] = {}
    lines: list[Code] = []
    line = 0
    for each in text.splitlines():
        plain = " ".join(each.partition("//")[0].split())
        if entry := re.match(r"\.visible \.entry (\w+)", plain):
            lines = found[entry[1]] = []
            line = 0
        if plain.startswith(".loc"):
            line = int(plain.split()[2])
        elif plain and not plain.startswith((".section", ".file")):
            lines.append(Code(plain, 0 if plain.startswith((".", "$", "{", "}", ")")) else line))
    return found


def listed_sass(text: str) -> dict[str, list[Code]]:
    found: dict[str, list[Code]] = {}
    lines: list[Code] = []
    line = 0
    for each in text.splitlines():
        if section := re.match(r"\s*\.section\s+\.text\.(\w+)", each):
            lines = found[section[1]] = []
            line = 0
        elif re.match(r"\s*\.section\s", each):
            lines = []
        elif place := re.search(r'//## File ".*?", line (\d+)', each):
            line = int(place[1])
        elif instruction := re.match(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", each):
            lines.append(Code(f"{instruction[1]}  {' '.join(instruction[2].split())}", line))
        elif re.match(r"^\.L\w+:", each):
            lines.append(Code(each.strip(), 0))
    return found
