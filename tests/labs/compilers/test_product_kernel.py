"""The packed product of bf16 and of bytes: by instructions that add up groups of them, and without these."""

from __future__ import annotations

import ctypes
from functools import cache

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from native.models.compiler.product_kernel import KINDS, PRODUCT
from native.models.kernel import Kernel, load

KERNELS = {"as built": PRODUCT, "through floats": Kernel(PRODUCT.file, (*PRODUCT.flags, "-U__AVX512VNNI__"))}


@cache
def library(name: str) -> ctypes.CDLL:
    made = load(KERNELS[name])
    for room in ("strips", "left_room", "right_room", "sums_room"):
        getattr(made, room).restype = ctypes.c_longlong
    return made


def product(name: str, a: torch.Tensor, b: torch.Tensor, result: torch.dtype) -> torch.Tensor:
    """In room that is as large as the kernel asks for, with something behind it that has to stay."""
    made, whole = library(name), ctypes.c_longlong
    (rows, depth), columns = a.shape, b.shape[1]
    kind, made_of = ("i8", "i32") if a.dtype is torch.int8 else ("bf16", "f32")
    kinds = KINDS[kind], KINDS["bf16" if result is torch.bfloat16 else made_of]
    sizes = (
        made.right_room(whole(columns), whole(depth)),
        made.left_room(kinds[0]),
        made.sums_room(whole(columns)),
    )
    rooms = [np.full(size + 64, np.nan, np.float32) for size in sizes]
    right, left, sums = (ctypes.c_void_p(room.ctypes.data) for room in rooms)
    c = torch.full((rows + 1, columns), 77).to(result)
    sides = [ctypes.c_void_p(each.data_ptr()) for each in (a, b, c)]
    strides = [[whole(step) for step in each.stride()] for each in (a, b)]
    end = whole(made.strips(whole(columns)))
    made.pack_right(whole(depth), whole(columns), kinds[0], sides[1], *strides[1], right, whole(0), end)
    here = (sides[0], *strides[0], right, kinds[1], sides[2], whole(columns), left, sums)
    made.multiply_rows(whole(rows), whole(columns), whole(depth), kinds[0], *here)
    assert all(np.isnan(room[-64:]).all() for room in rooms) and (c[rows] == 77).all()
    return c[:rows]


def side(rows: int, columns: int, turned: bool, numbers: torch.Tensor) -> torch.Tensor:
    return numbers.reshape(columns, rows).T if turned else numbers.reshape(rows, columns)


SHAPES = {
    **{"rows": st.integers(1, 260), "depth": st.integers(1, 1500), "columns": st.integers(1, 70)},
    **{"turned": st.tuples(st.booleans(), st.booleans()), "seed": st.integers(0, 99)},
}


@pytest.mark.parametrize("name", KERNELS)
@settings(deadline=None, max_examples=25)
@given(**SHAPES, most=st.sampled_from([1, 20, 128]))
def test_bytes_are_exact(
    name: str, rows: int, depth: int, columns: int, turned: tuple[bool, bool], seed: int, most: int
) -> None:
    """With -128, which has no counterpart above 0."""
    random = torch.Generator().manual_seed(seed)
    a, b = (
        side(
            *shape,
            turn,
            torch.randint(-most, min(most, 127) + 1, (shape[0] * shape[1],), generator=random).to(torch.int8),
        )
        for shape, turn in zip(((rows, depth), (depth, columns)), turned, strict=True)
    )
    exact = a.numpy().astype(np.int64) @ b.numpy().astype(np.int64)
    np.testing.assert_array_equal(product(name, a, b, torch.int32).numpy(), exact)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("result", [torch.float32, torch.bfloat16])
@settings(deadline=None, max_examples=15)
@given(**SHAPES)
def test_bf16_is_within_what_rounding_allows(
    name: str, result: torch.dtype, rows: int, depth: int, columns: int, turned: tuple[bool, bool], seed: int
) -> None:
    random = torch.Generator().manual_seed(seed)
    a, b = (
        side(*shape, turn, torch.randn(shape[0] * shape[1], generator=random).bfloat16())
        for shape, turn in zip(((rows, depth), (depth, columns)), turned, strict=True)
    )
    wide = a.double(), b.double()
    allowed = (depth + 1) * 2.0**-23 * (wide[0].abs() @ wide[1].abs())
    exact = wide[0] @ wide[1]
    if result is torch.bfloat16:
        allowed = allowed + 2.0**-8 * exact.abs()
    assert ((product(name, a, b, result).double() - exact).abs() <= allowed).all()


@pytest.mark.parametrize("name", KERNELS)
def test_what_is_no_number_stays_in_its_row_and_column(name: str) -> None:
    a, b = torch.ones(30, 41).bfloat16(), torch.ones(41, 50).bfloat16()
    a[7, 3], b[40, 9] = float("nan"), float("inf")
    found = product(name, a, b, torch.float32)
    assert found[7].isnan().all() and found[:, 9].isfinite().logical_not().all()
    found[7], found[:, 9] = 41, 41
    assert (found == 41).all()
