"""The table of trained networks: one of them is trained again, the numbers learned are counted by PyTorch."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from labs.learning.operator_error import Params, run
from labs.learning.operator_error.grid import answers, kept
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
        network, _ = grid.trained(of, known)
        field = Field("burgers", grid.VISCOSITY, 32)
        found = grid.answers(network, field)
    learned = sum(part.numel() for part in network.parameters())
    error = field.error(found)
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
    assert event.text.startswith("After 450 steps, the network with 8 waves and width 16 is off by ")


def test_the_field_that_is_drawn_is_one_of_those_scored() -> None:
    import train_operator_grid as grid

    field = Field("burgers", grid.VISCOSITY, 32)
    drawn, last = answers(), list(run(Params()))[-1]
    np.testing.assert_allclose(last.exact, field.right[grid.DRAWN, ::4], atol=1e-3)  # kept in 16 bits
    size = np.sqrt(np.mean(last.exact**2))
    own = np.sqrt(((drawn["network"] - last.exact) ** 2).mean(axis=-1)) / size  # [steps, widths, modes]
    assert np.median(own / np.median(kept()["errors"], axis=1)) == pytest.approx(1, abs=0.5)


def test_more_of_the_lowest_waves_come_closer_to_the_field() -> None:
    last = list(run(Params()))[-1]
    missed = np.abs(last.lowest - last.exact).max(axis=1)
    assert (np.diff(missed) < 0).all() and last.lowest[0] == pytest.approx(
        last.exact.mean() + 2 / 64 * np.real(np.fft.fft(last.exact)[1] * np.exp(2j * np.pi * np.arange(64) / 64)),
        abs=1e-5,
    )
