"""Our fusing compiler beside Inductor and eager PyTorch: in turns, so that all meet the same noise, results of all
in memory that is asked for anew in every call.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from native.compilers.fused_kernels import build, contest
from native.models.compiler import inductor
from native.models.timing import together

from measure.stats import Result

SIZES = {"4 K": 1 << 12, "64 K": 1 << 16, "1 M": 1 << 20, "16 M": 1 << 24}
LENGTHS = (3, 6, 12)
STEPS = ("t * y", "relu(t)", "t + 0.5", "t * x", "sigmoid(t)", "t - y", "abs(t)", "t * 0.5", "tanh(t)", "t + x")
TURNS = 11
LONG = 0.01  # seconds of a turn
EVEN = ("neuron", "columns", "softmax", "layer norm")
Call = Callable[..., Any]


def fusing() -> list[Result]:
    threads = sorted({1, min(2, len(os.sched_getaffinity(0)))})
    return [result for each in threads for result in on(each)]


def on(threads: int) -> list[Result]:
    torch.set_num_threads(threads)
    named = f"{threads} thread{'s' * (threads > 1)}"
    compiling: list[float] = []
    to_inductor, to_eager = [], []
    for length in LENGTHS:
        for numbers in SIZES.values():
            text, eager = chain(length, numbers)
            ours = made(text, threads, compiling)
            ratios = beside(ours, eager, [torch.randn(numbers) for _ in range(2)], threads)
            to_inductor.append(ratios[0])
            to_eager.append(ratios[1])
    results = [
        Result(f"chains to Inductor, geometric mean, {named}", (mean(to_inductor),), "×", "score", 1.2),
        Result(f"chains to eager, geometric mean, {named}", (mean(to_eager),), "×", "score", 5.0),
    ]
    for name in EVEN:
        found = [program(name, numbers, threads, compiling)[0] for numbers in list(SIZES.values())[:3]]
        results.append(Result(f"{name} to Inductor, geometric mean, {named}", (mean(found),), "×", "score", 1.0))
    gelu = [program("gelu", numbers, threads, compiling)[1] for numbers in list(SIZES.values())[:3]]
    results.append(Result(f"GELU to F.gelu, geometric mean, {named}", (mean(gelu),), "×", "score", 1.3))
    layer = [program("linear", numbers, threads, compiling)[0] for numbers in (1 << 17, 1 << 19, 1 << 20)]
    results.append(Result(f"x @ w + b, GELU to Inductor, mean, {named}", (mean(layer),), "×", "score", 1.0))
    results.append(Result(f"chains of 16 M, share of bandwidth, {named}", tuple(shares(threads)), "%", "score", 90))
    results.append(Result(f"compiled in, {named}", tuple(compiling), "s", "p95", 0.3))
    return results


def chain(length: int, numbers: int) -> tuple[str, Call]:
    steps = [STEPS[n % len(STEPS)] for n in range(length)]
    lines = "".join(f"    t = {step}\n" for step in steps)
    text = f"def chain(x: f32[{numbers}], y: f32[{numbers}]):\n    t = x\n{lines}    return t\n"
    does: dict[str, Call] = {
        "t * y": lambda t, x, y: t * y,
        "relu(t)": lambda t, x, y: torch.relu(t),
        "t + 0.5": lambda t, x, y: t + 0.5,
        "t * x": lambda t, x, y: t * x,
        "sigmoid(t)": lambda t, x, y: torch.sigmoid(t),
        "t - y": lambda t, x, y: t - y,
        "abs(t)": lambda t, x, y: torch.abs(t),
        "t * 0.5": lambda t, x, y: t * 0.5,
        "tanh(t)": lambda t, x, y: torch.tanh(t),
        "t + x": lambda t, x, y: t + x,
    }

    def eager(x: Any, y: Any) -> Any:
        t = x
        for step in steps:
            t = does[step](t, x, y)
        return t

    return text, eager


def made(text: str, threads: int, compiling: list[float]) -> build.Build:
    found = build.build(text, build.Switches(threads=threads))
    compiling.append(found.seconds)
    return found


def program(name: contest.Name, numbers: int, threads: int, compiling: list[float]) -> tuple[float, float]:
    ours = made(contest.written(name, numbers, "f32"), threads, compiling)
    given = [torch.randn(each.shape) for each in ours.graph.inputs]
    return beside(ours, contest.PROGRAMS[name].torch, given, threads)


def beside(ours: build.Build, eager: Call, given: Sequence[Any], threads: int) -> tuple[float, float]:
    """How many times as fast as Inductor, and as eager, ours is. Raises if one of them computes something else."""
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        compiled, _, _ = inductor.compile(eager, list(given), Path(folder), threads)
        calls: list[Call] = [ours.code, compiled, eager]
        wanted = eager(*given)
        for each in calls:
            torch.testing.assert_close(each(*given), wanted, rtol=1e-3, atol=1e-3)
        works = [repeated(each, given) for each in calls]
        one, two, three = (each.median for each in together(works, TURNS, TURNS * LONG, threads))
    return two / one, three / one


def repeated(call: Call, given: Sequence[Any]) -> Callable[[int], object]:
    def work(rounds: int) -> None:
        for _ in range(rounds):
            call(*given)

    return work


def shares(threads: int) -> list[float]:
    """Of the bandwidth, by chains of 16 M to memory that is there: a page that is new is not the chain's."""
    numbers = SIZES["16 M"]
    found = []
    for length in LENGTHS[:2]:
        text, _ = chain(length, numbers)
        ours = made(text, threads, [])
        x, y, out = (torch.ones(numbers) for _ in range(3))

        def work(rounds: int, ours: build.Build = ours, out: Any = out, x: Any = x, y: Any = y) -> None:
            for _ in range(rounds):
                ours.code.into((out,), x, y)

        works, moved = zip((work, 12 * numbers), *build.movers(threads, 12 * numbers), strict=True)
        rates = [each / its.least for each, its in zip(moved, together(works, 2 * TURNS, 1.0), strict=True)]
        found.append(100 * rates[0] / max(rates[1:]))
    return found


def mean(values: Sequence[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))
