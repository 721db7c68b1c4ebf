"""The weights that ship with the labs are the ones that training gives."""

from __future__ import annotations

import numpy as np
import pytest
from labs.learning.uniform_quantization import matrices as w


@pytest.mark.parametrize("source", ["normal", "outlier", "negative"])
def test_synthetic_weights_follow_from_their_seed(source: w.Source) -> None:
    matrix = w.synthetic(source, 7)
    assert matrix.shape == w.SHAPE and matrix.dtype == np.float32
    np.testing.assert_array_equal(matrix, w.weights(source, 7))
    assert not np.array_equal(matrix, w.weights(source, 8))
    assert (matrix.max() <= 0) == (source == "negative")
    assert (matrix.min() == np.float32(w.OUTLIER)) == (source == "outlier")


def test_no_lab_can_write_into_the_weights_of_another_run() -> None:
    with pytest.raises(ValueError, match="read-only"):
        w.weights("normal", 0)[0, 0] = 1


def test_a_damaged_file_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(w, "NETWORK_SHA256", "0" * 64)
    with pytest.raises(ValueError, match=r"scripts/export_digits_weights\.py"):
        w.network()


def test_training_again_gives_the_shipped_weights() -> None:
    """In float32's last bit, for float64 training leaves no room for another processor's order of sums."""
    from native.learning.post_training_quantization import BATCH, Params, cnn

    params = Params()
    network, _ = cnn.trained(params.seed, params.epochs, params.learning_rate, BATCH)
    shipped = w.weights("network", 0)
    assert shipped.shape == (64, 512) and shipped.dtype == np.float32
    np.testing.assert_allclose(shipped, network["fc1"][0].float().numpy(), rtol=0, atol=1e-6)
