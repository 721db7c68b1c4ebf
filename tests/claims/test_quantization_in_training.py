"""What content/learning/04-quantization-in-training.mdx says, asked of its recordings and of the lab."""

from __future__ import annotations

import numpy as np
import torch
from article import Article, recorded
from native.learning.quantization_aware_training.networks import SIZES
from native.learning.quantization_aware_training.rounding import rounded
from native.learning.quantization_aware_training.sweep import BITS

LAB = "learning/quantization_aware_training"
ARTICLE = Article("learning/04-quantization-in-training.mdx")
says = ARTICLE.says
POST, AWARE = 0, 1
LEAST, MEAN, MOST = range(3)


def wrong(bits: int, name: str = "default") -> np.ndarray:
    """[2, 3] of the last picture."""
    found: np.ndarray = recorded(LAB, name)[-1]["wrong"][:, BITS.index(bits)]
    return found


def test_the_opening() -> None:
    says("The worst of these five beats the best of the other five")
    assert wrong(3)[AWARE, MOST] < wrong(3)[POST, LEAST]
    says("On the left are the 24 weights of one neuron")
    assert SIZES[1] == len(recorded(LAB)[-1]["latent"]) == 24


def test_few_weights_move() -> None:
    says("Few weights have to move.")
    assert 0.02 < recorded(LAB)[-1]["moved"] < 0.2


def test_the_one_line_of_pytorch_is_the_estimator_of_the_lab() -> None:
    says("forward: round(v); backward: v")
    fake_quantize = {}
    code = ARTICLE.text.split("```python\n")[1].split("```")[0]
    exec(code, fake_quantize)
    w = torch.linspace(-2, 2, 37, dtype=torch.float64)
    mine, theirs = w.clone().requires_grad_(), w.clone().requires_grad_()
    s, high = torch.tensor(0.37, dtype=torch.float64), torch.tensor(3.0, dtype=torch.float64)
    ours = fake_quantize["fake_quantize"](mine, s, 3)
    lab = rounded(theirs, s, -high, high)
    torch.testing.assert_close(ours, lab)
    ours.sum().backward()
    lab.sum().backward()
    torch.testing.assert_close(mine.grad, theirs.grad)


def test_with_the_true_gradient_only_biases_learn() -> None:
    says("Not one weight changes. The result still improves a little")
    assert recorded(LAB, "true_gradient")[-1]["moved"] == 0
    assert wrong(3)[AWARE, MEAN] < wrong(3, "true_gradient")[AWARE, MEAN] < wrong(3)[POST, MEAN]


def test_the_gap_by_bits() -> None:
    says("From six bits up, the two ways to round differ by less than a point.")
    assert all(abs(wrong(bits)[AWARE, MEAN] - wrong(bits)[POST, MEAN]) < 0.01 for bits in (6, 7, 8))
    says("At five and four bits the gap opens, and at three it is widest in favour of training.")
    gaps = [wrong(bits)[POST, MEAN] - wrong(bits)[AWARE, MEAN] for bits in (5, 4, 3)]
    assert 0 < gaps[0] < gaps[1] < gaps[2] == max(wrong(b)[POST, MEAN] - wrong(b)[AWARE, MEAN] for b in BITS)
    says("There, training with rounding ends up *worse*")
    assert wrong(2)[AWARE, MEAN] > wrong(2)[POST, MEAN] > 3 * wrong(2, "learned")[AWARE, MEAN]


def test_a_learned_step_brings_nothing_at_three_bits() -> None:
    says("and the seeds differ by more than that")
    mine, learned = wrong(3)[AWARE], wrong(3, "learned")[AWARE]
    assert abs(mine[MEAN] - learned[MEAN]) < mine[MOST] - mine[LEAST]


def test_what_the_seeds_say() -> None:
    says("At eight bits the seeds differ far more than the two ways do", "At three bits all five agree.")
    eight = wrong(8)
    assert eight[POST, MOST] - eight[POST, LEAST] > 10 * abs(eight[POST, MEAN] - eight[AWARE, MEAN])
    last = recorded(LAB)[-1]
    assert last["won"][BITS.index(3)] == last["seeds"] == 5


def test_a_step_for_each_neuron_loses_less_and_is_worse_at_two_bits_than_a_learned_one() -> None:
    from native.learning.quantization_aware_training import Params, run

    says("rounding at the end loses less than half as much", "The learned step, by far")
    *_, last = run(Params(granularity="channel"))
    lost = [w[POST, BITS.index(3), MEAN] - last.unrounded[MEAN] for w in (recorded(LAB)[-1]["wrong"], last.wrong)]
    assert 0.3 < lost[1] / lost[0] < 0.5
    assert last.wrong[AWARE, BITS.index(2), MEAN] > 1.5 * wrong(2, "learned")[AWARE, MEAN]
