"""Layouts against NumPy's own views: the same elements in the same order, a copy exactly where NumPy makes one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from labs.models.tensor.layout import Layout, broadcast
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

shapes = st.lists(st.integers(0, 4), max_size=4).map(tuple)
bounds = st.none() | st.integers(-6, 6)
slices = st.builds(slice, bounds, bounds, st.none() | st.integers(-3, 3).filter(bool))
keys = st.lists(slices | st.integers(-4, 3) | st.none() | st.just(...), max_size=6).map(tuple)


@st.composite
def views(draw: st.DrawFn) -> tuple[Layout, NDArray[Any]]:
    """A layout that came about by some steps, and what NumPy has after the same."""
    shape = draw(shapes)
    layout, array = Layout.rows(shape), np.arange(math.prod(shape)).reshape(shape)
    for _ in range(draw(st.integers(0, 3))):
        match draw(st.sampled_from(["slice", "permute", "expand", "flip", "unsqueeze", "squeeze"])):
            case "slice":
                key = tuple(draw(slices) for _ in layout.shape)
                layout, array = layout[key], array[key]
            case "permute":
                order = draw(st.permutations(range(array.ndim)))
                layout, array = layout.permute(order), array.transpose(order)
            case "expand":
                wide = (draw(st.integers(0, 3)), *(draw(st.integers(0, 3)) if n == 1 else n for n in array.shape))
                layout, array = layout.expand(wide), np.broadcast_to(array, wide)
            case "flip" if array.ndim:
                dim = draw(st.integers(-array.ndim, array.ndim - 1))
                layout, array = layout.flip([dim]), np.flip(array, dim)
            case "unsqueeze":
                dim = draw(st.integers(-array.ndim - 1, array.ndim))
                layout, array = layout.unsqueeze(dim), np.expand_dims(array, dim)
            case "squeeze":
                layout, array = layout.squeeze(), array.squeeze()
    return layout, array


def read(layout: Layout) -> list[int]:
    """Elements are their own places."""
    return list(layout.places())


@given(views())
def test_a_view_reads_what_numpy_reads(view: tuple[Layout, NDArray[Any]]) -> None:
    layout, array = view
    assert layout.shape == array.shape
    assert read(layout) == array.ravel().tolist()
    assert layout.contiguous == array.flags.c_contiguous


@given(views(), keys)
def test_indexing_is_numpys(view: tuple[Layout, NDArray[Any]], key: Any) -> None:
    layout, array = view
    try:
        expected = array[key]
    except IndexError:
        with pytest.raises(IndexError):
            layout[key]
    else:
        assert layout[key].shape == expected.shape
        assert read(layout[key]) == expected.ravel().tolist()


@given(views(), st.data())
def test_a_reshape_copies_where_numpy_has_to(view: tuple[Layout, NDArray[Any]], data: st.DataObject) -> None:
    layout, array = view
    shape, left = [], array.size
    while left > 1 and len(shape) < 4:
        shape.append(data.draw(st.sampled_from([n for n in range(1, left + 1) if left % n == 0])))
        left //= shape[-1]
    shape = data.draw(st.permutations([*shape, left]))
    found = layout.reshape(shape)
    # NumPy's answer on the same strides, in memory of its own
    base = np.arange(max([*layout.places(), 0]) + 1)
    same = as_strided(base[layout.offset :], layout.shape, [stride * base.itemsize for stride in layout.strides])
    expected = same.reshape(shape)
    assert (found is None) == (array.size > 0 and not np.shares_memory(expected, base))
    if found is not None:
        assert found.shape == expected.shape
        assert read(found) == array.ravel().tolist()


def test_one_length_may_be_left_open() -> None:
    layout = Layout.rows((2, 3, 4))
    assert layout.reshape((-1, 6)) == Layout((4, 6), (6, 1))
    for wrong in ((5, -1), (-1, -1), (23,), (-2, -12)):
        with pytest.raises(ValueError, match="24 elements cannot have the shape"):
            layout.reshape(wrong)


@given(st.lists(shapes, min_size=1, max_size=4))
def test_shapes_are_broadcast_as_numpys(several: list[tuple[int, ...]]) -> None:
    try:
        expected = np.broadcast_shapes(*several)
    except ValueError:
        with pytest.raises(ValueError, match="do not fit"):
            broadcast(*several)
    else:
        assert broadcast(*several) == expected


def test_what_cannot_be_is_refused() -> None:
    layout = Layout.rows((2, 3))
    with pytest.raises(ValueError, match="3 is neither 1 nor 4"):
        layout.expand((2, 4))
    with pytest.raises(ValueError, match="more dimensions"):
        layout.expand((3,))
    with pytest.raises(ValueError, match="does not name each of 2 dimensions once"):
        layout.permute((0, 0))
    with pytest.raises(IndexError, match="dimension 2 is not one of 2"):
        layout.squeeze([2])
    with pytest.raises(TypeError, match="an index is a number"):
        layout["a"]  # type: ignore[index]


def test_a_diagonal_steps_down_and_across() -> None:
    for shape in ((3, 3), (2, 5), (5, 2), (2, 3, 4), (0, 2)):
        array = np.arange(math.prod(shape)).reshape(shape)
        assert read(Layout.rows(shape).diagonal()) == np.diagonal(array, axis1=-2, axis2=-1).ravel().tolist()
