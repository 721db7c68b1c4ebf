"""What Inductor makes of the same product, and what it picked."""

from __future__ import annotations

import math
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch

from native.compilers.decompose_k.library import Tried


class Pick(NamedTuple):
    call: Callable[[], Any]
    seconds: float
    """Of compiling, until the first result"""
    what: str
    """What its code calls for the product"""
    tried: list[Tried]
    """What it timed, from the fastest on"""


def on_gpu(function: Callable[..., Any], given: tuple[Any, Any]) -> Pick:
    """With max-autotune: Inductor times what it has, and takes the fastest."""
    import torch._dynamo
    from torch._inductor.select_algorithm import add_feedback_saver
    from torch._inductor.utils import fresh_cache, run_and_get_code

    timings: dict[str, float] = {}  # milliseconds

    def keep(timed: Any, *rest: Any) -> None:
        timings.update({choice.name: float(took) for choice, took in timed.items()})

    add_feedback_saver(keep)
    torch._dynamo.reset()  # it compiles a function eight times at most, and then leaves it as it is
    begun = time.perf_counter()
    with torch.no_grad(), fresh_cache():
        made = torch.compile(function, mode="max-autotune-no-cudagraphs", dynamic=False)
        _, codes = run_and_get_code(made, *given)
    seconds = time.perf_counter() - begun

    def call() -> Any:
        with torch.no_grad():
            return made(*given)

    return Pick(call, seconds, picked(codes[-1]), tried(timings))  # before it comes the code of each choice


def tried(timings: dict[str, float]) -> list[Tried]:
    """By name, milliseconds of each choice; what is no product of batches counts as whole, the best of them."""
    best: dict[int, float] = {}
    for name, took in timings.items():
        found = re.match(r"decompose_k_mm_(\d+)_split", name)
        splits = int(found[1]) if found else 0
        best[splits] = min(took / 1e3, best.get(splits, math.inf))
    return sorted((Tried(*each) for each in best.items()), key=lambda each: each.seconds)


def on_cpu(function: Callable[..., Any], given: tuple[Any, Any], threads: int) -> Pick:
    """As it comes. Raises ``LabError`` where no C++ compiler works."""
    from native.models.compiler import inductor

    with tempfile.TemporaryDirectory() as folder:
        made, seconds, _ = inductor.compile(function, list(given), Path(folder), threads)

    def call() -> Any:
        with torch.no_grad():
            return made(*given)

    return Pick(call, seconds, "mm", [])


def picked(code: str) -> str:
    """What Inductor's code calls for the product of two matrices."""
    if found := re.search(r"decompose_k_mm_(\d+)_split", code):
        return f"decompose_k, {found[1]} splits"
    if found := re.search(r"extern_kernels\.bmm(?:_dtype)?\(\s*reinterpret_tensor\(\w+, \((\d+),", code):
        return f"decompose_k, {found[1]} splits"
    if re.search(r"extern_kernels\.(?:add)?mm\(", code):
        return "mm"
    if re.search(r"triton_tem_\w*mm", code):
        return "a Triton template"
    return "something else"
