"""The mistaken sum along the last axis: what it stores, and where, beside a loop in plain Python."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.compilers.fusing_compiler import Params
from labs.compilers.fusing_compiler import run as compiled
from labs.compilers.fusing_compiler.last_axis import by_last_axis
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.models.fusing.cost import Machine
from labs.models.fusing.fuse import fuse
from labs.models.fusing.interpret import run
from labs.models.fusing.loops import Program
from labs.models.fusing.read import read


def lowered(source: str) -> Program:
    return fuse(read(source).outputs, "cost", Machine(cache=1 << 20, threads=2)).program


@given(st.integers(2, 9), st.integers(2, 9))
@settings(max_examples=25, deadline=None)
def test_it_stores_the_sums_of_rows_a_row_apart(rows: int, columns: int) -> None:
    program = lowered(f"def f(x: f32[{rows}, {columns}]):\n    return (x * x).sum(axis=0)\n")
    (kernel,), (past,) = (found := by_last_axis(program))[0].kernels, found[1]
    x = np.arange(rows * columns, dtype=np.float32)
    wide = tuple(replace(each, size=rows * columns) for each in kernel.buffers)
    memory = {"x": x, "out": np.full(rows * columns, -1, np.float32)}
    run(replace(kernel, buffers=wide), memory)

    expected, behind = [-1.0] * (rows * columns), 0
    for row in range(rows):
        expected[row * columns] = float(sum(x[row * columns + column] ** 2 for column in range(columns)))
        behind += row * columns >= columns  # the result has as many numbers as there are columns
    assert memory["out"].tolist() == expected
    assert (past.stores, past.past) == (rows, behind)


@pytest.mark.parametrize(
    "source",
    [
        "def f(x: f32[8, 6]):\n    return x.sum(-1)\n",  # along the last axis it is right
        "def f(x: f32[8, 6]):\n    return x.sum()\n",
        "def f(x: f32[8, 6], y: f32[6]):\n    return (x * y).sum(0)\n",  # not all of it moves with the rows
        "def f(x: f32[4, 6, 5]):\n    return x.sum(1)\n",
        PROGRAMS["softmax"],
        PROGRAMS["mlp-step"],
    ],
    ids=str,
)
def test_other_kernels_stay_as_they_are(source: str) -> None:
    program = lowered(source)
    assert by_last_axis(program) == (program, [])


def test_the_figure_says_how_many_stores_miss_and_shows_them() -> None:
    pictures = list(compiled(Params(program=PROGRAMS["columns"], last_axis=True)))
    said = [str(picture.text) for picture in pictures if "past the end" in str(picture.text)]
    assert said == ["k0_sum sums along the last axis: of its 4,096 stores 4,095 land past the end of the result."]
    for picture in pictures:
        if picture.stage in ("C", "CUDA"):
            assert any("out[512 * " in line.text for line in picture.written)
