"""What the pictures of a run show: how many digits all networks read wrong, and one neuron of one of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from labs.contract import Float32, Sentence, say
from torch import Tensor

from native.learning.quantization_aware_training import neuron
from native.learning.quantization_aware_training.networks import Data, Grids, Training, scores, wrong
from native.learning.quantization_aware_training.sweep import BITS, SEEDS, SPREAD

NEURON = 0


class Board:
    def __init__(self, bits: int, data: Data) -> None:
        self.bits, self.row, self.data = bits, BITS.index(bits), data
        self.post = self.trained = np.full((len(BITS), SEEDS), np.nan)
        self.begun: Tensor | None = None
        """The codes of the layer when training with rounding began."""

    def unrounded(self, network: list[Tensor], gradients: list[Tensor], step: int, training: Training) -> Any:
        told = say(
            "Epoch {} of {}, without rounding: {:.1%} of the held-out digits are read wrong.",
            step // training.per_epoch,
            training.epochs,
            self._share(network).mean(),
        )
        weights, gradient = (neuron.matrix(each)[0, NEURON] for each in (network, gradients))
        return self._picture(told, network, step, training.steps) | neuron.free(weights, gradient)

    def rounded(self, network: list[Tensor], copies: list[Tensor], grids: Grids) -> Any:
        self.post = self._share(network, grids)
        told = say(
            "Rounded to {} bits, the same networks read {:.1%} wrong, instead of {:.1%}.",
            self.bits,
            self.post[self.row].mean(),
            self._share(network).mean(),
        )
        still = [torch.zeros_like(each) for each in copies]
        return self._picture(told, network, 0, 0) | self._on_grid(copies, still, grids)

    def begin(self, copies: list[Tensor], grids: Grids) -> None:
        self.begun = neuron.codes(neuron.matrix(copies), grids)

    def aware(
        self,
        network: list[Tensor],
        after: Grids,
        copies: list[Tensor],
        grids: Grids,
        gradients: list[Tensor],
        step: int,
        training: Training,
    ) -> Any:
        self.post, self.trained = self._share(network, after), self._share(copies, grids)
        told = say(
            "Step {} of {}, at {} bits: networks trained with rounding "
            "read {:.1%} wrong, those rounded afterwards {:.1%}.",
            step,
            training.steps,
            self.bits,
            self.trained[self.row].mean(),
            self.post[self.row].mean(),
        )
        return self._picture(told, network, step, training.steps) | self._on_grid(copies, gradients, grids)

    def result(self, last: dict[str, Any]) -> Any:
        """The picture after the last step, with the count of seeds that it wins."""
        better = (self.trained < self.post).sum(axis=1).astype(np.int32)
        told = say(
            "At {} bits, {:.1%} are read wrong after training with rounding, {:.1%} after rounding at "
            "the end, {:.1%} unrounded; training with rounding is better for {} of {} seeds.",
            self.bits,
            self.trained[self.row].mean(),
            self.post[self.row].mean(),
            last["unrounded"][SPREAD.index("mean")],
            better[self.row],
            SEEDS,
        )
        return last | {"text": told, "won": better, "seeds": SEEDS, "held_out": self.data.test_labels.shape[1]}

    def _share(self, network: list[Tensor], grids: Grids | None = None) -> Any:
        """Of held-out digits read wrong, ``[seeds]``, or ``[bits, seeds]`` with grids."""
        with torch.no_grad():
            found = scores(network, self.data.test_images, grids.round if grids else None)
        return wrong(found, self.data.test_labels).numpy() / self.data.test_labels.shape[1]

    def _picture(self, told: Sentence, network: list[Tensor], step: int, steps: int) -> dict[str, Any]:
        return {
            "text": told,
            "step": step,
            "steps": steps,
            "bits": self.bits,
            "widths": BITS,
            "unrounded": spread(self._share(network)),
            "wrong": np.stack([spread(self.post), spread(self.trained)]),
            "moved": None,
        }

    def _on_grid(self, copies: list[Tensor], gradients: list[Tensor], grids: Grids) -> dict[str, Any]:
        weights = neuron.matrix(copies)
        step = grids.weight_step(neuron.LAYER, weights).expand(*weights.shape[:-1], 1)[self.row, 0, NEURON, 0]
        high = grids.high[self.row, 0, 0, 0]
        at = self.row, 0, NEURON
        shown = neuron.on_grid(weights[at], neuron.matrix(gradients)[at], step, high, grids.straight)
        if self.begun is None:
            return shown
        moved = neuron.codes(weights, grids)[self.row] != self.begun[self.row]
        return shown | {"moved": float(moved.double().mean())}


def spread(shares: Any) -> Float32:
    """Of the seeds, which lie along the last axis: their ``SPREAD``, ``[..., 3]``."""
    return np.stack([shares.min(-1), shares.mean(-1), shares.max(-1)], axis=-1).astype(np.float32)
