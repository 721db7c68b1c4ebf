"""What is read across its lines is turned in registers: the same numbers, and no number fetched by itself."""

from __future__ import annotations

import random

import pytest
import torch
from native.compilers.fused_kernels import build
from native.models.compiler.compiled import tensors
from native.models.compiler.machine import assembly, module
from native.models.compiler.turned import transposed
from native.models.compiler.writer import Value, Writer

PROGRAMS = {
    "x.T + y": lambda x, y: x.T + y,
    "x.T * 0.5 + relu(y)": lambda x, y: x.T * 0.5 + torch.relu(y),
    "y - x.T * x.T": lambda x, y: y - x.T * x.T,
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_size_of_rest(program: str) -> None:
    draw = random.Random(program)
    sizes = [(33, 33), (64, 64), (37, 100), *((draw.randint(33, 150), draw.randint(33, 150)) for _ in range(4))]
    for rows, columns in sizes:
        text = f"def f(x: f32[{rows}, {columns}], y: f32[{columns}, {rows}]):\n    return {program}\n"
        x, y = torch.randn(rows, columns), torch.randn(columns, rows)
        for threads in (1, 2):
            made = build.build(text, build.Switches(threads=threads))
            found = made.code(*tensors(made.program, {"x": x, "y": y}))
            wanted = PROGRAMS[program](x, y)
            torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-6, msg=f"{rows} × {columns}")


def test_whole_blocks_gather_nothing() -> None:
    text = "def f(x: f32[256, 256], y: f32[256, 256]):\n    return x.T + y\n"
    made = build.build(text, build.Switches())
    if made.code.machine.register >= 32:  # below, there is no such instruction
        assert "gather" not in assembly(module(made.program, made.code.machine).text)


@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16])
def test_shuffles_transpose(lanes: int) -> None:
    """By an interpreter of the one instruction that is written."""
    w = Writer()
    rows = [Value(f"%r{n}", "float", lanes) for n in range(lanes)]
    known = {each.name: [(n, lane) for lane in range(lanes)] for n, each in enumerate(rows)}
    found = transposed(w, list(rows))
    for line in map(str, w.lines):
        name, _, words = line.strip().partition(" = shufflevector ")
        low, high, picked = (part.split("<", 1)[-1] for part in words.split(", <", 2))
        both = [*known[low.split()[-1]], *known[high.split()[-1]]]
        known[name] = [both[int(each.split()[-1])] for each in picked.split("<")[-1].rstrip(">").split(", ")]
    assert [known[each.name] for each in found] == [[(n, m) for n in range(lanes)] for m in range(lanes)]
