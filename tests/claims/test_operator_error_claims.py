"""What content/learning/05-neural-operators.mdx says of its sixteen networks, asked of the recording."""

from __future__ import annotations

import numpy as np
from article import Article, recorded

says = Article("learning/05-neural-operators.mdx").says


def test_waves_and_width_both_matter() -> None:
    says("Here are sixteen networks, each trained from three seeds", "Step through three lengths of training")
    log = recorded("learning/operator_error")
    last = log[-1]
    assert len(log) == len(last["seeds"]) == 3 and last["error"].size == 16
    says("at the largest width, two waves leave an error of … of the field and four waves one of …; sixteen waves")
    says("; sixteen waves come to …")
    two, four, _, sixteen = last["error"][3]
    assert two > 2 * four and four > sixteen
    says("Width matters as well: with four channels, sixteen waves leave …")
    assert last["error"][0, 3] > 2 * sixteen


def test_bending_makes_waves_that_no_layer_keeps() -> None:
    says("The field that is drawn has a steep front, and a front takes many waves")
    says("A wide network of two waves misses it by less, because bending makes new waves")
    last = recorded("learning/operator_error")[-1]
    exact, two_waves = last["exact"], last["answer"][3, 0]
    missed = np.sqrt(((two_waves - exact) ** 2).mean() / (exact**2).mean())
    assert missed < last["alone"][0] / 2
    slopes = np.abs(np.diff(exact))
    assert slopes.max() > 3 * np.median(slopes)
    faster = np.abs(np.fft.rfft(two_waves))[2:]
    assert faster.max() > 0.1 * np.abs(np.fft.rfft(exact)).max()
