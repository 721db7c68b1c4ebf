"""A Fourier neural operator: trained here, and raced against two solvers at equal error.

A network learns what a field becomes, from fields that a spectral solver made. Then it solves fields that it has
never seen, and so do the spectral solver and finite differences, on grids from coarse to fine: the error of each
beside its time. Beside a weak baseline the network looks fast; the fair baseline is the fastest solver that is as
accurate; and training has to be paid back by many fields.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, LabError
from labs.models.arrays import floats, ints
from labs.models.fields import Equation
from labs.models.timing import QUARTILES

from native.learning.fourier_operator import tell

if TYPE_CHECKING:  # torch takes two seconds to import: only a run pays for it
    from native.learning.fourier_operator.network import Operator
    from native.learning.fourier_operator.race import Field, Finish
    from native.learning.fourier_operator.training import Course

MEASURES = True
POSTER = 19
SHOWN = 64  # points of the field that is drawn
PIECES = 60  # of the training's curve
PICTURES = 12  # of the training, besides the one before it


@dataclass(frozen=True)
class Params:
    equation: Annotated[Equation, Label("Equation", main=True)] = "burgers"
    viscosity: Annotated[float, Interval(ge=0.005, le=0.05), Label("Viscosity", main=True)] = 0.01
    steps: Annotated[
        int, Interval(ge=50, le=6000), Label("Training steps", group="Training", help="Each on 32 pairs of fields.")
    ] = 300
    samples: Annotated[
        int,
        Interval(ge=16, le=512),
        Label("Training starts", group="Training", help="Initial fields, each followed to time 1."),
    ] = 128
    resolution: Annotated[Literal[32, 64, 128], Label("Training grid", unit="points", group="Training")] = 64
    modes: Annotated[int, Interval(ge=1, le=24), Label("Waves in a layer", group="Network")] = 12
    width: Annotated[int, Interval(ge=2, le=32), Label("Width", unit="channels", group="Network")] = 16
    leaps: Annotated[
        Literal[1, 2, 4, 10],
        Label("Leaps to time 1", group="Network", help="How many times in a row the network is applied."),
    ] = 4
    together: Annotated[
        Literal[1, 32, 256],
        Label(
            "Solved at once", unit="fields", group="Race", help="Every solver gets this many fields in one array."
        ),
    ] = 32
    repetitions: Annotated[int, Interval(ge=3, le=15), Label("Repetitions", group="Race")] = 5
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed", group="Training")] = 0


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    step: int
    """Of the training"""
    steps: int
    at: Int32
    """[pieces so far] steps, at the end of each piece of the training"""
    losses: Annotated[Float32, Axes(step="at")]
    """[pieces so far] root of the mean relative square error of one leap, over a batch; the mean of each piece"""
    parameters: int
    """Numbers that are learned; a complex one counts twice"""
    data_seconds: float
    """To make the fields to learn from"""
    train_seconds: float
    """So far"""
    sample_start: Float32
    """[64] a field that it never saw"""
    sample_exact: Float32
    """[64] the same at time 1, by formula"""
    sample_network: Float32
    """[64] by the network as trained so far, asked at 64 points"""
    ways: tuple[Literal["network", "spectral", "differences", "upwind"], ...]
    way: Int32
    """[finished] its place in ``ways``"""
    points: Int32
    """[finished] of its grid"""
    error: Float32
    """[finished] at time 1, median over the fields: root mean square error as a share of the exact field's own"""
    seconds: Annotated[Float32, Axes(finished=None, quartile=QUARTILES)]
    """[finished, 3] for one field"""


@dataclass(frozen=True, kw_only=True)
class Training(Picture):
    """The network learns."""

    kind: Literal["training"] = "training"


@dataclass(frozen=True, kw_only=True)
class Raced(Picture):
    """Solvers have finished, or all ways have."""

    kind: Literal["raced"] = "raced"


@dataclass(frozen=True, kw_only=True)
class Verdict(Picture):
    """The network, asked on the grid that it learned from, beside another way."""

    kind: Literal["verdict"] = "verdict"
    stage: Literal["weak", "fair", "counted"]
    network: int
    """Its place among the finished."""
    weak: int
    """That of the weak baseline."""
    fair: int
    """That of the fastest solver that is as exact."""
    rival: int
    """The one of the two that this picture is about."""
    speedup_weak: float
    """The weak baseline's time over the network's"""
    slowdown_fair: float
    """The network's time over the fair one's"""
    slowdown_counted: float
    """The network's time for a thousand fields, with data and training, over the fair one's time for them"""
    own_error: float
    """The network's"""
    fair_points: int
    """Of the fair one's grid"""
    pays_after: int | None
    """Fields after which data and training have paid beside the fair one; None for never"""


def run(params: Params) -> Iterator[Training | Raced | Verdict]:
    from native.learning.fourier_operator import race
    from native.models.torch_threads import one_thread

    with one_thread():
        field = race.Field(params.equation, params.viscosity, params.together)
        # 1. Learn.
        shown: dict[str, Any] = {}
        network = yield from learn(params, field, shown)

        # 2. Race: all ways in turns, on all grids.
        runners = race.solvers(params.equation, params.viscosity)
        runners += race.networks(network, params.viscosity, params.leaps)
        finished = race.race(runners, field, params.repetitions)
        for way in reversed(tell.WAYS):
            some = [each for each in finished if tell.WAYS.index(each.way) >= tell.WAYS.index(way)]
            shown.update(entries(some))
            yield Raced(text=tell.raced(way, [each for each in some if each.way == way]), **shown)

        # 3. Judge: three ways to compare, and three answers.
        shown.update(entries(finished))
        yield from verdicts(finished, params, shown)


def learn(params: Params, field: Field, shown: dict[str, Any]) -> Generator[Training, None, Operator]:
    """The trained network, after pictures of its training; what every later picture repeats goes into ``shown``."""
    from native.learning.fourier_operator import race
    from native.learning.fourier_operator.network import leaps
    from native.learning.fourier_operator.training import begun, pairs, train

    course = course_of(params)
    begin = time.perf_counter()
    known = pairs(course, np.random.default_rng(course.seed))
    made = time.perf_counter() - begin
    next(train(begun(course), known, course))  # PyTorch imports much for the first step of all
    network = begun(course)
    losses: list[float] = []
    piece = -(-params.steps // PIECES)
    shown.update(
        steps=params.steps,
        data_seconds=made,
        train_seconds=0.0,
        parameters=sum(each.numel() for each in network.parameters()),
        sample_start=field.at(SHOWN)[0],
        sample_exact=field.right[0, :: race.SCORED // SHOWN].astype(np.float32),
        ways=tell.WAYS,
        **entries([]),
    )

    def picture() -> Training:
        (sample,) = leaps(network, field.at(SHOWN)[:1], params.viscosity, params.leaps)
        ends, means = curve(losses, piece)
        shown.update(step=len(losses), at=ints(ends), losses=floats(means), sample_network=sample)
        return Training(text=tell.training(losses, params.steps, params.leaps, shown["train_seconds"]), **shown)

    yield picture()
    every = -(-params.steps // PICTURES)
    begin = time.perf_counter()
    for loss in train(network, known, course):
        if not np.isfinite(loss):
            raise LabError("Training diverged: the loss is no longer a number; use another seed or fewer channels.")
        losses.append(loss)
        if len(losses) % every == 0 or len(losses) == params.steps:  # the clock stands while a picture is made
            shown["train_seconds"] += time.perf_counter() - begin
            yield picture()
            begin = time.perf_counter()
    return network


def curve(losses: Sequence[float], piece: int) -> tuple[list[int], list[float]]:
    """Where each piece of the training ends, and the mean of its losses; the newest may be shorter."""
    begins = range(0, len(losses), piece)
    ends = [min(begin + piece, len(losses)) for begin in begins]
    return ends, [sum(losses[begin:end]) / (end - begin) for begin, end in zip(begins, ends, strict=True)]


def course_of(params: Params) -> Course:
    from native.learning.fourier_operator.training import Course

    return Course(
        equation=params.equation,
        low=params.viscosity,
        high=params.viscosity,
        leap=1 / params.leaps,
        width=params.width,
        modes=params.modes,
        resolution=params.resolution,
        samples=params.samples,
        steps=params.steps,
        seed=params.seed,
    )


def entries(finished: list[Finish]) -> dict[str, Any]:
    quarters = [(each.taken.low, each.taken.median, each.taken.high) for each in finished]
    return {
        "way": ints(tell.WAYS.index(each.way) for each in finished),
        "points": ints(each.points for each in finished),
        "error": floats(each.error for each in finished),
        "seconds": np.array(quarters, np.float32).reshape(-1, 3),
    }


def verdicts(finished: list[Finish], params: Params, shown: dict[str, Any]) -> Iterator[Verdict]:
    from native.learning.fourier_operator.race import fair

    own = next(each for each in finished if (each.way, each.points) == ("network", params.resolution))
    plain = next(each for each in finished if each.way == "upwind")
    rival = fair(finished, own.error)
    took = own.taken.median
    once = shown["data_seconds"] + shown["train_seconds"]
    gain = rival.taken.median - took
    found: dict[str, Any] = {
        "network": finished.index(own),
        "weak": finished.index(plain),
        "fair": finished.index(rival),
        "speedup_weak": plain.taken.median / took,
        "slowdown_fair": took / rival.taken.median,
        "slowdown_counted": (1000 * took + once) / (1000 * rival.taken.median),
        "own_error": own.error,
        "fair_points": rival.points,
        "pays_after": int(np.ceil(once / gain)) if gain > 0 else None,
    }
    yield Verdict(text=tell.weak(own, plain), stage="weak", rival=found["weak"], **found, **shown)
    yield Verdict(text=tell.fair(own, rival), stage="fair", rival=found["fair"], **found, **shown)
    told = tell.counted(found["pays_after"], once, found["slowdown_counted"])
    yield Verdict(text=told, stage="counted", rival=found["fair"], **found, **shown)
