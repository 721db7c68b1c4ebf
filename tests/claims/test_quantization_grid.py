"""What the article says of one number on its grid: five decisions and a way back."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from quantization_article import ARTICLE, decibels, known, picture, says, step


def test_the_range_is_stretched_to_hold_zero() -> None:
    says("Then drag the lower end above zero: the shaded range stops there.")
    assert (step(low=0.5).grid_low, step(low=1.0).grid_low) == (0, 0)
    assert abs(step(value=3.5).error) > step(value=3.5).scale / 2  # "watch the error stop being small"


def test_the_grid_of_the_first_figure() -> None:
    says(
        "was meant to reach from −1 to 2.5, and in fact it reaches from −0.93 to 2.57",
        "slides by up to half a step",
    )
    shown = step()
    assert (shown.low, shown.high, len(shown.levels)) == (-1, 2.5, 16)
    assert shown.levels[[0, -1]] == pytest.approx([-0.93, 2.57], abs=0.005)
    assert shown.scale == pytest.approx(3.5 / 15)
    assert step(value=0.0).restored == 0


def test_what_happens_without_the_clamp_and_at_a_tie() -> None:
    says("128, cut to eight signed bits, reads as −128", "A tie goes to the even neighbour")
    assert np.array([128]).astype(np.int8)[0] == -128
    assert list(np.round([0.5, 1.5, 2.5, -0.5])) == [0, 2, 2, 0]
    import torch

    assert torch.round(torch.tensor([0.5, 1.5, 2.5])).tolist() == [0, 2, 2]


def test_the_listing_does_what_the_figure_does() -> None:
    [code] = re.findall(r"```python[^\n]*\n(import numpy.*?)```", ARTICLE.text, re.DOTALL)
    listing: dict[str, Any] = {}
    exec(code, listing)
    for low, high, bits in [(-1.0, 2.5, 4), (0.5, 2.5, 8), (-3.0, -1.0, 3), (-0.6, 0.8, 8)]:
        for value in np.linspace(-4, 4, 41):
            shown = step(low=low, high=high, bits=bits, value=float(value))
            codes, s, z = listing["quantize"](np.array([value]), low, high, bits)
            assert (s, z, int(codes[0])) == (pytest.approx(shown.scale), shown.zero_point, shown.code)
            assert listing["restore"](codes, s, z)[0] == pytest.approx(shown.restored)
    says("127 - (-20) is too big for int8")
    assert (np.array([127], np.int8) - np.array([-20], np.int8))[0] != 147


def test_the_two_signs_mixed() -> None:
    says(
        "set asymmetric, eight bits, and *round(w/s) − z*",
        "nearly every weight moves by $2sz$, far more than any rounding",
    )
    wrong = picture(scheme="asymmetric", bits=8, minus_zero_point=True)
    shift = 2 * known(wrong.scale) * abs(known(wrong.zero_point))
    assert known(wrong.mean_error) == pytest.approx(shift, rel=0.05)
    assert shift > 5 * known(wrong.scale)
    says("At four bits the $z$ of that layer happens to be 0, and the mistake does not show.")
    assert picture(scheme="asymmetric").zero_point == 0
    assert decibels(scheme="asymmetric", minus_zero_point=True) == decibels(scheme="asymmetric")
