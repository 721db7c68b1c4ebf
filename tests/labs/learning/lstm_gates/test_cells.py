"""The weights that ship with the lab, and the script that made them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labs.learning.lstm_gates import cells


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[4] / "scripts"))
    sys.modules.pop("train_gate_cells", None)
    import train_gate_cells

    return train_gate_cells


def test_a_damaged_file_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "SHA256", "0" * 64)
    cells.shipped.cache_clear()
    with pytest.raises(ValueError, match=r"scripts/train_gate_cells\.py"):
        cells.shipped()
    cells.shipped.cache_clear()


def test_no_run_can_write_into_the_weights() -> None:
    with pytest.raises(ValueError, match="read-only"):
        cells.shipped()["copy"].out[0, 0] = 1


def test_the_script_trains_cells_of_the_shapes_that_are_shipped(script: Any) -> None:
    """A few steps of each training: the loss falls, and what comes out is what the lab reads."""
    script.POOL = script.BATCH = 16
    for name, plan in script.PLANS.items():
        (_, first), (reader, later) = script.train(plan, 1), script.train(plan, 8)
        assert later < first, name
        shipped = cells.shipped()[name]
        found = script.arrays(name, reader)
        for key, value in (("x", shipped.weights.x), ("h", shipped.weights.h), ("out", shipped.out)):
            assert found[f"{name}.{key}"].shape == value.shape


def test_the_bias_of_the_lab_is_the_sum_of_torchs_two(script: Any) -> None:
    reader = script.Reader(2, 3, 1)
    both = (reader.lstm.bias_ih_l0 + reader.lstm.bias_hh_l0).detach().numpy()
    np.testing.assert_array_equal(script.arrays("any", reader)["any.bias"], both.astype(np.float32))
