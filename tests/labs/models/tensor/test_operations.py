"""Each operation against PyTorch: values, gradients and gradients of gradients; over shapes, strides and types."""

from __future__ import annotations

import math
import zlib
from typing import Any

import numpy as np
import pytest
import torch
from cases import CASES, Case
from labs.models.tensor import views
from labs.models.tensor.tensor import Tensor, grad, tensor
from numpy.typing import NDArray

TOLERANCE = {"float64": 1e-9, "float32": 2e-3}


def numbers(case: Case, shape: tuple[int, ...], random: np.random.Generator) -> NDArray[Any]:
    if not case.apart:
        return np.asarray(random.uniform(case.low, case.high, shape))
    size = max(8, 3 * math.prod(shape))
    steps = np.linspace(case.low, case.high, size + size % 2)  # 0 is none of them
    return random.permutation(steps)[: math.prod(shape)].reshape(shape)


def leaves(array: NDArray[Any], dtype: str, how: str) -> tuple[Tensor, Tensor, torch.Tensor, torch.Tensor]:
    """A leaf, and what is read of it in some other order of memory: ours and PyTorch's, with the same numbers."""
    array = array.astype(dtype)
    dims = tuple(reversed(range(array.ndim)))
    if how == "turned":
        ours, theirs = tensor(array.transpose(dims).copy()), torch.tensor(array.transpose(dims).copy())
        read = (lambda x: x.permute(*dims)), (lambda x: x.permute(dims))
    elif how == "every other" and array.ndim:
        wide = np.repeat(array, 2, axis=-1)
        ours, theirs = tensor(wide), torch.tensor(wide)
        read = (lambda x: x[..., ::2]), (lambda x: x[..., ::2])
    elif how == "backwards" and array.ndim:
        ours, theirs = tensor(array[::-1].copy()), torch.tensor(array[::-1].copy())
        read = (lambda x: views.flip(x, 0)), (lambda x: x.flip(0))
    else:
        ours, theirs = tensor(array), torch.tensor(array)
        read = (lambda x: x), (lambda x: x)
    ours.require_grad()
    theirs.requires_grad_()
    return ours, read[0](ours), theirs, read[1](theirs)


def same(ours: Tensor | None, theirs: torch.Tensor | None, dtype: str) -> None:
    found = np.zeros(()) if ours is None else ours.array
    expected = torch.zeros(()) if theirs is None else theirs
    np.testing.assert_allclose(found, expected.numpy(force=True), TOLERANCE[dtype], TOLERANCE[dtype])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("how", ["as it lies", "turned", "every other", "backwards"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_an_operation_is_pytorchs(case: Case, how: str, dtype: str) -> None:
    if case.name == "cast":
        dtype = "float64"
    for shapes in case.shapes:
        random = np.random.default_rng(zlib.crc32(f"{case.name} {shapes}".encode()))
        made = [leaves(numbers(case, shape, random), dtype, how) for shape in shapes]
        ours, theirs = case.ours(*(each[1] for each in made)), case.theirs(*(each[3] for each in made))
        assert (ours.shape, ours.dtype.name) == (tuple(theirs.shape), str(theirs.dtype).removeprefix("torch."))
        same(ours, theirs, "float32" if case.name == "cast" else dtype)

        given = random.normal(size=ours.shape).astype(dtype)
        mine = grad(ours, [each[0] for each in made], tensor(given), create_graph=True)
        other = torch.autograd.grad(
            theirs, [each[2] for each in made], torch.tensor(given), create_graph=True, allow_unused=True
        )
        for one, another in zip(mine, other, strict=True):
            same(one, another, dtype)

        bent = [(one, another) for one, another in zip(mine, other, strict=True) if another is not None]
        if not any(another.requires_grad for _, another in bent):
            continue
        ends = sum(((one * one).sum() for one, _ in bent if one is not None), tensor(0.0))
        their_ends = sum(((another * another).sum() for _, another in bent), torch.tensor(0.0))
        twice = grad(ends, [each[0] for each in made]) if ends.requires_grad else [None] * len(made)
        their_twice = torch.autograd.grad(their_ends, [each[2] for each in made], allow_unused=True)  # type: ignore
        for one, another in zip(twice, their_twice, strict=True):
            np.testing.assert_allclose(
                0 if one is None else one.array,
                0 if another is None else another.numpy(force=True),
                20 * TOLERANCE[dtype],
                20 * TOLERANCE[dtype],
            )


# A number in float32 moves in steps, which differences see.
@pytest.mark.parametrize("case", [case for case in CASES if case.name != "cast"], ids=lambda case: case.name)
def test_a_gradient_is_the_limit_of_a_quotient(case: Case) -> None:
    """Without anybody's derivative: central differences in float64."""
    random = np.random.default_rng(zlib.crc32(case.name.encode()))
    arrays = [numbers(case, shape, random) for shape in case.shapes[-1]]
    inputs = [tensor(array, requires_grad=True) for array in arrays]
    result = case.ours(*inputs)
    given = random.normal(size=result.shape)
    found = grad(result, inputs, tensor(given))
    for which, array in enumerate(arrays):
        for place in np.ndindex(array.shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = [each.copy() for each in arrays]
                moved[which][place] += step
                ends.append((case.ours(*map(tensor, moved)).array * given).sum())
            slope = (ends[0] - ends[1]) / 2e-6
            one = found[which]
            assert (0 if one is None else one.array[place]) == pytest.approx(slope, rel=1e-5, abs=1e-6)


def test_there_are_at_least_forty() -> None:
    assert len({case.name for case in CASES}) >= 40
