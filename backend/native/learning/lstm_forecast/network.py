"""An LSTM that reads twelve months and forecasts the next, in PyTorch, trained a step at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn

from native.learning.lstm_forecast.forecasters import WINDOW, Floats, Fold, windows

Scaling = Literal["z-score", "min-max", "log, z-score"]


@dataclass(frozen=True)
class Scale:
    """What a network reads of a series: ``(transform(series) − middle) / width``, both from what it learns."""

    logarithm: bool
    middle: float
    width: float

    def to(self, series: Floats) -> Floats:
        result: Floats = ((np.log(series) if self.logarithm else series) - self.middle) / self.width
        return result

    def back(self, values: Floats) -> Floats:
        found = self.middle + self.width * values
        result: Floats = np.exp(found) if self.logarithm else found
        return result


def scale(learned: Floats, scaling: Scaling) -> Scale:
    if scaling == "min-max":
        return Scale(False, float(learned.min()), float(np.ptp(learned)))
    known = np.log(learned) if scaling == "log, z-score" else learned
    return Scale(scaling == "log, z-score", float(known.mean()), float(known.std()))


class Forecaster(nn.Module):
    """``[n, 12, 1]`` months to ``[n]``: the last hidden state, read by one linear layer."""

    def __init__(self, hidden: int, forget_bias: float) -> None:
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)
        bias: Tensor = self.lstm.get_parameter("bias_ih_l0")
        with torch.no_grad():  # besides what PyTorch draws, which is around 0
            bias[hidden : 2 * hidden] += forget_bias

    def forward(self, months: Tensor) -> Tensor:
        states, _ = self.lstm(months)
        found: Tensor = self.out(states[:, -1])
        return found[:, 0]


class Training:
    """One network, one seed, one fold: Adam over all windows of the months that are learned from."""

    def __init__(
        self, series: Floats, fold: Fold, scaling: Scaling, hidden: int, forget_bias: float, rate: float, seed: int
    ) -> None:
        self.scale = scale(series[: fold.end], scaling)
        scaled = self.scale.to(series)
        self.x, self.y = (single(part) for part in windows(scaled, range(WINDOW, fold.end)))
        self.asked = single(windows(scaled, fold.tested)[0])
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.network = Forecaster(hidden, forget_bias)
        self.adam = torch.optim.Adam(self.network.parameters(), lr=rate)

    def step(self) -> None:
        self.adam.zero_grad()
        loss = nn.functional.mse_loss(self.network(self.x[..., None]), self.y)
        loss.backward()  # type: ignore[no-untyped-call]
        self.adam.step()

    def forecasts(self) -> Floats:
        """Of the tested months, in the unit of the series."""
        return self._of(self.asked)

    def fitted(self) -> Floats:
        """Of the months that it learns from."""
        return self._of(self.x)

    def _of(self, months: Tensor) -> Floats:
        with torch.no_grad():
            return self.scale.back(self.network(months[..., None]).double().numpy())


def single(values: Floats) -> Tensor:
    return torch.from_numpy(values.astype(np.float32))
