"""Vanishing gradients: what is left of a gradient after it flows back through time, in a plain cell and in an LSTM.

Both cells read the same inputs. Then a loss reads the last state along a random direction, so that its gradient
there is exactly 1 long, and that gradient walks back, a step at a time. In the plain cell it follows the hidden
state, and each step multiplies it by a matrix. In the LSTM it follows the cell state, and each step multiplies it
by the forget gate, besides what goes by way of the gates. What is left says how much of an early input the training
can hear.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from labs.contract import Event, Float32, Interval, Label, Sentence, Uint8, say
from labs.models.recurrent import Floats, Step, Weights, lstm, lstm_back, plain, plain_back, sigmoid

INPUTS = 3


@dataclass(frozen=True)
class Params:
    forget_bias: Annotated[
        float,
        Interval(ge=-3, le=6),
        Label("Forget bias", help="At 0 the forget gates are half open, at 3 they are 95 % open.", main=True),
    ] = 0.0
    radius: Annotated[
        float,
        Interval(ge=0, le=3),
        Label(
            "Spectral radius",
            help="Of the recurrent weights: how much their strongest direction grows each step.",
            main=True,
        ),
    ] = 0.9
    steps: Annotated[int, Interval(ge=2, le=48), Label("Steps", main=True)] = 12
    inputs: Annotated[float, Interval(ge=0, le=3), Label("Strength of the inputs")] = 0.5
    clip: Annotated[
        float,
        Interval(ge=0, le=10),
        Label("Clip at", help="Largest norm allowed for the gradient of the recurrent weights; 0 does not clip."),
    ] = 0.0
    hidden: Annotated[int, Interval(ge=1, le=16), Label("Units")] = 8
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """All numbers are in every picture; ``stage`` and ``at`` say how far the story has come. Step 0 is before the
    first input, the last one is where the loss reads."""

    kind: Literal["picture"] = "picture"
    stage: Literal["forward", "backward", "clip"]
    at: int
    """The step whose state was computed last, or whose gradient has arrived last."""
    steps: int
    plain_states: Uint8
    """[steps + 1, units] hidden states of −1 to 1 as 127 ± 127"""
    lstm_states: Uint8
    """[steps + 1, units] cell states, squashed by tanh, likewise"""
    plain_messages: Uint8
    """[steps + 1, units] the gradient along each unit, its fourth root as 0 to 254; 254 is 1 or more"""
    lstm_messages: Uint8
    """[steps + 1, units] likewise, along the cell state"""
    plain_left: Float32
    """[steps + 1] length of the gradient along the hidden state; 1 at the end"""
    lstm_left: Float32
    """[steps + 1] length of the gradient along the cell state; 1 at the end"""
    lstm_direct: Float32
    """[steps + 1] the part of it that the forget gates alone hand on"""
    expected: Float32
    """[steps + 1] what forget gates at their bias would hand on: its sigmoid to the power of the steps"""
    gate: float
    """The sigmoid of the forget bias"""
    plain_shares: Float32
    """[steps] length of what each step from 1 on adds to the gradient of the plain cell's recurrent weights"""
    lstm_shares: Float32
    """[steps] likewise of the LSTM's"""
    plain_total: float
    """Length of the whole gradient of the recurrent weights"""
    lstm_total: float
    plain_clip: float
    """What it is multiplied by to be no longer than allowed; 1 leaves it as it is"""
    lstm_clip: float


def run(params: Params) -> Iterator[Picture]:
    rng = np.random.default_rng(params.seed)
    xs = rng.normal(size=(params.steps, INPUTS))
    direction = rng.normal(size=params.hidden)
    direction /= np.linalg.norm(direction)
    simple, gated = draw(rng, params, 1), draw(rng, params, 4)
    gated.bias[params.hidden : 2 * params.hidden] = params.forget_bias

    hs, plain_sent, plain_added = through_plain(simple, xs, direction)
    walk, lstm_sent, lstm_added = through_lstm(gated, xs, direction)
    direct = np.cumprod([direction, *(step.forget for step in reversed(walk))], axis=0)[::-1]
    gate = float(sigmoid(np.array(params.forget_bias)))
    totals = [float(np.linalg.norm(added.sum(axis=0))) for added in (plain_added, lstm_added)]
    whole = Picture(
        text=say(""),
        stage="forward",
        at=0,
        steps=params.steps,
        plain_states=signed(hs),
        lstm_states=signed(np.tanh([np.zeros(params.hidden), *(step.cell for step in walk)])),
        plain_messages=faint(plain_sent),
        lstm_messages=faint(lstm_sent),
        plain_left=lengths(plain_sent),
        lstm_left=lengths(lstm_sent),
        lstm_direct=lengths(direct),
        expected=(gate ** np.arange(params.steps, -1, -1)).astype(np.float32),
        gate=gate,
        plain_shares=lengths(plain_added.reshape(params.steps, -1)),
        lstm_shares=lengths(lstm_added.reshape(params.steps, -1)),
        plain_total=totals[0],
        lstm_total=totals[1],
        plain_clip=shortened(totals[0], params.clip),
        lstm_clip=shortened(totals[1], params.clip),
    )
    for at in range(1, params.steps + 1):
        told = say("Step {} of {}: both cells read their input and change their state.", at, params.steps)
        yield replace(whole, at=at, text=told)
    for at in range(params.steps, -1, -1):
        yield replace(whole, stage="backward", at=at, text=tell_left(whole, at))
    if params.clip:
        yield replace(whole, stage="clip", text=tell_clip(whole, params.clip))


def draw(rng: np.random.Generator, params: Params, blocks: int) -> Weights:
    """Normally distributed weights; every square block of the recurrent ones gets the spectral radius asked for."""
    hidden = params.hidden
    recurrent = rng.normal(size=(blocks, hidden, hidden))
    radii = np.abs(np.linalg.eigvals(recurrent)).max(axis=1)
    recurrent *= params.radius / radii[:, None, None]
    x = params.inputs * rng.normal(size=(blocks * hidden, INPUTS))
    return Weights(x, recurrent.reshape(-1, hidden), np.zeros(blocks * hidden))


def through_plain(weights: Weights, xs: Floats, direction: Floats) -> tuple[Floats, Floats, Floats]:
    """Hidden states and the gradients along them, ``[steps + 1, hidden]``, and what each step adds to the gradient
    of the recurrent weights, ``[steps, hidden, hidden]``."""
    hs = [np.zeros(weights.hidden)]
    for x in xs:
        hs.append(plain(weights, x, hs[-1]))
    messages, added = [direction], []
    for before, h in zip(hs[-2::-1], hs[:0:-1], strict=True):
        added.append(np.outer(messages[-1] * (1 - h**2), before))
        messages.append(plain_back(weights, h, messages[-1]))
    return np.array(hs), np.array(messages[::-1]), np.array(added[::-1])


def through_lstm(weights: Weights, xs: Floats, direction: Floats) -> tuple[list[Step], Floats, Floats]:
    """The steps, the gradients along the cell states, and what each step adds to the gradient of the recurrent
    weights, ``[steps, 4 hidden, hidden]``."""
    walk: list[Step] = []
    hs, c = [np.zeros(weights.hidden)], np.zeros(weights.hidden)
    for x in xs:
        walk.append(lstm(weights, x, hs[-1], c))
        hs.append(walk[-1].hidden)
        c = walk[-1].cell
    to_h, to_c = np.zeros(weights.hidden), direction
    messages, added = [], []
    for step, before in zip(walk[::-1], hs[-2::-1], strict=True):
        back = lstm_back(weights, step, to_h, to_c)
        messages.append(back.along_cell)
        added.append(np.outer(back.rows, before))
        to_h, to_c = back.to_h, back.to_c
    return walk, np.array([*messages, to_c][::-1]), np.array(added[::-1])


def shortened(length: float, most: float) -> float:
    return most / length if most and length > most else 1.0


def lengths(rows: Floats) -> Float32:
    result: Float32 = np.linalg.norm(rows, axis=1).astype(np.float32)
    return result


def signed(values: Floats) -> Uint8:
    return np.round(127 + 127 * values).astype(np.uint8)


def faint(messages: Floats) -> Uint8:
    """A fourth root keeps what is a ten-thousandth visible."""
    return np.round(254 * np.minimum(1, np.abs(messages) ** 0.25)).astype(np.uint8)


def tell_left(whole: Picture, at: int) -> Sentence:
    back = whole.steps - at
    if back == 0:
        return say("At the last step the loss reads the state, and its gradient has norm 1 in both cells.")
    return say(
        "{} back, {:.2g} of the gradient is left in the plain cell and {:.2g} in "
        "the LSTM; forget gates fixed at {:.3g} would leave {:.2g}.",
        "1 step" if back == 1 else say("{} steps", back),
        whole.plain_left[at],
        whole.lstm_left[at],
        whole.gate,
        whole.expected[at],
    )


def tell_clip(whole: Picture, most: float) -> Sentence:
    def told(total: float, factor: float) -> Sentence:
        if factor == 1:
            return say("stays at {:.2g}", total)
        return say("shrinks from {:.2g} to {:.2g}", total, most)

    return say(
        "Clipped at {:.3g}, the gradient of the recurrent weights {} in the plain "
        "cell and {} in the LSTM; each step's contribution keeps its share.",
        most,
        told(whole.plain_total, whole.plain_clip),
        told(whole.lstm_total, whole.lstm_clip),
    )
