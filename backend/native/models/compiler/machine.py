"""LLVM: the module of a program becomes machine code of this processor, and assembly for readers."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from functools import cache
from typing import Any

from labs.models.fusing.loops import Buffer, Program

from native.models.compiler import product_kernel, team_kernel
from native.models.compiler.bounds import proven
from native.models.compiler.phases import ATTRIBUTES, Cutter, Machine, Phase

SCOPE = 100_000
"""Numbers of places that one kernel may use."""
NOTES = """
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!2, !3}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !4, emissionKind: LineTablesOnly)
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DIFile(filename: "graph", directory: "")
!5 = !DISubroutineType(types: !{})
"""


@dataclass
class Module:
    """The text of a whole program, and which functions are called in which order."""

    text: str
    phases: list[Phase]
    slots: dict[str, int]
    """Where the address of each buffer stands in the list that they get."""
    extra: list[tuple[int, Buffer, int]]
    """Buffers besides the program's, where, and of which kernel."""


def module(program: Program, machine: Machine, places: bool = False) -> Module:
    """With ``places`` each instruction says as its line the number of its node, and 2. Raises ``UnprovenError``
    if an access may leave its buffer."""
    proven(program)
    slots = {each.name: place for place, each in enumerate(program.buffers)}
    phases: list[Phase] = []
    extra: list[tuple[int, Buffer, int]] = []
    for number, kernel in enumerate(program.kernels):
        cutter = Cutter(kernel, machine, slots, SCOPE * (number + 1) if places else 0)
        phases += cutter.phases()
        extra += ((place, each, number) for place, each in cutter.extra())
    declared = sorted({line for phase in phases for line in phase.declared})
    notes = ["!0 = !{i32 1}", *([NOTES] if places else []), *(note for phase in phases for note in phase.notes)]
    text = "\n".join([*(phase.text for phase in phases), *declared, ATTRIBUTES, *notes, ""])
    return Module(text, phases, slots, extra)


@cache
def ready() -> None:
    """Once for a process: LLVM, and C of ours, which is compiled now if no build has done that before."""
    import llvmlite.binding as llvm

    team_kernel.library()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name in product_kernel.NAMES:
        function = getattr(product_kernel.library(), name)
        llvm.add_symbol(name, ctypes.cast(function, ctypes.c_void_p).value)


def target(model: str = "jitdefault") -> Any:
    """One for each module: what runs code keeps the one that made it."""
    import llvmlite.binding as llvm

    ready()
    features = llvm.get_host_cpu_features().flatten()
    triple = llvm.Target.from_default_triple()
    return triple.create_target_machine(
        llvm.get_host_cpu_name(), features, 2, codemodel=model, jit=model == "jitdefault"
    )


def here(threads: int = 0) -> Machine:
    """This processor."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    register = 64 if features.get("avx512f") else 32 if features.get("avx") else 16
    return Machine(register, bool(features.get("avx512f")), threads or len(os.sched_getaffinity(0)))


@dataclass
class Code:
    """Machine code that is ready to run, for as long as somebody holds it."""

    engine: Any
    module: Any

    def address(self, name: str) -> int:
        return int(self.engine.get_function_address(name))


def compiled(text: str) -> Code:
    import llvmlite.binding as llvm

    machine = target()
    made = optimised(text, machine)
    engine = llvm.create_mcjit_compiler(made, machine)
    engine.finalize_object()
    return Code(engine, made)


def optimised(text: str, machine: Any) -> Any:
    import llvmlite.binding as llvm

    made = llvm.parse_assembly(text)
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_interleaving = False
    tuning.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(made, builder)
    return made


def assembly(text: str) -> str:
    machine = target("small")
    return str(machine.emit_assembly(optimised(text, machine)))
