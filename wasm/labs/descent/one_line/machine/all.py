"""The same element on every processor."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from labs.descent.one_line.machine import wasm, x86
from labs.descent.one_line.machine.code import Instruction
from labs.descent.one_line.machine.fixed import AArch64, Compiler, RiscV
from labs.descent.one_line.scalar import Value

MACHINES: dict[str, Callable[[Value, int], Iterator[Instruction]]] = {
    "x86-64": x86.compiled,
    "AArch64": lambda root, place: Compiler(AArch64()).compiled(root, place),
    "RISC-V": lambda root, place: Compiler(RiscV()).compiled(root, place),
    "WebAssembly": wasm.compiled,
}
