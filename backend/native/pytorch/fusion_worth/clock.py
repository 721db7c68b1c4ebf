"""What each way takes, and what this machine can do: bytes and operations a second, and what a call costs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from labs.models.fusing.passes import Passes, optimised

from native.models.compiler.compiled import Compiled
from native.models.compiler.machine import here, ready
from native.models.peak_kernel import reading_by
from native.models.timing import Timing, timed, together
from native.pytorch.fusion_worth.joined import Joined, Kernel
from native.pytorch.fusion_worth.programs import Setting

PATIENCE = 0.05  # seconds for all repetitions of one way at one size, as far as one round allows
TINY = 16  # numbers, so few that a call takes what it takes to begin
INSIDE = 1 << 13  # numbers that the cache of a core holds with what is made of them
SEED = 4
Work = Callable[[int], object]
SPACE: dict[str, Any] = {"tanh": torch.tanh, "relu": torch.relu, "abs": torch.abs}
NUMPY: dict[str, Any] = {"tanh": np.tanh, "relu": lambda x: np.maximum(x, 0), "abs": np.abs}


class Bandwidth(NamedTuple):
    """GB/s of multiplying two arrays, and of reading as many bytes as the inputs have."""

    adding: float
    reading: float


def tensors(setting: Setting) -> list[torch.Tensor]:
    random = np.random.default_rng(SEED)
    return [torch.from_numpy(random.uniform(-1, 1, shape).astype(np.float32)) for shape in setting.inputs.values()]


def compiled(joined: Joined, threads: int) -> Compiled:
    ready()
    machine = here(threads)
    program, _ = optimised(joined.program, Passes(width=machine.register))
    return Compiled(program, machine)


def written(source: str, space: dict[str, Any]) -> Callable[..., Any]:
    """A function of the lab's own text."""
    made: dict[str, Any] = {}
    exec(source, dict(space), made)
    function: Callable[..., Any] = made["f"]
    return function


def calling(function: Callable[..., Any], given: list[Any]) -> Work:
    def rounds(count: int) -> None:
        for _ in range(count):
            function(*given)

    return rounds


def works(setting: Setting, threads: int) -> tuple[Work, Work, Work]:
    """PyTorch as it is, each step a kernel, and one kernel for all."""
    given = tensors(setting)
    eager = calling(written(setting.python, SPACE), given)
    ours = (Joined(setting), Joined(setting, len(setting.steps)))
    apart, fused = (compiled(each, threads).all_kept(*given) for each in ours)
    return eager, apart, fused


def measured(setting: Setting, threads: int, repetitions: int) -> list[Timing]:
    with torch.no_grad():
        return together(works(setting, threads), repetitions, PATIENCE, threads)


def bandwidth(setting: Setting, threads: int, repetitions: int) -> Bandwidth:
    """With as many numbers as the tensors of a program have, so that the same caches hold them."""
    multiplying = Joined(Setting("chain", 1, setting.numbers))
    given = tensors(multiplying.setting)
    started = begun(Joined(Setting("chain", 1, TINY)), threads)
    work = compiled(multiplying, threads).all_kept(*given)
    inputs = 4 * sum(math.prod(shape) for shape in setting.inputs.values())
    reading, read = reading_by(threads, max(inputs, 1 << 14))
    multiplied, summed = together((work, reading), repetitions, PATIENCE / 2, threads)
    return Bandwidth(
        multiplying.bytes / max(multiplied.least - started, multiplied.least / 4) / 1e9,
        read / summed.least / 1e9,
    )


def begun(joined: Joined, threads: int) -> float:
    """Seconds of a call that has next to nothing to do."""
    return timed(compiled(joined, threads).all_kept(*tensors(joined.setting)), 5, 0.01).median


def eager_step(setting: Setting) -> float:
    """Seconds of one of PyTorch's operations on next to nothing."""
    function = written(setting.python, SPACE)
    with torch.no_grad():
        took = timed(calling(function, tensors(setting)), 5, 0.01).median
    return took / len(Joined(setting, nodes=True).groups)


@dataclass(frozen=True)
class Machine:
    """What a prediction takes from this machine."""

    speed: float
    """Operations in a second, of numbers that the cache of a core holds"""
    call: float
    """Seconds of a call of ours"""
    step: float
    """Seconds of one of PyTorch's operations on next to nothing"""

    def predicted(self, kernels: list[Kernel], bandwidth: Bandwidth, begin: float) -> float:
        """Seconds: each kernel takes what its bytes or its operations take, whichever is longer."""
        rates = [bandwidth.adding if each.writes else max(bandwidth) for each in kernels]
        parts = [
            max(each.bytes / rate / 1e9, each.work / self.speed) for each, rate in zip(kernels, rates, strict=True)
        ]
        return begin + sum(parts)


def machine(setting: Setting, threads: int, repetitions: int) -> Machine:
    name, length = setting.name, setting.length
    tiny = Setting(name, length, TINY)
    call = begun(Joined(tiny), threads)
    inside = Setting(name, length, 192**2 if name == "product" else INSIDE, uses=8)
    one = Joined(inside, len(inside.steps))
    took = timed(compiled(one, threads).all_kept(*tensors(inside)), repetitions, PATIENCE)
    work = sum(each.work for each in one.kernels)
    return Machine(work / max(took.low - call, took.low / 4), call, eager_step(tiny))
