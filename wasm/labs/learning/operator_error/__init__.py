"""Operator error: how wrong a Fourier neural operator is, over the waves that it keeps and over its width.

Each number is the median of networks trained from several seeds, scored on fields that none of them has seen. They
were trained beforehand, by a script, since all of them together take minutes. The steps of this run are three
lengths of training. All else is as in the lab that trains a network while you watch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Int32, Label, Sentence, say
from labs.learning.operator_error.grid import kept


@dataclass(frozen=True)
class Params:
    modes: Annotated[Literal[2, 4, 8, 16], Label("Waves in a layer", help="Or click the surface.", main=True)] = 8
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
    trained_at: str
    """When and on which machine they were trained, and how long all of them took"""


def run(params: Params) -> Iterator[Errors]:
    grid = kept()
    errors = np.array(grid["errors"])  # [steps, seeds, widths, modes]
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
            trained_at=f"{grid['at'][:10]}, {grid['machine']}, torch {grid['torch']}, {grid['seconds']:,.0f} s",
        )


def tell(params: Params, steps: int, median: np.ndarray[Any, Any]) -> Sentence:
    grid = kept()
    own = median[grid["widths"].index(params.width), grid["modes"].index(params.modes)]
    width, modes = np.unravel_index(int(median.argmin()), median.shape)
    return say(
        "After {:,} steps the network of {} waves and width {} is off by {:.3g} %; of all 16 networks that of {} "
        "waves and width {} comes closest, with {:.3g} %.",
        steps,
        params.modes,
        params.width,
        100 * own,
        grid["modes"][int(modes)],
        grid["widths"][int(width)],
        100 * median.min(),
    )
