"""Training with rounding beats rounding at the end where bits are few, and the pictures say so."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from labs.contract import LabError
from native.learning.quantization_aware_training import Params, finished, run
from native.learning.quantization_aware_training.sweep import BITS, SEEDS

QUICK = {"float_epochs": 1, "epochs": 1}


@pytest.fixture(scope="module")
def events() -> list[Any]:
    return list(run(Params()))


def test_three_bits_gain_five_points_and_more(events: list[Any]) -> None:
    result = events[-1]
    post, aware = result.wrong[:, BITS.index(3)]
    assert post[1] - aware[1] >= 0.05
    assert result.won[BITS.index(3)] == SEEDS
    assert aware[2] < post[1]  # the worst seed beats the mean
    assert result.unrounded[1] < 0.05
    for way in (0, 1):  # eight bits cost nothing either way
        assert abs(result.wrong[way, 0, 1] - result.unrounded[1]) < 0.01


def test_pictures_come_in_order_and_agree(events: list[Any]) -> None:
    kinds = [event.kind for event in events]
    assert kinds == sorted(kinds, key=["unrounded", "rounded", "aware", "result"].index)
    for event in events:
        least, mean, most = event.wrong[..., 0], event.wrong[..., 1], event.wrong[..., 2]
        known = ~np.isnan(mean)
        assert (least[known] <= mean[known]).all() and (mean[known] <= most[known]).all()
        assert known.all(axis=1).tolist() == [event.kind != "unrounded", event.kind in ("aware", "result")]
        assert np.abs(event.latent).max() <= event.reach and np.abs(event.pull).max() <= 1
        if len(event.levels):
            assert np.isin(event.restored, event.levels).all() or np.allclose(
                np.abs(event.restored[:, None] - event.levels).min(1), 0, atol=1e-6
            )
            assert not event.slope[0].any() and set(event.slope[1]) == {0.0, 1.0}
        else:
            np.testing.assert_array_equal(event.latent, event.restored)


def test_rounding_at_the_end_does_not_depend_on_how_the_others_train() -> None:
    ends = [[*run(Params(**QUICK, grid=grid))][-1] for grid in ("largest", "learned")]
    np.testing.assert_array_equal(ends[0].wrong[0], ends[1].wrong[0])
    assert (ends[0].wrong[1] != ends[1].wrong[1]).any()


def test_with_the_true_gradient_no_weight_moves() -> None:
    shown = [event for event in run(Params(**QUICK, true_gradient=True)) if event.kind in ("aware", "result")]
    for event in shown:
        assert event.moved == 0 and not event.pull.any() and not event.slope.any()
        np.testing.assert_array_equal(event.latent, shown[0].latent)


@pytest.mark.parametrize(
    "change",
    [
        {"bits": 8, "seed": 2**31 - 1, "granularity": "channel"},
        {"bits": 2, "learning_rate": 0.1, "grid": "learned", "activations": False},
    ],
    ids=str,
)
def test_every_edge_runs(change: dict[str, Any]) -> None:
    try:
        *_, result = run(Params(**QUICK | change))
    except LabError as problem:
        assert "Lower the learning rate" in str(problem)
        return
    assert len(result.levels) == 2 ** Params(**change).bits - 1
    assert ((result.wrong >= 0) & (result.wrong <= 1)).all()


def test_what_cannot_go_on_is_told_with_advice() -> None:
    with pytest.raises(LabError, match=r"diverged.*Lower the learning rate"):
        finished(False, True)
    with pytest.raises(LabError, match=r"below zero.*Lower the learning rate"):
        finished(True, False)


def test_importing_the_lab_does_not_import_torch() -> None:
    code = "import sys, native.learning.quantization_aware_training; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
