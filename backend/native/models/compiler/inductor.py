"""Inductor beside our compiler: with a C++ compiler that works here, and nothing taken from an earlier run."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from native.models.stages import toolchain

CONFIG = {
    "compile_threads": 1,
    "cpp.vec_isa_ok": True,  # or a program is compiled to find out what the processor says itself
    "cpp_cache_precompile_headers": False,
    "fx_graph_cache": False,
}


def compile(
    function: Callable[..., Any], given: list[Any], folder: Path, threads: int, keep: bool = False, **more: Any
) -> tuple[Any, float, str]:
    """What it made of a function, the seconds until its first result, and by which C++ compiler.

    ``keep``: what was compiled of other functions before stays. ``more`` are settings of Inductor.
    Raises ``LabError`` if there is none.
    """
    import torch
    import torch._dynamo
    from torch._inductor import config, cpp_builder, cpu_vec_isa
    from torch._inductor.utils import clear_inductor_caches

    from native.models.stages.marks import replaced

    tools = toolchain.find(folder)
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(folder)
    if not keep:
        torch._dynamo.reset()
    clear_inductor_caches()
    settings = CONFIG | {"cpp.cxx": (None, tools.program), "cpp.threads": 1 if tools.zig else threads} | more

    def build(line: str, cwd: str) -> None:
        tools.run(folder, *tools.command(line, folder))

    with (
        warnings.catch_warnings(),
        config.patch(settings),
        torch._functorch.config.patch(enable_autograd_cache=False),
        replaced(
            (cpp_builder, "run_compile_cmd", build),
            (cpu_vec_isa.VecISA, "check_build", lambda isa, code: False),
        ),
        torch.no_grad(),
    ):
        warnings.simplefilter("ignore")  # PyTorch's, of what it does itself
        made = torch.compile(function, dynamic=False)
        begun = time.perf_counter()
        made(*given)
        return made, time.perf_counter() - begun, tools.name
