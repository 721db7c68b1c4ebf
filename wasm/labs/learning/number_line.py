"""The number line: how a range of real numbers becomes a handful of codes, one value at a time.

The reader holds three things: the two ends of a range and a value. Quantization then takes five decisions, and
each is one picture: widen the range until it holds zero, cut it into equal steps (the scale), find the code that
stands for zero (the zero point), round the value to a code, and keep that code among those that exist. Reading
the code back gives the value that remains, and the error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from labs.contract import Event, Float32, Interval, Label, LabError, Sentence, say
from labs.models.quantize import Column, Scheme, fit, restore, round_to_code, widen

NARROWEST = 0.01  # a range must be visible to be dragged


@dataclass(frozen=True)
class Params:
    low: Annotated[float, Interval(ge=-4, le=4), Label("Range from", group="Range")] = -1.0
    high: Annotated[float, Interval(ge=-4, le=4), Label("Range to", group="Range")] = 2.5
    value: Annotated[float, Interval(ge=-4, le=4), Label("Value", help="The number to be stored.")] = 1.3
    bits: Annotated[int, Interval(ge=2, le=8), Label("Bits", help="n bits have 2ⁿ codes.", main=True)] = 4
    scheme: Annotated[
        Literal["symmetric", "asymmetric"],
        Label("Scheme", help="Symmetric fixes the zero point at 0; asymmetric follows the range.", main=True),
    ] = "asymmetric"


@dataclass(frozen=True, kw_only=True)
class Step(Event):
    """One of the six steps. All numbers are in every step; ``stage`` says how far the story has come."""

    kind: Literal["step"] = "step"
    stage: Literal["range", "scale", "zero_point", "round", "clamp", "restore"]
    low: float
    """The range as the reader set it."""
    high: float
    grid_low: float
    """The range after widening: it holds zero, and a symmetric one reaches equally far to both sides."""
    grid_high: float
    scale: float
    """Width of one step."""
    zero_point: int
    """The code that stands for exactly 0.0."""
    code_low: int
    """The codes that exist."""
    code_high: int
    levels: Float32
    """[code_high - code_low + 1] every representable number, in the order of its code."""
    value: float
    scaled: float
    """value / scale + zero_point: the value in units of codes, before rounding."""
    rounded: int
    """``scaled`` rounded to a whole number, perhaps not a code that exists."""
    code: int
    """``rounded`` limited to code_low…code_high."""
    clipped: bool
    """True where the limit changed the code."""
    restored: float
    """scale * (code - zero_point)"""
    error: float
    """restored - value"""


def run(params: Params) -> Iterator[Step]:
    if params.high - params.low < NARROWEST:
        raise LabError("The range is empty: drag its right end to the right of its left end.")
    scheme: Scheme = params.scheme
    low, high = widen(as_block(params.low), as_block(params.high), scheme)
    grid = fit(low, high, params.bits, scheme)
    value = as_block(params.value)
    rounded = round_to_code(value, grid)
    code = np.clip(rounded, grid.code_low, grid.code_high)
    scale, zero_point = float(grid.scale[0, 0]), int(grid.zero_point[0, 0])
    restored = float(restore(code, grid)[0, 0]) + 0.0  # −0.0 + 0.0 is 0.0, and reads better
    step = Step(
        text=say(""),
        stage="range",
        low=params.low,
        high=params.high,
        grid_low=float(low[0, 0]),
        grid_high=float(high[0, 0]),
        scale=scale,
        zero_point=zero_point,
        code_low=grid.code_low,
        code_high=grid.code_high,
        levels=grid.levels().astype(np.float32),
        value=params.value,
        scaled=params.value / scale + zero_point,
        rounded=int(rounded[0, 0]),
        code=int(code[0, 0]),
        clipped=bool(code[0, 0] != rounded[0, 0]),
        restored=restored,
        error=restored - params.value,
    )
    yield replace(step, stage="range", text=tell_range(step, scheme))
    yield replace(step, stage="scale", text=tell_scale(step, params.bits))
    yield replace(step, stage="zero_point", text=tell_zero_point(step))
    yield replace(
        step,
        stage="round",
        text=tell_round(step),
    )
    yield replace(step, stage="clamp", text=tell_clamp(step))
    yield replace(step, stage="restore", text=tell_restore(step))


def as_block(number: float) -> Column:
    """The quantizer works on blocks of a tensor; here the tensor is one number."""
    return np.array([[number]], dtype=np.float64)


def tell_range(step: Step, scheme: Scheme) -> Sentence:
    given, used = (
        say("{:.4g} to {:.4g}", step.low, step.high),
        say("{:.4g} to {:.4g}", step.grid_low, step.grid_high),
    )
    if (step.low, step.high) == (step.grid_low, step.grid_high):
        return say("The range is {}, and zero lies in it.", given)
    if scheme == "symmetric":
        return say(
            "The range {} becomes {}: a symmetric grid reaches equally far on both sides of zero.", given, used
        )
    return say("The range {} becomes {}: it has to include zero, which must be stored exactly.", given, used)


def tell_scale(step: Step, bits: int) -> Sentence:
    codes = step.code_high - step.code_low + 1
    spare = "" if codes == 2**bits else say(" (one of the {} is left out, for symmetry)", 2**bits)
    return say(
        "{} bits give {} codes{}, so {} steps: scale = {:.4g} / {} = {:.4g}.",
        bits,
        codes,
        spare,
        codes - 1,
        step.grid_high - step.grid_low,
        codes - 1,
        step.scale,
    )


def tell_zero_point(step: Step) -> Sentence:
    if step.code_low == -step.code_high:
        return say("The zero point is 0: on a symmetric grid the code of 0.0 needs no arithmetic.")
    offset = abs(step.grid_low) / step.scale
    return say(
        "Zero lies {:.2f} steps above the lower end, {} when rounded: its code, the zero point, is {} + {} = {}.",
        offset,
        step.zero_point - step.code_low,
        step.code_low,
        step.zero_point - step.code_low,
        step.zero_point,
    )


def tell_round(step: Step) -> Sentence:
    sum_ = say("{:.4g} / {:.4g} {} = {:.2f}", step.value, step.scale, signed(step.zero_point), step.scaled)
    return say("{}, which rounds to {}.", sum_, step.rounded)


def tell_clamp(step: Step) -> Sentence:
    if step.clipped:
        side = "above the highest" if step.rounded > step.code_high else "below the lowest"
        return say("{} is {} code, so {} is stored: the value is clipped.", step.rounded, side, step.code)
    return say("{} lies between {} and {}: it is stored as it is.", step.rounded, step.code_low, step.code_high)


def tell_restore(step: Step) -> Sentence:
    why = (
        "more than half a step, because it was clipped"
        if abs(step.error) > step.scale / 2 * (1 + 1e-9)
        else say("within half a step, {:.4g}", step.scale / 2)
    )
    return say(
        "Read back, {:.4g} × ({} {}) = {:.4g}: the error is {:+.4g}, {}.",
        step.scale,
        step.code,
        signed(-step.zero_point),
        step.restored,
        step.error,
        why,
    )


def signed(number: int) -> Sentence:
    """A number to be added, as it is written: "+ 3", "- 4"."""
    return say("{} {}", "-" if number < 0 else "+", abs(number))
