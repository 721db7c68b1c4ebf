"""A network that trains under autocast, its twin in float32, and the gradients of float64 for the same weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from labs.contract import Sentence, say
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.optim import Adam

from native.pytorch.mixed_precision.network import RATE, Batches, Network, flat, same_in_float64
from native.pytorch.mixed_precision.pictures import FORMATS
from native.pytorch.mixed_precision.tally import binades, tally

if TYPE_CHECKING:
    from native.pytorch.mixed_precision import Params


class Training:
    def __init__(self, params: Params) -> None:
        self.params = params
        self.of = FORMATS[params.precision]
        self.dtype: torch.dtype = getattr(torch, params.precision)
        self.lowers = params.precision != "float32"
        self.divisor = 2.0**params.share
        self.net, self.twin = Network(params.seed), Network(params.seed)
        self.weights = list(self.net.parameters())
        self.batches = Batches(params.seed)
        self.optimizer = Adam(self.weights, lr=RATE)
        self.twins = Adam(self.twin.parameters(), lr=RATE)
        self.scaler = torch.amp.GradScaler(
            "cpu",
            init_scale=2.0**params.exponent,
            growth_interval=params.growth,
            enabled=params.scaling == "dynamic",
        )
        self.loss: list[float] = []
        self.reference: list[float] = []
        self.scale: list[float] = []
        self.skipped = 0
        self.count = sum(each.numel() for each in self.weights)
        if not params.master:
            self._store()

    def first(self) -> tuple[Tensor, Tensor]:
        """Images like those of the first step, without drawing them."""
        return self.batches.images[:8].float(), self.batches.labels[:8]

    def forward(self, images: Tensor, labels: Tensor) -> tuple[list[Tensor], Tensor]:
        with torch.autocast("cpu", self.dtype, enabled=self.lowers):
            outputs = self.net(images)
            return outputs, cross_entropy(outputs[-1], labels)

    def factor(self) -> float:
        if self.params.scaling == "dynamic":
            return float(self.scaler.get_scale())
        return 2.0**self.params.exponent if self.params.scaling == "static" else 1.0

    def _scaled(self, loss: Tensor) -> Tensor:
        if self.params.scaling == "dynamic":
            scaled: Tensor = self.scaler.scale(loss)
            return scaled
        return loss * self.factor()

    def step(self) -> dict[str, Any]:
        images, labels = self.batches.next()
        factor = self.factor()
        master = flat(self.weights).clone()
        right, wide = self._float64(images, labels)
        self.optimizer.zero_grad()
        outputs, loss = self.forward(images.float(), labels)
        self._scaled(loss / self.divisor).backward()  # type: ignore[no-untyped-call]
        gradients = flat([each.grad for each in self.weights if each.grad is not None]).clone()
        counted = tally(gradients, right, self.of)
        weights = tally(master.to(self.dtype), master.double(), self.of)
        bad = counted.infinite + counted.nan
        self._update(factor, bad > 0)
        exact = flat(self.weights).clone()
        if not self.params.master:
            self._store()
        kept = flat(self.weights)
        self.loss.append(loss.item())
        self.reference.append(self._twin(images, labels))
        self.scale.append(np.log2(factor))
        broken = int(kept.isnan().sum())
        skipped = self.params.scaling == "dynamic" and bad > 0
        return {
            "weights": weights,
            "activations": tally(flat(outputs), flat(wide), self.of),
            "gradients": counted,
            "expected": binades(right * factor),
            "stage": "broken" if broken else "skipped" if skipped else "updated",
            "step": len(self.loss),
            "format": self.of,
            "loss": np.array(self.loss, np.float32),
            "reference": np.array(self.reference, np.float32),
            "scale": np.array(self.scale, np.float32),
            "now": round(np.log2(self.factor())),
            "tracker": self.scaler.state_dict().get("_growth_tracker", 0),
            "skipped": self.skipped,
            "swallowed": int(((kept == master) & (exact != master)).sum()),
            "broken": broken,
            "parameters": self.count,
            "steps": self.params.steps,
            "text": self._said(counted.lost, bad, broken, skipped),
        }

    def _update(self, factor: float, bad: bool) -> None:
        if self.params.scaling == "dynamic":
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.skipped += bad
            return
        for each in self.weights:
            if each.grad is not None:
                each.grad /= factor
        self.optimizer.step()

    def _store(self) -> None:
        """The format keeps the weights from now on."""
        with torch.no_grad():
            for each in self.weights:
                each.copy_(each.to(self.dtype))

    def _float64(self, images: Tensor, labels: Tensor) -> tuple[Tensor, list[Tensor]]:
        """All gradients, without a scale, and the outputs of the layers."""
        weights = [each.detach().double().requires_grad_() for each in self.weights]
        outputs = same_in_float64(weights, images)
        loss = cross_entropy(outputs[-1], labels) / self.divisor
        return flat(torch.autograd.grad(loss, weights)), outputs

    def _twin(self, images: Tensor, labels: Tensor) -> float:
        self.twins.zero_grad()
        loss = cross_entropy(self.twin(images.float())[-1], labels)
        (loss / self.divisor).backward()  # type: ignore[no-untyped-call]
        self.twins.step()
        return loss.item()

    def _said(self, lost: int, bad: int, broken: int, skipped: bool) -> Sentence:
        step = len(self.loss)
        if skipped:
            return say(
                "Step {}: {:,} of {:,} gradients are infinite or NaN; the scaler skips the step and lowers "
                "the scale to {:,}.",
                step,
                bad,
                self.count,
                round(self.factor()),
            )
        if broken:
            return say(
                "Step {}: {:,} of {:,} gradients are infinite or NaN, and nothing checks; {:,} weights are NaN.",
                step,
                bad,
                self.count,
                broken,
            )
        return say(
            "Step {}: {:,} of {:,} gradients are 0 where float64’s are not; the loss is {:.3f}, in float32 {:.3f}.",
            step,
            lost,
            self.count,
            self.loss[-1],
            self.reference[-1],
        )
