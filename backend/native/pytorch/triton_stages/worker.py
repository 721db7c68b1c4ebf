"""Triton's compiler, stage by stage, in a process of its own: it may abort, and what it holds goes with it.

The stages are those that ``triton.compile`` runs one after the other. Running them here leaves its cache out:
nothing is read from a folder of earlier results, and nothing is left in one.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from labs.contract import LabError

from native.models.alone import alone, reason
from native.pytorch.triton_stages.source import Order

SECONDS = 20


def compiled(order: Order) -> Iterator[dict[str, Any]]:
    """Each stage as soon as it is made. Raises ``LabError`` if Triton did not come to an end."""
    import triton.compiler.code_generator  # before the fork, so that it is read once for all that follow

    assert triton
    told, tells = os.pipe()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as complaints:
        pid = os.fork()
        if not pid:
            alone(partial(carry_out, order, Path(folder), tells, complaints.fileno()), SECONDS)
        os.close(tells)
        ended = False
        try:
            with os.fdopen(told) as lines:
                yield from map(json.loads, lines)
            ended = True
        finally:
            if not ended:
                os.kill(pid, signal.SIGKILL)
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if code:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip().rpartition("\n")[2] or reason(code)
            raise LabError(f"Triton's compiler stopped: {said}; choose another block size.")


def carry_out(order: Order, folder: Path, tells: int, complaints: int) -> None:
    os.dup2(complaints, 2)
    os.dup2(complaints, 1)
    for name in [each for each in os.environ if each.startswith("TRITON_")]:
        del os.environ[name]  # what a shell tells Triton would change what comes out
    tempfile.tempdir = str(folder)
    with os.fdopen(tells, "w") as out:
        for each in stages(order, folder):
            out.write(json.dumps(each) + "\n")
            out.flush()


def stages(order: Order, folder: Path) -> Iterator[dict[str, Any]]:
    import triton
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton.compiler.compiler import make_backend

    from native.pytorch.triton_stages import kernels

    given = ASTSource(getattr(kernels, order.kernel), order.signature, order.constants, order.aligned)
    target = GPUTarget("cuda", order.arch, 32)
    backend = make_backend(target)
    options = backend.parse_options({"num_warps": order.warps, "num_stages": order.stages})
    steps: dict[str, Any] = {}
    backend.add_stages(steps, options, given.language)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    code, modules = backend.get_codegen_implementation(options), backend.get_module_map()
    made: Any = given.make_ir(target, options, code, modules, context)
    about: dict[str, Any] = {"target": target, **options.__dict__}
    for name, step in steps.items():
        made = step(made, about)
        if name != "cubin":
            yield {"stage": name, "text": str(made)}
    binary = folder / "kernel.cubin"
    binary.write_bytes(made)
    tools = Path(triton.__file__).parent / "backends/nvidia/bin"
    usage = said(tools / "cuobjdump", "-res-usage", binary)
    numbers = {name: int(number) for name, number in re.findall(r"\b(REG|STACK|LOCAL):(\d+)", usage)}
    more = {"shared": about["shared"], "columns": about["tmem_size"] or 0, "warps": about["num_warps"]}
    yield {"stage": "sass", "text": said(tools / "nvdisasm", "-c", "-g", binary), **numbers, **more}


def said(*command: object) -> str:
    return subprocess.run([str(each) for each in command], capture_output=True, text=True, check=True).stdout
