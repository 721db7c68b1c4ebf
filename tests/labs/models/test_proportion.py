"""The interval of a share: SciPy's, and how often it holds what it should."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labs.models.proportion import wilson
from scipy.stats import binomtest


@given(st.integers(1, 2000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_it_is_scipys_interval(count: tuple[int, int]) -> None:
    assert wilson(*count) == pytest.approx(binomtest(*count).proportion_ci(0.95, "wilson"), abs=1e-6)


@pytest.mark.parametrize("accuracy", [0.9, 0.97, 0.99])
@pytest.mark.parametrize("images", [100, 250, 450])
def test_it_holds_the_true_accuracy_about_nineteen_times_in_twenty(accuracy: float, images: int) -> None:
    right = np.random.default_rng(0).binomial(images, accuracy, 4000)
    ends = {count: wilson(count, images) for count in range(images + 1)}
    assert 0.92 < np.mean([ends[count][0] <= accuracy <= ends[count][1] for count in right]) < 0.99
