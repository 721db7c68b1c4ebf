"""Ways to the field at time 1, each with its error and its time for one of many fields, on one thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from labs.models.fields import Equation, differences, exact, spectral
from labs.models.timing import Timing
from numpy.typing import NDArray

from native.learning.fourier_operator import weak
from native.learning.fourier_operator.network import Operator, leaps
from native.learning.fourier_operator.training import FASTEST, starts
from native.models.timing import together

Way = Literal["network", "spectral", "differences", "upwind"]
SAMPLES = 1024  # of a start, from which every grid takes its points
SCORED = 256  # points at which the exact fields are known
GRIDS = (16, 24, 32, 48, 64, 96, 128)  # of the solvers
ASKED = (16, 32, 64, 128, 256, 1024)  # of the network
MARKED = 32  # fields of which the error is taken, as far as there are
WEAK = 256  # points of the weak baseline
PATIENCE = 0.02  # seconds for all repetitions of a way on a grid, as far as one round allows


@dataclass(frozen=True)
class Runner:
    way: Way
    points: int
    solve: Callable[[NDArray[np.float32]], NDArray[Any]]


@dataclass(frozen=True)
class Finish:
    way: Way
    points: int
    error: float
    """Median over the fields: root mean square error as a share of the exact field's own"""
    taken: Timing
    """Seconds for one field"""


class Field:
    """Starts that no network has seen, and the exact fields at time 1."""

    def __init__(self, equation: Equation, viscosity: float, count: int) -> None:
        self.starts = starts(np.random.default_rng((7, count)), count, SAMPLES)
        coarse = self.starts[:MARKED, :: SAMPLES // SCORED]  # the formula needs no more of such smooth fields
        self.right = np.array([exact.solution(equation, each, viscosity, 1.0, SCORED) for each in coarse])

    def at(self, points: int) -> NDArray[np.float32]:
        """[fields, points] the starts on a grid, by the nearest sample where it does not divide the samples."""
        waves = np.fft.rfft(self.starts)[:, : points // 2 + 1] * (points / SAMPLES)
        if SAMPLES % points == 0:
            return np.ascontiguousarray(self.starts[:, :: SAMPLES // points], np.float32)
        return np.fft.irfft(waves, points).astype(np.float32)

    def error(self, found: NDArray[Any]) -> float:
        points = found.shape[-1]
        found, right = np.asarray(found[: len(self.right)], np.float64), self.right
        common = int(np.gcd(points, SCORED))
        missed = found[:, :: points // common] - right[:, :: SCORED // common]
        size = np.sqrt((right[:, :: SCORED // common] ** 2).mean(1))
        return float(np.median(np.sqrt((missed**2).mean(1)) / size))


def solvers(equation: Equation, viscosity: float) -> list[Runner]:
    def on(points: int) -> list[Runner]:
        count = spectral.steps(equation, points, FASTEST, 1.0)
        few = differences.steps(equation, points, viscosity, FASTEST, 1.0)
        return [
            Runner("spectral", points, lambda field: spectral.solve(equation, field, viscosity, 1.0, count)),
            Runner("differences", points, lambda field: differences.solve(equation, field, viscosity, 1.0, few)),
        ]

    many = weak.steps(equation, WEAK, viscosity, FASTEST, 1.0)
    plain = Runner("upwind", WEAK, lambda field: weak.solve(equation, field, viscosity, 1.0, many))
    return [plain, *(each for points in GRIDS for each in on(points))]


def networks(network: Operator, viscosity: float, count: int) -> list[Runner]:
    def on(points: int) -> Runner:
        return Runner("network", points, lambda field: leaps(network, field, viscosity, count))

    return [on(points) for points in ASKED]


def race(runners: list[Runner], field: Field, repetitions: int) -> list[Finish]:
    """Timed in turns, so that what slows the machine for a while slows all of them."""
    given = [field.at(each.points) for each in runners]

    def work(each: Runner, start: NDArray[np.float32]) -> Callable[[int], object]:
        def rounds(count: int) -> None:
            for _ in range(count):
                each.solve(start)

        return rounds

    taken = together([work(*pair) for pair in zip(runners, given, strict=True)], repetitions, PATIENCE)
    return [
        Finish(each.way, each.points, field.error(each.solve(start)), shared(timing, len(start)))
        for each, start, timing in zip(runners, given, taken, strict=True)
    ]


def shared(taken: Timing, fields: int) -> Timing:
    least, low, median, high = (seconds / fields for seconds in taken[:4])
    return Timing(least, low, median, high, taken.rounds)


def fair(finished: list[Finish], error: float) -> Finish:
    """The fastest solver that is as exact; where none is, the most exact."""
    rivals = [each for each in finished if each.way in ("spectral", "differences")]
    good = [each for each in rivals if each.error <= error]
    return min(good, key=lambda each: each.taken.median) if good else min(rivals, key=lambda each: each.error)
