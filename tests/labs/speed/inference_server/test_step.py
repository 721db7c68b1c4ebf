"""The kernel against PyTorch's own attention, and a row against itself in other company, to the bit."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
from native.models.transformer import step_kernel as kernel
from native.models.transformer import weights
from native.models.transformer.shape import BLOCKS, CONTEXT, VOCABULARY
from numpy.testing import assert_allclose, assert_array_equal
from transformer_network import Network, kept

Rows = list[tuple[int, int, int, bool]]


def rows(tokens: np.ndarray, begin: int, end: int, lane: int = 0) -> Rows:
    return [(int(tokens[at]), at, lane, True) for at in range(begin, end)]


@pytest.mark.parametrize("seed", range(5))
def test_logits_are_those_of_pytorch(codes: weights.Codes, seed: int) -> None:
    """However the sequence is cut into steps, and wherever its blocks lie."""
    random = np.random.default_rng(seed)
    tokens = random.integers(0, VOCABULARY, CONTEXT)
    machine = kernel.Machine(kernel.packed(weights.matrices(codes)), BLOCKS, 1)
    machine.tables[0] = random.permutation(BLOCKS)
    cuts = [0, *sorted(random.choice(np.arange(1, CONTEXT), 6, replace=False).tolist()), CONTEXT]
    got = np.concatenate([machine.step(rows(tokens, *each)).copy() for each in itertools.pairwise(cuts)])
    with torch.no_grad():
        expected = kept(codes)(torch.from_numpy(tokens)[None])[0].numpy()
    assert_allclose(got, expected, atol=2e-6 * abs(expected).max())


@pytest.mark.parametrize("others", [1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 30])
def test_a_row_is_the_same_to_the_bit_in_any_batch(codes: weights.Codes, others: int) -> None:
    random = np.random.default_rng(others)
    tokens = random.integers(0, VOCABULARY, (others + 1, 40))
    packed = kernel.packed(weights.matrices(codes))
    alone = kernel.Machine(packed, BLOCKS, 1)
    alone.tables[0] = np.arange(BLOCKS)
    expected = [alone.step(rows(tokens[0], at, at + 1))[0].copy() for at in range(40)]
    batch = kernel.Machine(packed, 3 * (others + 1), others + 1)
    batch.tables[:, :3] = random.permutation(3 * (others + 1)).reshape(-1, 3)
    place = int(random.integers(others + 1))  # where the row stands among the others
    order = np.insert(np.arange(1, others + 1), place, 0)
    for at in range(40):
        got = batch.step([(int(tokens[lane, at]), at, int(lane), True) for lane in order])
        assert_array_equal(got[place], expected[at])


def test_only_asked_rows_are_answered(codes: weights.Codes) -> None:
    machine = kernel.Machine(kernel.packed(weights.matrices(codes)), BLOCKS, 1)
    machine.tables[0] = np.arange(BLOCKS)
    everything = machine.step([(at, at, 0, True) for at in range(20)]).copy()
    assert_array_equal(machine.step([(at, at, 0, at in (3, 19)) for at in range(20)]), everything[[3, 19]])
    assert len(machine.step([(at, at, 0, False) for at in range(20)])) == 0
    with pytest.raises(ValueError, match="more than"):
        machine.step([(0, 0, 0, False)] * (kernel.MOST + 1))


def test_rounding_keeps_each_row_within_half_a_step(codes: weights.Codes) -> None:
    torch.manual_seed(0)
    for name, exact in Network().state_dict().items():
        off = np.abs(weights.matrices(codes)[name] - exact.numpy())
        assert (off <= codes[f"{name}/scale"] * 0.5001).all()
