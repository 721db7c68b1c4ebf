"""By how much the true digit wins: what rounding has to overcome before an answer changes."""

from __future__ import annotations

from typing import Any

import numpy as np
from labs.contract import Uint8
from numpy.typing import NDArray
from torch import Tensor

from native.learning.post_training_quantization import cnn
from native.learning.post_training_quantization.integer_network import IntegerLayer
from native.models.digits import Digits

SCALE, ZERO = 0.2, 64  # of the codes that the pictures get: a byte for each image
Floats = NDArray[np.float64]


class Leads:
    """Of the held-out images, one row of the picture for each digit."""

    def __init__(self, digits: Digits) -> None:
        self.digits = digits
        labels = digits.test_labels.numpy()
        self.order = np.argsort(labels, kind="stable")
        self.shown: dict[str, Any] = {
            "of_digit": np.bincount(labels, minlength=10).astype(np.int32),
            "lead_scale": SCALE,
            "lead_zero": ZERO,
        }

    def of(self, scores: Tensor) -> Floats:
        return cnn.leads(scores, self.digits.test_labels)

    def partly(self, weights: cnn.Weights, layers: list[IntegerLayer]) -> Floats:
        """With the weights of these layers rounded and all else in float32."""
        rounded = {
            name: (layer.restored, weights[name][1]) for name, layer in zip(cnn.LAYERS, layers, strict=False)
        }
        return self.of(cnn.outputs(weights | rounded, self.digits.test_images)["fc2"])

    def codes(self, leads: Floats) -> Uint8:
        """In the order of the pictures. A code of ZERO or less means that the image is misread."""
        codes = np.clip(np.ceil(leads / SCALE) + ZERO, 0, 255)
        return np.asarray(codes[self.order], np.uint8)

    def places(self, rows: NDArray[np.intp]) -> NDArray[np.int32]:
        """Where these images, counted as in the data, are in the order of the pictures."""
        return np.argsort(self.order)[rows].astype(np.int32)
