"""Layouts, against Triton's own, and against what its documentation says of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from native.pytorch.triton_stages.layouts import owners, steps


@pytest.fixture(scope="module")
def builder() -> Iterator[Any]:
    from triton._C.libtriton import gluon_ir, ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend

    context = ir.context()
    ir.load_dialects(context)
    make_backend(GPUTarget("cuda", 90, 32)).load_dialects(context)
    yield gluon_ir.GluonOpBuilder(context)  # the context has to outlive it


def agree(builder: Any, text: str, attribute: Any, shape: tuple[int, ...]) -> None:
    theirs, ours = builder.to_linear_layout(attribute, list(shape)), steps(text, shape)
    for name, found in (("reg", ours.register), ("lane", ours.lane), ("warp", ours.warp)):
        assert found == [tuple(each) for each in getattr(theirs, f"{name}_bases")], (text, shape, name)


def test_layouts_are_triton_s_own(builder: Any) -> None:
    sizes = [[1, 8], [1, 4], [2, 2], [4, 1]], [[8, 4], [4, 8], [32, 1]], [[4, 1], [2, 2], [1, 1], [8, 1]]
    shapes = [(64, 32), (16, 32), (128, 128), (16, 16)]
    for values, lanes, warps, order in itertools.product(*sizes, [[1, 0], [0, 1]]):
        text = f"#ttg.blocked<{{sizePerThread = {values}, threadsPerWarp = {lanes}, warpsPerCTA = {warps}, "
        for shape in shapes:
            attribute = builder.get_blocked_layout(values, lanes, warps, order, [])
            agree(builder, f"{text}order = {order}}}>", attribute, shape)
    for warps, shape in itertools.product([[1, 1], [2, 2], [4, 1], [1, 4], [2, 4]], [*shapes, (64, 64)]):
        text = f"#ttg.nvidia_mma<{{versionMajor = 2, warpsPerCTA = {warps}, instrShape = [16, 8]}}>"
        agree(builder, text, builder.get_mma_layout([2, 0], warps, [], [16, 8]), shape)
    for warps, columns in itertools.product([[4, 1], [8, 1], [4, 2]], [8, 32, 64]):
        text = f"#ttg.nvidia_mma<{{versionMajor = 3, warpsPerCTA = {warps}, instrShape = [16, {columns}, 16]}}>"
        attribute = builder.get_mma_layout([3, 0], warps, [], [16, columns, 16])
        for shape in ((64, 64), (128, 128)):
            agree(builder, text, attribute, shape)


def test_blocked_as_its_documentation_says() -> None:
    """Elements of a thread lie together, threads and warps beside each other, and this repeats in the block."""
    for values, lanes, warps, shape in (
        ((1, 8), (8, 4), (4, 1), (64, 32)),
        ((1, 8), (4, 8), (4, 1), (16, 64)),
        ((2, 2), (4, 8), (2, 2), (64, 64)),
        ((1, 1), (2, 16), (1, 4), (16, 128)),
    ):
        text = (
            f"#ttg.blocked<{{sizePerThread = {list(values)}, threadsPerWarp = {list(lanes)}, "
            f"warpsPerCTA = {list(warps)}, order = [1, 0]}}>"
        )
        found = owners(text, shape)
        for element, (i, j) in enumerate(np.ndindex(*shape)):
            thread = [(at // size) for at, size in zip((i, j), values, strict=True)]
            lane = [at % size for at, size in zip(thread, lanes, strict=True)]
            warp = [at // size % many for at, size, many in zip(thread, lanes, warps, strict=True)]
            assert found.lane[element] == lane[0] * lanes[1] + lane[1]
            assert found.warp[element] == warp[0] * warps[1] + warp[1]
        seen = set(zip(found.warp.tolist(), found.lane.tolist(), found.register.tolist(), strict=True))
        assert len(seen) == shape[0] * shape[1]  # no two elements in one register
