"""Training steps as requests and frees: what ``scripts/record_allocations.py`` saw of torch, at other sizes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Lengths = Literal["equal", "varying", "growing"]
GROUPS = ("weights", "batch", "activations", "backward", "gradients")


@dataclass(frozen=True)
class Request:
    """A storage that comes, or goes where ``size`` is 0."""

    owner: int
    size: int
    name: str = ""
    """The operator that made it"""
    group: int = 0
    stage: str = ""
    phase: str = ""
    stream: int = 0
    shared: bool = False
    """Another stream uses it, too"""


@cache
def recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files(__package__).joinpath("step.json").read_text(encoding="utf-8"))
    return found


def size_of(coefficients: list[int], batch: int, length: int) -> int:
    powers = [batch**i * length**j for i in (0, 1) for j in (0, 1, 2)]
    return sum(power * each for power, each in zip(powers, coefficients, strict=True))


def lengths(kind: Lengths, steps: int, longest: int, seed: int) -> list[int]:
    """How many tokens the sequences of each step have."""
    if kind == "equal":
        return [longest] * steps
    rng = random.Random(seed)
    drawn = [rng.randint(longest // 2, longest) for _ in range(steps)]
    return sorted(drawn) if kind == "growing" else drawn


def trace(batch: int, of: list[int], streams: int) -> Iterator[Request]:
    """The weights, and then a step for each length."""
    weights = recorded()["weights"]
    for n, size in enumerate(weights):
        yield Request(n, size, "weight", 0, "weights", "weights")
    step = recorded()["step"]
    sizes = recorded()["coefficients of 1, L, L^2, B, BL, BL^2"]
    made = sum(isinstance(entry, list) for entry in step)
    freed = {entry for entry in step if isinstance(entry, int)}
    for n, length in enumerate(of):
        before, phase = len(weights) + n * made, "batch"
        for entry in step:
            stage = f"step {n + 1}"
            if isinstance(entry, str):
                phase = entry
            elif isinstance(entry, int):
                if n or entry >= 0:
                    yield Request(before + entry, 0, stage=stage, phase=phase)
            else:
                number, size, name = entry
                if phase == "batch":
                    group = 1
                elif phase == "forward":
                    group = 2
                else:
                    group = 3 if number in freed else 4
                aside = phase == "batch" and streams > 1
                yield Request(
                    before + number,
                    size_of(sizes[size], batch, length),
                    name,
                    group,
                    stage,
                    phase,
                    int(aside),
                    aside,
                )
