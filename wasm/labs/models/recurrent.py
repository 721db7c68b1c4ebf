"""Two recurrent cells: a plain one, and an LSTM. One step forward, one step back, each in a few lines.

Weights lie as ``torch.nn.LSTM`` has them: a row for each unit, the four gates of an LSTM below each other in the
order input, forget, candidate, output. Everything is float64; ``hidden`` is the number of units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """``[rows, inputs]``, ``[rows, hidden]`` and ``[rows]``; ``rows`` is hidden, and four times that in an LSTM."""

    x: Floats
    h: Floats
    bias: Floats

    @property
    def hidden(self) -> int:
        return int(self.h.shape[1])


@dataclass(frozen=True)
class Step:
    """What one step of an LSTM computed, each ``[hidden]``."""

    input: Floats
    forget: Floats
    candidate: Floats
    output: Floats
    before: Floats
    """The cell state that it found."""
    cell: Floats
    hidden: Floats


def sigmoid(z: Floats) -> Floats:
    """1 / (1 + e⁻ᶻ), without overflow: the logistic function is a stretched tanh."""
    result: Floats = 0.5 + 0.5 * np.tanh(0.5 * z)
    return result


def plain(weights: Weights, x: Floats, h: Floats) -> Floats:
    """h′ = tanh(Wₓ x + Wₕ h + b)"""
    result: Floats = np.tanh(weights.x @ x + weights.h @ h + weights.bias)
    return result


def plain_back(weights: Weights, hidden: Floats, message: Floats) -> Floats:
    """The gradient along the state before, of the one along ``hidden``, which a step of ``plain`` gave."""
    result: Floats = weights.h.T @ (message * (1 - hidden**2))
    return result


def gates(weights: Weights, x: Floats, h: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Input gate, forget gate, candidate and output gate, each ``[hidden]``."""
    i, f, g, o = np.split(weights.x @ x + weights.h @ h + weights.bias, 4)
    return sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)


def lstm(weights: Weights, x: Floats, h: Floats, c: Floats, held: Mapping[str, float] | None = None) -> Step:
    """c′ = f ⊙ c + i ⊙ g, and h′ = o ⊙ tanh(c′); a gate that is ``held`` stands at that value in every unit."""
    i, f, g, o = gates(weights, x, h)
    held = held or {}
    i, f, o = (
        np.full_like(gate, held.get(name, gate)) for name, gate in (("input", i), ("forget", f), ("output", o))
    )
    cell = f * c + i * g
    return Step(i, f, g, o, c, cell, o * np.tanh(cell))


@dataclass(frozen=True)
class Back:
    """Gradients that one step back gave: along the states that it gave and found, and along its rows before the
    sigmoids and the tanh."""

    along_cell: Floats
    """``[hidden]`` along the cell state that the step gave, by way of its hidden state, too"""
    rows: Floats
    """``[4 hidden]``"""
    to_h: Floats
    to_c: Floats


def lstm_back(weights: Weights, step: Step, to_h: Floats, to_c: Floats) -> Back:
    """One step back, with the gradients that come to h and c from whatever read them later."""
    squashed = np.tanh(step.cell)
    along = to_c + to_h * step.output * (1 - squashed**2)
    rows = np.concatenate(
        [
            along * step.candidate * step.input * (1 - step.input),
            along * step.before * step.forget * (1 - step.forget),
            along * step.input * (1 - step.candidate**2),
            to_h * squashed * step.output * (1 - step.output),
        ]
    )
    return Back(along, rows, weights.h.T @ rows, along * step.forget)
