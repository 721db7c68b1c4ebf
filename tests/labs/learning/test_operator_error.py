"""The table of trained networks: one of them is trained again, the numbers learned are counted by PyTorch."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from labs.learning.operator_error import Params, run
from labs.learning.operator_error.grid import kept
from native.learning.fourier_operator.network import Operator
from native.learning.fourier_operator.race import Field
from native.learning.fourier_operator.training import pairs
from native.models.torch_threads import one_thread

sys.path.append(str(Path(__file__).parents[3] / "scripts"))


def test_one_of_them_trained_again_is_as_wrong() -> None:
    """The first length of training and the narrowest network, which take a second."""
    import train_operator_grid as grid

    assert [kept()[name] for name in ("modes", "widths", "steps", "seeds")] == [
        [*each] for each in (grid.MODES, grid.WIDTHS, grid.STEPS, grid.SEEDS)
    ]
    of = grid.course(grid.MODES[1], grid.WIDTHS[0], grid.STEPS[0], grid.SEEDS[0])
    with one_thread():
        known = pairs(of, np.random.default_rng(of.seed))
        error, learned, _ = grid.error(of, known, Field("burgers", grid.VISCOSITY, 32))
    assert error == pytest.approx(kept()["errors"][0][0][0][1], rel=0.05)  # another processor rounds otherwise
    assert learned == kept()["learned"][0][1]


def test_the_numbers_learned_are_those_of_pytorch() -> None:
    last = list(run(Params()))[-1]
    for row, width in enumerate(last.widths):
        for column, modes in enumerate(last.modes):
            assert last.learned[row, column] == sum(part.numel() for part in Operator(width, modes).parameters())


def test_medians_lie_between_the_seeds() -> None:
    for event, steps in zip(run(Params()), kept()["steps"], strict=True):
        assert event.steps == steps and event.error.shape == (4, 4)
        assert (event.least <= event.error).all() and (event.error <= event.most).all()
    assert event.text.startswith("After 450 steps the network of 8 waves and width 16 is off by ")
