"""What a reader draws is read, and what cannot be read is explained."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labs.contract import LabError
from labs.learning.operator_rollout.start import EXAMPLES, SAMPLES, read


@given(st.lists(st.integers(-100, 100), min_size=4, max_size=64))
def test_a_start_stays_between_its_values_and_keeps_their_mean(values: list[int]) -> None:
    field = read(" ".join(map(str, values)))
    assert field.shape == (SAMPLES,)
    assert min(values) / 100 - 1e-9 <= field.min() and field.max() <= max(values) / 100 + 1e-9
    line = np.interp(np.arange(SAMPLES) / SAMPLES * len(values), range(len(values) + 1), [*values, values[0]])
    assert field.mean() == pytest.approx(line.mean() / 100, abs=1e-12)


def test_rounding_leaves_a_slow_wave_nearly_as_it_was() -> None:
    wave = 0.9 * np.sin(2 * np.pi * np.arange(SAMPLES) / SAMPLES)
    assert np.abs(read(EXAMPLES["one_wave"]) - wave).max() < 0.02


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "4 to 64 numbers .* this one has 0"),
        ("1 2 3", "this one has 3"),
        ("0 " * 65, "this one has 65"),
        ("1 2 x 4", "'x' in the start is no whole number"),
        ("1 2 0.5 4", "'0.5' in the start is no whole number"),
        ("1 2 -101 4", "-101 in the start is out of reach"),
    ],
)
def test_what_is_no_start_is_explained(text: str, reason: str) -> None:
    with pytest.raises(LabError, match=reason):
        read(text)
