"""A thousand programs that nobody wrote by hand, ours against PyTorch: every value and every gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from extent import upto
from labs.models.tensor import elementwise, products, softmax, views
from labs.models.tensor.tensor import grad, tensor

T = torch
PROGRAMS, PORTIONS = upto(1_000, 10_000), 20
Pair = tuple[Any, Any]

SMOOTH = {
    "tanh": (elementwise.tanh, T.tanh),
    "sigmoid": (elementwise.sigmoid, T.sigmoid),
    "sin": (elementwise.sin, T.sin),
    "erf": (elementwise.erf, T.erf),
    "softplus": (elementwise.softplus, T.nn.functional.softplus),
    "log1p of the square": (lambda x: elementwise.log1p(x * x), lambda x: T.log1p(x * x)),
    "exp of minus the square": (lambda x: elementwise.exp(-x * x), lambda x: T.exp(-x * x)),
    "neg": (lambda x: -x, T.neg),
    "half": (lambda x: x / 2, lambda x: x / 2),
}
TWO = {
    "add": (lambda a, b: a + b, T.add),
    "sub": (lambda a, b: a - b, T.sub),
    "mul": (lambda a, b: a * b, T.mul),
    "mean power": (lambda a, b: a / (1 + b * b), lambda a, b: a / (1 + b * b)),
}


def program(random: np.random.Generator) -> tuple[list[Pair], Pair]:
    """Some leaves, and what became of them by up to a dozen steps."""
    leaves: list[Pair] = []
    for _ in range(random.integers(1, 4)):
        array = random.normal(size=tuple(random.integers(1, 4, random.integers(0, 4))))
        leaves.append((tensor(array, requires_grad=True), T.tensor(array, requires_grad=True)))
    known = list(leaves)
    for _ in range(random.integers(1, 13)):
        known.append(step(known[random.integers(len(known))], known[random.integers(len(known))], random))
    return leaves, known[-1]


def step(a: Pair, b: Pair, random: np.random.Generator) -> Pair:
    def both(function: tuple[Any, Any], *inputs: Pair) -> Pair:
        return function[0](*(each[0] for each in inputs)), function[1](*(each[1] for each in inputs))

    shape = a[0].shape
    dim = int(random.integers(len(shape))) if shape else 0
    match random.integers(9):
        case 0 | 1:
            try:
                return both(TWO[random.choice(list(TWO))], a, b)
            except ValueError:  # their shapes do not fit; PyTorch has to think so, too
                with pytest.raises(RuntimeError, match="must match"):
                    a[1] + b[1]
        case 2 if shape:
            keep = bool(random.integers(2))
            return both((lambda x: x.sum(dim, keep), lambda x: x.sum(dim, keepdim=keep)), a)
        case 3 if shape:
            order = random.permutation(len(shape)).tolist()
            return both((lambda x: x.permute(*order), lambda x: x.permute(order)), a)
        case 4 if shape:
            begin = int(random.integers(shape[dim]))
            key = (slice(None),) * dim + ((begin,) if random.integers(2) else (slice(begin, None, 2),))
            return both((lambda x: x[key], lambda x: x[key]), a)
        case 5 if shape:
            return both((lambda x: x.reshape(-1), lambda x: x.reshape(-1)), a)
        case 6 if len(shape) >= 2:
            return both((lambda x: x @ x.mT, lambda x: x @ x.mT), a)
        case 7 if shape:
            return both((lambda x: softmax.softmax(x, dim), lambda x: T.softmax(x, dim)), a)
        case 8 if shape:
            pairs = (lambda x: products.cat([views.flip(x, dim), x], dim), lambda x: T.cat([x.flip(dim), x], dim))
            return both(pairs, a)
    return both(SMOOTH[random.choice(list(SMOOTH))], a)


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_programs_are_pytorchs(portion: int) -> None:
    for seed in PROGRAMS[portion::PORTIONS]:
        leaves, (ours, theirs) = program(np.random.default_rng(seed))
        assert ours.shape == tuple(theirs.shape), seed
        np.testing.assert_allclose(ours.array, theirs.detach().numpy(), 1e-9, 1e-9, err_msg=f"seed {seed}")
        if not theirs.requires_grad:
            continue
        mine = grad(ours.sum(), [each[0] for each in leaves])
        other = torch.autograd.grad(theirs.sum(), [each[1] for each in leaves], allow_unused=True)
        for one, another in zip(mine, other, strict=True):
            assert (one is None) == (another is None), seed
            if one is not None:
                np.testing.assert_allclose(one.array, another.numpy(), 1e-7, 1e-9, err_msg=f"seed {seed}")
