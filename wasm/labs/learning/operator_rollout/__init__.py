"""A trained operator at work: draw a field, and watch two solvers and a neural network carry it forward in time.

The field obeys Burgers' equation, or the heat equation, on a ring of length 1. The exact solution is known by a
formula. A spectral solver and finite differences step towards it on a grid; a Fourier neural operator, trained
beforehand on grids of 64 points, leaps a tenth of a unit of time at once, on a grid of your choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, Text, joined, say
from labs.learning.operator_rollout import network
from labs.learning.operator_rollout.start import EXAMPLES, SAMPLES, read
from labs.models.fields import Equation, differences, exact, spectral

POSTER = 5
LEAPS = 10
SCORED = 256  # points at which the exact field is known
SHOWN = 128  # and at which it is drawn
EVERY = 2  # of the samples of a start: the formula needs no more
WAVES = 48  # of which the heights are shown
FLAT = 0.01  # errors are shares of no less, so that a start of zeros has some, too
ROOM = 1.5  # a solver is stable up to so many times the largest value of the start
Way = Literal["spectral", "differences", "network"]
WAYS: tuple[Way, ...] = ("spectral", "differences", "network")
NAMES = ("the spectral solver", "finite differences", "the network")
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Params:
    equation: Annotated[
        Equation,
        Label(
            "Equation",
            main=True,
            help="Burgers: a field carries itself along and diffuses; heat: it only diffuses.",
        ),
    ] = "burgers"
    viscosity: Annotated[
        float,
        Interval(ge=0.002, le=0.1),
        Label("Viscosity", main=True, help="The network was trained on 0.005 to 0.05."),
    ] = 0.01
    asked: Annotated[
        Literal[16, 32, 64, 128, 256, 512, 1024],
        Label("Network's grid", unit="points", main=True, help="It was trained on grids of 64."),
    ] = 64
    modes: Annotated[
        network.Modes, Label("Waves in a layer", group="Network", help="Three networks, trained separately.")
    ] = 16
    points: Annotated[Literal[16, 32, 64, 128, 256], Label("Solvers' grid", unit="points", group="Solvers")] = 64
    start: Annotated[
        str,
        Text(400, examples=EXAMPLES),
        Label("Start", help="Draw it in the picture. Evenly spaced values, in hundredths."),
    ] = EXAMPLES["two_waves"]


@dataclass(frozen=True, kw_only=True)
class Moment(Event):
    """The field at one time, by formula and as each way has it. A value that has left all bounds is NaN."""

    kind: Literal["moment"] = "moment"
    time: float
    exact: Float32
    """[128] by formula"""
    spectral: Float32
    """[points] by the spectral solver"""
    differences: Float32
    """[points] by finite differences"""
    network: Float32
    """[asked] by the network"""
    ways: tuple[Way, ...]
    times: Float32
    """[times so far]"""
    errors: Annotated[Float32, Axes(way="ways", time=None)]
    """[3, times so far] root mean square error as a share of the start's root mean square"""
    remains: float
    """Root mean square of the exact field as a share of the start's"""
    by_grid: Float32
    """[times so far] as above, between the network's answer on its grid and its own answer on 1,024 points"""
    heights_exact: Float32
    """[48] of the waves 0, 1, 2, … in the exact field"""
    heights: Annotated[Float32, Axes(way="ways", wave=None)]
    """[3, 48] of the same waves by each way; NaN where its grid has none"""
    multiplications: Annotated[Int32, Axes(way="ways")]
    """[3] by each way so far; a transform of n real numbers is counted as n log2 n"""
    steps: int
    """Of the spectral solver so far"""
    steps_differences: int
    """Of finite differences so far"""


def run(params: Params) -> Iterator[Moment]:
    start = read(params.start)
    size = max(apart(start, np.zeros_like(start)), FLAT)
    weights = network.operator(params.equation, params.modes)
    fastest = ROOM * float(np.abs(start).max()) + 0.1
    counts = (
        spectral.steps(params.equation, params.points, fastest, network.LEAP),
        differences.steps(params.equation, params.points, params.viscosity, fastest, network.LEAP),
    )
    leap_work = (
        spectral.multiplications(params.equation, params.points) * counts[0],
        differences.multiplications(params.equation, params.points) * counts[1],
        network.multiplications(params.modes, params.asked),
    )
    now = [sampled(start, params.points), sampled(start, params.points)]
    answers = {points: sampled(start, points) for points in (params.asked, SAMPLES)}
    errors: list[list[float]] = []
    by_grid: list[float] = []
    for done in range(LEAPS + 1):
        if done:
            with np.errstate(all="ignore"):  # what leaves all bounds is shown as such
                now[0] = spectral.solve(params.equation, now[0], params.viscosity, network.LEAP, counts[0])
                now[1] = differences.solve(params.equation, now[1], params.viscosity, network.LEAP, counts[1])
                for points, field in answers.items():
                    answers[points] = network.leap(weights, field, params.viscosity)
        time = done * network.LEAP
        right = exact.solution(params.equation, start[::EVERY], params.viscosity, time, SCORED)
        fields = [bounded(field) for field in (*now, answers[params.asked])]
        errors.append([apart(field, right) / size for field in fields])
        by_grid.append(apart(fields[2], answers[SAMPLES]) / size)
        yield Moment(
            text=tell(time, errors[-1]),
            time=round(time, 6),
            exact=right[:: SCORED // SHOWN].astype(np.float32),
            spectral=fields[0].astype(np.float32),
            differences=fields[1].astype(np.float32),
            network=fields[2].astype(np.float32),
            ways=WAYS,
            times=(network.LEAP * np.arange(done + 1)).astype(np.float32),
            errors=np.array(errors, np.float32).T.copy(),
            remains=apart(right, np.zeros_like(right)) / size,
            by_grid=np.array(by_grid, np.float32),
            heights_exact=heights(right),
            heights=np.array([heights(field) for field in fields]),
            multiplications=np.array([done * each for each in leap_work], np.int32),
            steps=done * counts[0],
            steps_differences=done * counts[1],
        )


def sampled(start: Floats, points: int) -> Floats:
    return start[:: len(start) // points].copy()


def bounded(field: Floats) -> Floats:
    """NaN where it is more than a hundred times what a start may be."""
    return np.where(np.abs(field) < 100, field, np.nan)


def apart(field: Floats, right: Floats) -> float:
    """The root mean square distance of two fields, at the points that both have."""
    points = min(len(field), len(right))
    return float(np.sqrt(np.mean((sampled(field, points) - sampled(right, points)) ** 2)))


def heights(field: Floats) -> Float32:
    """[WAVES] of the waves in a field, up to the fastest that its grid has; NaN above it."""
    known = np.abs(np.fft.rfft(field, norm="forward"))[:WAVES] * 2
    known[0] /= 2
    return np.concatenate((known, np.full(WAVES - len(known), np.nan))).astype(np.float32)


def tell(time: float, errors: list[float]) -> Sentence:
    if not time:
        return say("At the start, none of them has an error yet.")
    parts = [
        say("{} {:.2g} %", name, 100 * error) if np.isfinite(error) else say("{} has blown up", name)
        for name, error in zip(NAMES, errors, strict=True)
    ]
    return say("At time {:.1f} the errors are: {}.", time, joined(", ", parts))
