"""The bits that fast_math's figure reads out of a result's digits are those that the result had."""

import numpy as np
from in_node import told
from native.tensors.fast_math.compare import written

EDGES = np.array([0, -0.0, 1e-45, -1e-45, 1.1754942e-38, 1.17549435e-38, 3.4028235e38, "inf", "-inf"], np.float32)


def test_nine_digits_give_the_bits_back() -> None:
    drawn = np.random.default_rng(0).integers(0, 2**32, 20_000, np.uint32).view(np.float32)
    numbers = np.concatenate([EDGES, drawn[~np.isnan(drawn)]])
    found = told("float32_of.mjs", [*map(written, numbers)])
    assert found == [f"{bits:032b}" for bits in numbers.view(np.uint32).tolist()]


def test_an_exact_result_is_rounded_to_the_nearest() -> None:
    exact = np.random.default_rng(1).standard_normal(2_000)
    digits = [*map(written, exact)]
    nearest = np.array([float(each) for each in digits]).astype(np.float32)
    assert told("float32_of.mjs", digits) == [f"{bits:032b}" for bits in nearest.view(np.uint32).tolist()]


def test_of_what_is_no_number_no_bits_are_known() -> None:
    assert told("float32_of.mjs", [written(np.float32("nan")), written(np.float32("-nan"))]) == ["", ""]
