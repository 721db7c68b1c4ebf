"""Six steps of one value, against torch and against arithmetic."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labs.contract import LabError, pack
from labs.learning.number_line import Params, Step, run

STAGES = ["range", "scale", "zero_point", "round", "clamp", "restore"]

ends = st.floats(-4, 4, allow_subnormal=False)
any_params = st.builds(
    Params,
    low=ends,
    high=ends,
    value=ends,
    bits=st.integers(2, 8),
    scheme=st.sampled_from(["symmetric", "asymmetric"]),
).filter(lambda params: params.high - params.low >= 0.01)


def last(params: Params) -> Step:
    *_, step = run(params)
    return step


@given(any_params)
def test_every_step_is_whole(params: Params) -> None:
    steps = list(run(params))
    assert [step.stage for step in steps] == STAGES
    packed = [pack(step) for step in steps]
    assert max(len(json.dumps(step)) for step in packed) < 64 * 1024
    different = {name for name in packed[0] if any(step[name] != packed[0][name] for step in packed)}
    assert different == {"stage", "text"}  # a figure may start anywhere
    assert packed == [pack(step) for step in run(params)]


@given(any_params)
def test_the_numbers_agree_with_each_other(params: Params) -> None:
    step = last(params)
    assert step.grid_low <= min(step.low, 0) and step.grid_high >= max(step.high, 0)
    assert len(step.levels) == step.code_high - step.code_low + 1 <= 2**params.bits
    assert step.levels[step.zero_point - step.code_low] == 0
    assert step.restored == pytest.approx(float(step.levels[step.code - step.code_low]), rel=1e-6)
    assert step.code == min(max(step.rounded, step.code_low), step.code_high)
    assert abs(step.rounded - step.scaled) <= 0.5 + 1e-9
    if step.grid_low <= step.value <= step.grid_high:
        assert abs(step.error) <= step.scale / 2 * (1 + 1e-9)
    if params.scheme == "symmetric":
        assert step.zero_point == 0 and step.code_low == -step.code_high


@given(any_params)
def test_torch_restores_the_same_value(params: Params) -> None:
    import torch

    step = last(params)
    theirs = torch.fake_quantize_per_tensor_affine(
        torch.tensor([params.value], dtype=torch.float32),
        step.scale,
        step.zero_point,
        step.code_low,
        step.code_high,
    ).item()
    scaled = params.value / step.scale
    if abs(scaled - np.floor(scaled) - 0.5) > 1e-4:  # so close to a tie float32 may fall to the other side
        assert step.restored == pytest.approx(theirs, rel=1e-5, abs=1e-9)


@pytest.mark.parametrize(("low", "high"), [(1.0, 1.0), (2.0, -2.0), (0.0, 0.001)])
def test_an_empty_range_is_refused_with_advice(low: float, high: float) -> None:
    with pytest.raises(LabError, match="drag its right end"):
        next(run(Params(low=low, high=high)))


def test_a_range_beside_zero_is_widened_to_it() -> None:
    step = last(Params(low=1, high=3, value=0, scheme="asymmetric"))
    assert (step.grid_low, step.grid_high, step.zero_point) == (0, 3, step.code_low)
    assert step.error == 0
    step = last(Params(low=-3, high=-1, value=0, scheme="asymmetric"))
    assert (step.grid_low, step.grid_high, step.zero_point) == (-3, 0, step.code_high)


def test_a_value_outside_is_clipped_to_the_end() -> None:
    step = last(Params(low=-1, high=1, value=3, bits=8, scheme="symmetric"))
    assert step.clipped and step.code == 127 and step.rounded == 381
    assert step.restored == pytest.approx(1) and step.error == pytest.approx(-2)
    assert "clipped" in step.text


def test_the_text_states_the_numbers() -> None:
    texts = [step.text for step in run(Params(low=-1, high=2.5, value=1.3, bits=4, scheme="asymmetric"))]
    assert "3.5 / 15 = 0.2333" in texts[1]
    assert "-8 + 4 = -4" in texts[2]
    assert "1.3 / 0.2333 - 4 = 1.57, which rounds to 2" in texts[3]
    assert "0.2333 × (2 + 4) = 1.4" in texts[5]
