"""Operator error: how wrong a Fourier neural operator is, by the waves that it keeps and by its width.

Each number is the median of networks trained from several seeds, scored on fields that none of them has seen. What
they make of one such field is drawn. They were trained beforehand, by a script, since all of them together take
minutes. The steps of this run are three lengths of training. All else is as in the lab that trains a network while
you watch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Int32, Label, Sentence, say
from labs.learning.operator_error.grid import answers, kept

POSTER = 2  # some networks still fail where others have come close


@dataclass(frozen=True)
class Params:
    modes: Annotated[Literal[2, 4, 8, 16], Label("Waves in a layer", help="Or click a network.", main=True)] = 8
    width: Annotated[Literal[4, 8, 16, 32], Label("Width", unit="channels", main=True)] = 16


@dataclass(frozen=True, kw_only=True)
class Errors(Event):
    """All networks after one length of training."""

    kind: Literal["errors"] = "errors"
    stage: str
    """The length of the training"""
    steps: int
    """Of the training"""
    modes: list[int]
    widths: list[int]
    seeds: list[int]
    error: Annotated[Float32, Axes(width="widths", modes="modes")]
    """[widths, modes] median over the seeds: error at time 1 as a share of the exact field's own size"""
    least: Annotated[Float32, Axes(width="widths", modes="modes")]
    """[widths, modes] of the best seed"""
    most: Annotated[Float32, Axes(width="widths", modes="modes")]
    """[widths, modes] of the worst seed"""
    learned: Annotated[Int32, Axes(width="widths", modes="modes")]
    """[widths, modes] numbers that a network learns; a complex one counts twice"""
    exact: Float32
    """[64] a field on the ring at time 1, by formula, from a start that no network has seen"""
    lowest: Annotated[Float32, Axes(modes="modes", place=None)]
    """[modes, 64] the exact field with no more waves than a layer keeps"""
    alone: Annotated[Float32, Axes(modes="modes")]
    """[modes] its error, as a share of the exact field's size"""
    answer: Annotated[Float32, Axes(width="widths", modes="modes", place=None)]
    """[widths, modes, 64] what the network of the median seed says that it is at time 1"""
    trained_at: str
    """When and on which machine they were trained, and how long all of them took"""


def run(params: Params) -> Iterator[Errors]:
    grid = kept()
    errors = np.array(grid["errors"])  # [steps, seeds, widths, modes]
    drawn = answers()
    exact = drawn["exact"]
    waves = np.stack([lowest(exact, modes) for modes in grid["modes"]])
    alone = np.sqrt(((waves - exact) ** 2).mean(axis=1) / (exact**2).mean())
    for place, steps in enumerate(grid["steps"]):
        median = np.median(errors[place], axis=0)
        yield Errors(
            text=tell(params, steps, median),
            stage=f"{steps} steps",
            steps=steps,
            modes=grid["modes"],
            widths=grid["widths"],
            seeds=grid["seeds"],
            error=median.astype(np.float32),
            least=errors[place].min(axis=0).astype(np.float32),
            most=errors[place].max(axis=0).astype(np.float32),
            learned=np.array(grid["learned"], np.int32),
            exact=exact,
            lowest=waves,
            alone=alone.astype(np.float32),
            answer=drawn["network"][place],
            trained_at=f"{grid['at'][:10]}, {grid['machine']}, torch {grid['torch']}, {grid['seconds']:,.0f} s",
        )


def lowest(field: Float32, modes: int) -> Float32:
    """The field without the waves that a layer of so many ``modes`` drops; the first of them is the mean."""
    waves = np.fft.rfft(field)
    waves[modes:] = 0
    return np.fft.irfft(waves, len(field)).astype(np.float32)


def tell(params: Params, steps: int, median: np.ndarray[Any, Any]) -> Sentence:
    grid = kept()
    own = median[grid["widths"].index(params.width), grid["modes"].index(params.modes)]
    width, modes = np.unravel_index(int(median.argmin()), median.shape)
    return say(
        "After {:,} steps, the network with {} waves and width {} is off by {:.3g} "
        "%; the best of all 16, with {} waves and width {}, by {:.3g} %.",
        steps,
        params.modes,
        params.width,
        100 * own,
        grid["modes"][int(modes)],
        grid["widths"][int(width)],
        100 * median.min(),
    )
