"""LLVM, in a process of its own: its options hold for a whole process, and what it does not like it aborts on."""

from __future__ import annotations

import json
import os
import re
import signal
from dataclasses import asdict, dataclass
from functools import cached_property, partial

from labs.contract import LabError

from native.models.alone import alone, reason
from native.models.llvm.targets import Target

SECONDS = 10
TELL_NOWHERE = "-use-unknown-locations=Enable"  # an instruction that comes from nowhere says so
PRINT = (
    "-print-changed=quiet",
    "-print-module-scope",
    # A pass that removes the loop it works on says nothing of the change, unless it is asked by name.
    "-print-after=loop-deletion,loop-unroll-full,simple-loop-unswitch",
)
INSTRUCTION = re.compile(r"  (?!;|\S+:|#dbg)")  # a line of a function's body


@dataclass(frozen=True)
class Order:
    """``skip`` makes machine code of the text before any pass, at level 0; ``quiet`` prints none of the passes."""

    text: str
    target: Target
    level: int
    skip: bool = False
    quiet: bool = False


@dataclass(frozen=True)
class Made:
    before: str
    """The module as LLVM read it."""
    passes: str
    """What LLVM printed while it optimised."""
    after: str
    """The module from which machine code is made."""
    machine: str
    """What LLVM printed while it made machine code."""
    assembly: str
    object: bytes


class Worker:
    """One order under way."""

    def __init__(self, order: Order) -> None:
        import llvmlite.binding  # before the fork, so that it is read once for all workers

        assert llvmlite.binding.llvm_version_info
        self.reader, writer = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.close(self.reader)
            alone(partial(carry_out, order, writer), SECONDS)
        os.close(writer)

    @cached_property
    def made(self) -> Made:
        """Waits for it. Raises ``LabError`` if LLVM did not come to an end."""
        with os.fdopen(self.reader, "rb") as pipe:
            data = pipe.read()
        _, status = os.waitpid(self.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if code == -signal.SIGALRM:
            raise LabError(f"LLVM was stopped after {SECONDS} seconds: take a smaller program or a lower level.")
        if code:
            raise LabError(f"LLVM gave up on this program, with {reason(code)}.")
        found = json.loads(data)
        return Made(**found | {"object": bytes.fromhex(found["object"])})


def carry_out(order: Order, writer: int) -> None:
    made = asdict(work(order))
    with os.fdopen(writer, "w") as pipe:
        json.dump(made | {"object": made["object"].hex()}, pipe)


def work(order: Order) -> Made:
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    for option in (TELL_NOWHERE, *(() if order.quiet else PRINT)):
        llvm.set_option("underhood", option)
    printed = os.memfd_create("printed")
    os.dup2(printed, 2)
    target = llvm.Target.from_triple(order.target.triple)
    level = 0 if order.skip else order.level
    kind = order.target
    reloc = "static" if kind.narrow else "pic"
    machine = target.create_target_machine(kind.cpu, kind.features, level, reloc, "small")
    module = llvm.parse_assembly(order.text)
    module.triple = order.target.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    before = str(module)
    tuning = llvm.create_pipeline_tuning_options(speed_level=order.level)
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    passes = taken(printed)
    after = before if order.skip else str(module)
    named = located(after)
    assembly = machine.emit_assembly(llvm.parse_assembly(named))
    printed_machine = taken(printed)
    llvm.set_option("underhood", "-print-changed=")
    # Read again: making code changes the module that it is made of.
    data = b"" if "nvptx" in order.target.triple else machine.emit_object(llvm.parse_assembly(named))
    return Made(before, passes, after, printed_machine, assembly, data)


def taken(file: int) -> str:
    """What was printed since the last time."""
    size = os.lseek(file, 0, os.SEEK_CUR)
    text = os.pread(file, size, 0).decode(errors="replace")
    os.ftruncate(file, 0)
    os.lseek(file, 0, os.SEEK_SET)
    return text


def located(text: str) -> str:
    """The same module, in which each instruction says its own line of this text as the place it comes from."""
    lines, scope = text.split("\n"), ""
    extra: list[str] = []
    for number, line in enumerate(lines):
        if line.startswith("define"):
            scope = found[1] if (found := re.search(r"!dbg (!\d+)", line)) else ""
        elif scope and INSTRUCTION.match(line) and not line.endswith("[") and not line.startswith("    "):
            mark = f"!dbg !{len(extra) + 100_000}"
            extra.append(f"!{len(extra) + 100_000} = !DILocation(line: {number + 1}, column: 1, scope: {scope})")
            lines[number] = re.sub(r"!dbg !\d+", mark, line) if "!dbg !" in line else f"{line}, {mark}"
    return "\n".join([*lines, *extra, ""])
