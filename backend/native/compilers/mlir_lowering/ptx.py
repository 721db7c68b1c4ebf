"""Kernels for an NVIDIA GPU: PTX by LLVM, and what its instructions do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

CPU, FEATURES, TRIPLE = "sm_90", "+ptx80", "nvptx64-nvidia-cuda"
INSTRUCTION = re.compile(r"^\t(?:@!?%p\d+ )?([a-z][\w.:]*)(?=[\s;])", re.MULTILINE)
FLOAT = "add|sub|mul|div|fma|mad|max|min|neg|abs|sqrt|rsqrt|rcp|ex2|lg2|sin|cos|tanh|copysign|setp|selp"
KINDS = {
    "global memory": r"(ld|st)\.global|atom|red\.",
    "floats": rf"({FLOAT})\b.*\.f(16|32|64)",
    "jumps and calls": r"bra|ret|call|bar|exit",
    "indices and addresses": r"",
}
"""What an instruction is there for, by the first of these that fits its name."""


def kernels(module: Any) -> Iterator[Any]:
    """The modules of a program that are meant for a GPU, each as one of its own."""
    from torch_mlir import ir

    for each in module.body.operations:
        if each.operation.name == "gpu.module":
            inside = "\n".join(str(part) for part in each.regions[0].blocks[0].operations)
            with module.context:
                yield ir.Module.parse(f"module {{\n{inside}\n}}")


def made(text: str) -> str:
    """The PTX of a module in LLVM's words."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(CPU, FEATURES, 3)
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    found: str = machine.emit_assembly(module)
    return found


def mix(text: str) -> Counter[str]:
    """How many instructions there are of each kind."""
    found: Counter[str] = Counter(dict.fromkeys(KINDS, 0))
    for name in INSTRUCTION.findall(text):
        found[kind(name)] += 1
    return found


def kind(name: str) -> str:
    return next(kind for kind, pattern in KINDS.items() if re.match(pattern, name))
