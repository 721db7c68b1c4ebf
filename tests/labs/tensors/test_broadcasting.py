"""Broadcasting against NumPy's shapes and strides, and PyTorch's sums and gradients."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.contract import LabError
from labs.tensors.broadcasting import Params, Picture, run, sized

lengths = st.sampled_from([1, 1, 2, 3, 4, 0])
shapes = st.lists(lengths, max_size=4).map(tuple)


def pictures(**params: Any) -> list[Picture]:
    return list(run(Params(**params)))


def written(shape: tuple[int, ...]) -> str:
    return " ".join(map(str, shape)) or "()"


@settings(max_examples=400)
@given(shapes, shapes, st.none() | shapes)
def test_shapes_strides_sums_and_gradients(
    a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...] | None
) -> None:
    several = [a, b] if c is None else [a, b, c]
    found = pictures(a=written(a), b=written(b), c="" if c is None else written(c))
    try:
        expected = np.broadcast_shapes(*several)
    except ValueError:
        refused = found[-1]
        assert refused.stage == "refused" and len(refused.clash) > 1 and refused.dimension is not None
        assert len({refused.operands[i].aligned[refused.dimension] for i in refused.clash}) > 1
        with pytest.raises(RuntimeError, match=r"must match|broadcast"):
            torch.broadcast_shapes(*several)
        return
    last = found[-1]
    assert last.stage == "cost" and tuple(n for n in last.result if n is not None) == expected
    assert last.elements == f"{math.prod(expected):,}"
    repeated = sum(shape != expected for shape in several)
    assert last.copied == sized(math.prod(expected) * repeated)
    for shape, operand in zip(several, last.operands, strict=True):
        view = torch.zeros(shape).expand(expected)
        steps = [s for s, n in zip(view.stride(), expected, strict=True) if n > 1]
        if view.numel():
            assert [s for s, n in zip(operand.strides, expected, strict=True) if n > 1] == steps
    if not last.drawn:
        assert math.prod(expected) in (0, *range(65, 10**6)) or max(map(math.prod, several)) > 64
        return
    tensors = [
        torch.tensor([float(n) for n in operand.numbers]).reshape(shape).requires_grad_()
        for shape, operand in zip(several, last.operands, strict=True)
    ]
    total = sum(tensors[1:], tensors[0])
    assert [float(n) for n in last.values] == total.flatten().tolist()
    total.sum().backward()
    for tensor, operand in zip(tensors, last.operands, strict=True):
        assert tensor.grad is not None
        assert tensor.grad.flatten().tolist() == [float(n) for n in operand.gradient]
        assert operand.bytes.tobytes() == tensor.detach().numpy().tobytes()
        assert np.array(operand.numbers)[operand.places].astype(float).tolist() == (
            tensor.expand(expected).flatten().tolist()
        )
        ones = torch.ones(expected)
        keep = ones.sum(operand.summed, keepdim=True) if operand.summed else ones
        assert keep.reshape(tensor.shape).tolist() == tensor.grad.tolist()


def test_each_dimension_is_decided_from_the_right() -> None:
    found = pictures()
    assert [each.stage for each in found] == ["align", *["dimension"] * 3, "strides", "read", "gradient", "cost"]
    assert [each.dimension for each in found[1:4]] == [2, 1, 0]
    assert [each.result for each in found[:4]] == [[None] * 3, [None, None, 3], [None, 5, 3], [4, 5, 3]]


def test_a_row_against_a_column_of_a_hundred_thousand() -> None:
    last = pictures(a="100000", b="100000 1")[-1]
    assert (last.elements, last.size, last.held, last.drawn) == ("10,000,000,000", "40 GB", "800 kB", False)


def test_no_event_is_large() -> None:
    assert all(len(each.values) <= 64 for each in pictures(a="64", b="1", c="1 1"))
    assert sized(10**40) and sized(0) == "0 bytes"


def test_a_shape_may_be_written_as_python_does() -> None:
    for text in ("4 1 3", "(4, 1, 3)", "[4,1,3]", "4×1×3", " 4  1 3 "):
        assert pictures(a=text)[0].operands[0].shape == [4, 1, 3]
    assert pictures(a="()")[-1].operands[0].shape == []


@pytest.mark.parametrize(
    ("a", "says"),
    [
        ("", "Give a a shape such as 4 1 3"),
        ("4 x 3", "In the shape of a, 'x' is no length"),
        ("4 -1", "'-1' is no length"),
        ("2.5", "is no length"),
        ("1 1 1 1 1 1", "6 dimensions; leave 5"),
        ("1000001", "1000001 is too long"),
        ("99999999999999", "too long"),
    ],
)
def test_what_is_no_shape_is_refused(a: str, says: str) -> None:
    with pytest.raises(LabError, match=says):
        pictures(a=a)
