"""What the tests of models share: the digit network of the lab, trained once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from native.learning.post_training_quantization import cnn
    from native.models.digits import Digits


@pytest.fixture(scope="session")
def trained() -> tuple[cnn.Weights, Digits]:
    from native.learning.post_training_quantization import BATCH, Params, cnn

    lab = Params()
    return cnn.trained(lab.seed, lab.epochs, lab.learning_rate, BATCH)
