"""Fields to learn from, made by the spectral solver, and the training on them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from labs.models.fields import Equation, spectral
from labs.models.fields.scale import scaled
from numpy.typing import NDArray

from native.learning.fourier_operator.network import Operator

Floats = NDArray[np.float64]
FASTEST = 1.3  # no value of a start exceeds it
WAVES = 6  # in a start
FINE = 128  # points of the solver that makes the fields: double what is learned from
BATCH = 32
RATE = 1e-2
QUIET = 1e-3  # mean square that is added to a field's own, so that flat fields do not rule the loss


@dataclass(frozen=True)
class Course:
    equation: Equation
    low: float
    """The smallest viscosity among the fields."""
    high: float
    """The largest."""
    leap: float
    """Time that one application of the network spans."""
    width: int
    modes: int
    resolution: int
    """Points of the fields learned from; divides ``FINE`` or is a multiple of it."""
    samples: int
    """Starts, each followed to time 1."""
    steps: int
    seed: int


class Pairs(NamedTuple):
    """Fields before and after a leap, [pairs, points], and the viscosity as ``scaled``, [pairs]."""

    before: torch.Tensor
    after: torch.Tensor
    viscosity: torch.Tensor


def starts(rng: np.random.Generator, count: int, points: int) -> Floats:
    """[count, points] sums of six waves, the slower the larger, up to 1, and a mean of up to 0.3."""
    wave = np.arange(1, WAVES + 1)
    turn = 2 * np.pi * (wave[:, None] * np.arange(points) / points + rng.uniform(0, 1, (count, WAVES, 1)))
    field = np.einsum("bk,bkx->bx", rng.normal(size=(count, WAVES)) / wave**0.75, np.sin(turn))
    field *= rng.uniform(0.4, 1, (count, 1)) / np.abs(field).max(axis=1, keepdims=True)
    return np.asarray(field + rng.uniform(-0.3, 0.3, (count, 1)))


def pairs(course: Course, rng: np.random.Generator) -> Pairs:
    """From every start, followed to time 1, all leaps."""
    fine = max(FINE, course.resolution)
    viscosity = np.exp(rng.uniform(math.log(course.low), math.log(course.high), (course.samples, 1)))
    steps = 2 * spectral.steps(course.equation, fine, FASTEST, course.leap)
    fields = [starts(rng, course.samples, fine)]
    leaps = round(1 / course.leap)
    for _ in range(leaps):
        fields.append(spectral.solve(course.equation, fields[-1], viscosity, course.leap, steps))
    rows = torch.from_numpy(np.array(fields)[..., :: fine // course.resolution].astype(np.float32))
    given = torch.from_numpy(scaled(viscosity[:, 0]).astype(np.float32)).repeat(leaps)
    return Pairs(rows[:-1].flatten(0, 1), rows[1:].flatten(0, 1), given)


def begun(course: Course) -> Operator:
    torch.manual_seed(course.seed)
    return Operator(course.width, course.modes)


def train(network: Operator, known: Pairs, course: Course) -> Iterator[float]:
    """After each step, the root of the mean relative square error over its batch."""
    chance = torch.Generator().manual_seed(course.seed)
    optimizer = torch.optim.Adam(network.parameters(), RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=course.steps + 1, pct_start=0.1)
    for _ in range(course.steps):
        rows = torch.randint(len(known.before), (BATCH,), generator=chance)
        after = known.after[rows]
        missed = (network(known.before[rows], known.viscosity[rows]) - after).square().mean(1)
        loss = (missed / (after.square().mean(1) + QUIET)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        yield math.sqrt(loss.item())
