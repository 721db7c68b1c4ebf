"""The clock of the line: what is timed computes the line, and the layers add up to the call."""

import numpy as np
import pytest
from native.descent.line_clock import LAYERS, Params, quarters, run, works


def test_what_is_timed_in_c_is_the_line() -> None:
    ours, theirs = works.computed()
    assert np.allclose(ours, theirs, rtol=0, atol=1e-6)
    assert (ours == 0).any() and (ours > 0).any()
    assert works.FLOPS == 2 * 4 * (3 + 2 + 1 + 1)


def test_every_part_that_is_timed_runs() -> None:
    parts = (works.nothing, works.on_integers, works.dispatching(), works.line(True), works.line(False))
    for work in (*parts, works.arithmetic()):
        work(2)


def test_quarters_are_percentiles_of_the_repetitions() -> None:
    found = quarters(np.arange(10.0).reshape(2, 5))
    assert found.tolist() == [[1, 2, 3], [6, 7, 8]]


@pytest.mark.alone
def test_the_layers_add_up_and_stay_below_the_peak() -> None:
    (event,) = run(Params(repetitions=5))
    assert event.layers == list(LAYERS)
    assert event.took[:, 1].sum() == pytest.approx(float(event.call[1]), rel=1e-4)
    assert 0 < event.share < 0.5 and 0 < event.reached < event.arithmetic_reached <= 1
    assert event.took[-1, 1] == pytest.approx(event.share * event.call[1], rel=1e-5)
