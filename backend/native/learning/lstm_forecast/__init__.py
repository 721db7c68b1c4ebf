"""Forecasting with an LSTM: trained live, and measured beside forecasts that need no network.

Twelve years of airline passengers, and one question: how many next month? Networks that differ only in their seed
learn it side by side. Their errors in months that they did not learn from stand beside those of three forecasts
that anyone can compute: as many as last month, as many as a year before, and a linear formula of thirteen numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, LabError, Sentence, say
from labs.models.air_passengers import FIRST_YEAR, passengers

from native.learning.lstm_forecast import forecasters
from native.learning.lstm_forecast.forecasters import BASELINES, WINDOW, Floats, Fold, off

if TYPE_CHECKING:  # torch takes two seconds to import: only a run pays for it
    from native.learning.lstm_forecast.network import Training

MEASURES = True  # how long a training takes
PICTURES = 16
MOST = 8000
"""Steps of all trainings together that a run may take."""


@dataclass(frozen=True)
class Params:
    test: Annotated[
        Literal["last two years", "rolling origin"],
        Label("Test on", help="A rolling origin trains again before each of the last five years.", main=True),
    ] = "last two years"
    scaling: Annotated[Literal["z-score", "min-max", "log, z-score"], Label("Scaling", main=True)] = "z-score"
    hidden: Annotated[int, Interval(ge=1, le=64), Label("Units")] = 32
    forget_bias: Annotated[
        float,
        Interval(ge=-2, le=5),
        Label("Forget bias", help="Added to the random value near 0 that PyTorch draws."),
    ] = 0.0
    learning_rate: Annotated[float, Interval(ge=0.001, le=0.1), Label("Learning rate", help="Of Adam.")] = 0.01
    epochs: Annotated[int, Interval(ge=1, le=1000), Label("Epochs")] = 200
    networks: Annotated[int, Interval(ge=1, le=12), Label("Networks", help="Each with its own seed.")] = 5
    seed: Annotated[int, Interval(ge=0, le=2**31 - 100), Label("First seed")] = 0
    no_split: Annotated[
        bool,
        Label(
            "Test on the months it learns from",
            group="Mistakes",
            help="No split: every month is trained on and tested.",
        ),
    ] = False


@dataclass(frozen=True)
class Baseline:
    name: str
    off: float
    """Root mean squared error in the tested months, thousands of passengers"""
    mse: float
    """Mean squared error in units of the whole series’ variance"""


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """All networks after ``epoch`` epochs."""

    kind: Literal["picture"] = "picture"
    stage: Literal["begin", "training", "end"]
    epoch: int
    epochs: int
    first_year: int
    months: Float32
    """[144] thousands of passengers, from January of the first year"""
    tested: Int32
    """[tested] places of the months that are forecast"""
    forecasts: Float32
    """[networks, tested] thousands of passengers"""
    linear: Float32
    """[tested] likewise, by AR(12)"""
    curve_epochs: Int32
    """[so far]"""
    learned: Float32
    """[networks, so far] root mean squared error in the months learned from, thousands of passengers"""
    unseen: Float32
    """[networks, so far] the same in the tested months"""
    off: Annotated[Float32, Axes(network=None)]
    """[networks] the last column of ``unseen``"""
    off_median: float
    mse_median: float
    """Of the networks, the median of the mean squared error in units of the whole series’ variance"""
    baselines: Annotated[list[Baseline], Axes(forecast="baselines.name")]
    better: int
    """Networks that are off by less than AR(12)"""
    seconds: float
    """What one training took so far"""


def run(params: Params) -> Iterator[Picture]:
    from native.learning.lstm_forecast import network
    from native.models.torch_threads import one_thread

    series = passengers()
    folds = folds_of(params, len(series))
    if (steps := params.epochs * params.networks * len(folds)) > MOST:
        raise LabError(
            f"That is {steps:,} training steps, but at most {MOST:,} are allowed: use fewer epochs or networks."
        )
    with one_thread():
        trainings = [
            [
                network.Training(
                    series, fold, params.scaling, params.hidden, params.forget_bias, params.learning_rate, seed
                )
                for fold in folds
            ]
            for seed in range(params.seed, params.seed + params.networks)
        ]
        seconds, done, log = 0.0, 0, list[tuple[int, Floats, Floats]]()
        for epoch in sorted({round(params.epochs * (k / PICTURES) ** 2) for k in range(PICTURES + 1)}):
            began = perf_counter()
            for training in (one for row in trainings for one in row):
                for _ in range(epoch - done):
                    training.step()
            seconds += (perf_counter() - began) / (params.networks * len(folds))
            done = epoch
            yield look(params, series, folds, trainings, log, epoch, seconds)


def folds_of(params: Params, months: int) -> list[Fold]:
    if params.no_split:
        return forecasters.seen_before(months)
    split = forecasters.last_two_years if params.test == "last two years" else forecasters.rolling_origin
    return split(months)


def look(
    params: Params,
    series: Floats,
    folds: list[Fold],
    trainings: list[list[Training]],
    log: list[tuple[int, Floats, Floats]],
    epoch: int,
    seconds: float,
) -> Picture:
    tested = np.concatenate([list(fold.tested) for fold in folds])
    right = series[tested]
    forecasts = np.array([np.concatenate([one.forecasts() for one in row]) for row in trainings])
    if not np.isfinite(forecasts).all():
        raise LabError("A network's forecast is no longer a number: use a smaller learning rate.")
    fits = [
        np.mean([off(one.fitted(), series[WINDOW : fold.end]) ** 2 for one, fold in zip(row, folds, strict=True)])
        for row in trainings
    ]
    log.append((epoch, np.sqrt(fits), off(forecasts, right)))
    simple = {name: np.concatenate([by(series, fold) for fold in folds]) for name, by in BASELINES.items()}
    variance = float(series.var())
    baselines = [
        Baseline(name, float(off(found, right)), float(off(found, right) ** 2) / variance)
        for name, found in simple.items()
    ]
    now = log[-1][2]
    return Picture(
        text=tell(epoch, now, baselines),
        stage="end" if epoch == params.epochs else "training" if epoch else "begin",
        epoch=epoch,
        epochs=params.epochs,
        first_year=FIRST_YEAR,
        months=series.astype(np.float32),
        tested=tested.astype(np.int32),
        forecasts=forecasts.astype(np.float32),
        linear=simple["AR(12)"].astype(np.float32),
        curve_epochs=np.array([at for at, _, _ in log], dtype=np.int32),
        learned=np.array([row for _, row, _ in log], dtype=np.float32).T,
        unseen=np.array([row for _, _, row in log], dtype=np.float32).T,
        off=now.astype(np.float32),
        off_median=float(np.median(now)),
        mse_median=float(np.median(now**2)) / variance,
        baselines=baselines,
        better=int((now < baselines[-1].off).sum()),
        seconds=seconds,
    )


def tell(epoch: int, now: Floats, baselines: list[Baseline]) -> Sentence:
    return say(
        "{}, the networks are off by {:.1f} to {:.1f} thousand passengers in the tested months, AR(12) by {:.1f}.",
        "Untrained" if epoch == 0 else "After 1 epoch" if epoch == 1 else say("After {} epochs", epoch),
        now.min(),
        now.max(),
        baselines[-1].off,
    )
