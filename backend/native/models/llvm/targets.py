"""The machines that code can be made for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Name = Literal["x86-64", "AArch64", "RISC-V", "WebAssembly", "PTX"]


@dataclass(frozen=True)
class Target:
    triple: str
    features: str = ""
    cpu: str = ""
    comment: str = "#"
    """Begins a comment in its assembly."""
    narrow: bool = False
    """A pointer has four bytes."""


TARGETS: dict[Name, Target] = {
    "x86-64": Target("x86_64-unknown-linux-gnu"),
    "AArch64": Target("aarch64-unknown-linux-gnu", comment="//"),
    "RISC-V": Target("riscv64-unknown-linux-gnu", features="+m,+a,+f,+d", cpu="generic-rv64"),
    "WebAssembly": Target("wasm32-unknown-unknown", features="+bulk-memory,+sign-ext", narrow=True),
    "PTX": Target("nvptx64-nvidia-cuda", cpu="sm_70", comment="//"),
}
