"""LLVM IR from three-address code: a variable stays in memory, as in a compiler that does not optimise.

Each instruction carries the number of its line of three-address code where a debugger would look for a line of the
source, so whatever LLVM makes of it can still say where it comes from.
"""

from __future__ import annotations

from collections import Counter

from labs.models.c.arithmetic import COMPARE
from labs.models.c.code import Routine, Temporary, Unit
from labs.models.c.listing import numbered

from native.bits.code_to_bytes.data import write as write_global
from native.bits.code_to_bytes.names import Names
from native.bits.code_to_bytes.operators import BUILTIN, RefusedError, Writer, plain

HEAD = """!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "", isOptimized: true, \
emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "p.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 4}
!4 = !DISubroutineType(types: !5)
!5 = !{null}"""
FIRST = 10  # number of the first function's description; the instructions' follow behind all functions


def module(unit: Unit, frames: bool, narrow: bool) -> str:
    """A whole program. ``frames`` keeps frame pointers, ``narrow`` says that a pointer has four bytes.

    Raises ``RefusedError`` for what this compiler does not take, though the front end does.
    """
    code = {(routine.name, index): number for number, (routine, index, _) in enumerate(numbered(unit))}
    scopes = {name: FIRST + n for n, name in enumerate(unit.routines)}
    after = FIRST + len(scopes)
    library = {name: kind for name, kind in BUILTIN.items() if name not in unit.routines}
    calls = [each for routine in unit.routines.values() for each in routine.body if each.op in ("call", "copy")]
    for each in calls:
        if each.op == "call" and each.name and each.name not in unit.routines and each.name not in library:
            raise RefusedError(
                f"{each.name} is of the C library, and only your own functions go to LLVM: {instead(each.name)}",
                each.place,
            )
    parts = [write_global(each, narrow) for each in unit.globals.values()]
    for routine in unit.routines.values():
        at = {index: after + number for (name, index), number in code.items() if name == routine.name}
        parts.append("\n".join(function(routine, at, scopes[routine.name], set(library))))
    used = {each.op if each.op == "copy" else each.name for each in calls}
    parts += [library[name] for name in sorted(library) if name in used or (name == "memcpy" and "copy" in used)]
    pointer = ' "frame-pointer"="all"' if frames else ""
    parts += [f'attributes #0 = {{ nounwind "no-builtins"{pointer} }}', HEAD]
    parts += [
        f'!{scope} = distinct !DISubprogram(name: "{name}", scope: !1, file: !1, type: !4, unit: !0, '
        "spFlags: DISPFlagDefinition)"
        for name, scope in scopes.items()
    ]
    parts += [
        f"!{after + number} = !DILocation(line: {number + 1}, column: 1, scope: !{scopes[name]})"
        for (name, _), number in code.items()
    ]
    return "\n".join(parts) + "\n"


def instead(name: str) -> str:
    """Of a function of the library: what a program can do without it."""
    if name in ("printf", "puts", "putchar"):
        return "return what it should print"
    if name in ("malloc", "calloc", "realloc", "free"):
        return "take an array of fixed length"
    if name in ("exit", "abort"):
        return "return instead"
    return f"write a function {name} into this program"


def function(routine: Routine, at: dict[int, int], scope: int, library: set[str]) -> list[str]:
    names = Names(routine)
    given = ", ".join(f"{Writer.passed(slot.type)} {names.argument(slot)}" for slot in routine.parameters)
    returns = Writer.passed(routine.type.returns, returned=True)
    lines = [f"define {returns} {names.function(routine.name)}({given}) #0 !dbg !{scope} {{", "entry:"]
    for slot in routine.slots:
        lines.append(f"  {names.slot(slot.key)} = alloca {plain(slot.type)}, align {slot.type.align}")
    for slot in routine.parameters:
        word = Writer.kind(slot.type)
        lines.append(f"  store {word} {names.argument(slot)}, ptr {names.slot(slot.key)}, align {slot.type.align}")
    writer = Writer(routine, names, decided(routine), library)
    ended = False
    for index, each in enumerate(routine.body):
        if each.op == "label":
            if not ended:
                lines.append(f"  br label %L{each.label}, !dbg !{at[index]}")
            lines.append(f"L{each.label}:")
            ended = False
        elif index in at and not ended:  # nothing leads to what stands behind a jump, up to the next label
            lines += [f"  {line}, !dbg !{at[index]}" for line in writer.write(each)]
            ended = each.op in ("jump", "branch", "return")
    return [*lines, "}"]


def decided(routine: Routine) -> set[int]:
    """The comparisons that only branches ask for: they need no number of 0 or 1."""
    uses: Counter[int] = Counter()
    branches: Counter[int] = Counter()
    for each in routine.body:
        for operand in each.operands:
            if isinstance(operand, Temporary):
                uses[operand.number] += 1
                branches[operand.number] += each.op == "branch"
    compared = {each.result.number for each in routine.body if each.result and each.op in COMPARE}
    return {number for number in compared if uses[number] == branches[number]}
