"""What is compiled: the text of a kernel, the types of its arguments, and its inputs. Imports nothing of Triton."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Name = Literal["add", "softmax", "matmul"]
FILE = Path(__file__).with_name("kernels.py")
DEPTH = 32
"""How much of a row of A a round of the product takes"""


@dataclass(frozen=True)
class Order:
    kernel: Name
    block: int
    warps: int
    stages: int
    arch: int
    multiple: bool = True
    """Whether n is a multiple of 16"""

    @property
    def constants(self) -> dict[str, int]:
        return {"BLOCK": self.block} | ({"DEPTH": DEPTH} if self.kernel == "matmul" else {})

    @property
    def signature(self) -> dict[str, str]:
        """Triton's words for the types of the arguments."""
        kind = "*fp16" if self.kernel == "matmul" else "*fp32"
        given = {"add": "xyzn", "softmax": "xyn", "matmul": "abcn"}[self.kernel]
        types = {name: "i32" if name == "n" else kind for name in given}
        return types | dict.fromkeys(self.constants, "constexpr")

    @property
    def aligned(self) -> dict[tuple[int], list[list[str | int]]]:
        """Which arguments are multiples of 16, as Triton finds out where it is called: pointers, and perhaps n."""
        kinds = enumerate(self.signature.values())
        known = {"*fp16", "*fp32"} | ({"i32"} if self.multiple else set())
        return {(at,): [["tt.divisibility", 16]] for at, kind in kinds if kind in known}


@dataclass(frozen=True)
class Source:
    first: int
    """Line of the file that is shown first, from 1"""
    lines: list[str]
    focus: int
    """Which of them is followed through the stages, from 1"""


FOCUS: dict[Name, str] = {"add": "a = tl.load", "softmax": "tl.sum(", "matmul": "tl.dot("}


def source(kernel: Name) -> Source:
    text = FILE.read_text()
    found = next(each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef) and each.name == kernel)
    lines = text.splitlines()[found.lineno - 1 : found.end_lineno]
    focus = next(at for at, line in enumerate(lines, 1) if FOCUS[kernel] in line)
    return Source(found.lineno, lines, focus)
