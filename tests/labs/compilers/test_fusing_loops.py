"""Loops compute what the graph says: whatever is fused, however it is cut, against NumPy in float64."""

from __future__ import annotations

import fusing_programs as programs
import pytest
from extent import upto
from fusing_agreement import agrees
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.models.fusing.fuse import Policy, fuse
from labs.models.fusing.lower import lower
from labs.models.fusing.read import read

POLICIES: tuple[Policy, ...] = ("none", "greedy", "cost")


@pytest.mark.parametrize("name", PROGRAMS)
def test_gallery_in_loops(name: str) -> None:
    graph = read(programs.small(PROGRAMS[name]))
    agrees(graph, lower(graph.outputs))


def test_generated_programs_in_loops() -> None:
    for seed in upto(40, 300):
        graph = read(programs.generate(seed))
        try:
            agrees(graph, lower(graph.outputs), seed)
        except AssertionError as wrong:
            raise AssertionError(programs.generate(seed)) from wrong


@pytest.mark.parametrize(
    "line",
    [
        "x.reshape(4, 3).T.reshape(12) * 2",  # no strides can say this: it has to be copied
        "x.T.reshape(2, 6) + 1",
        "x[1:, ::2].T @ x[1:, 1:]",
        "(x * 2).reshape(2, 6).sum(0)",
        "x.sum(), x.sum(0), x.amax(-1), x.T",
        "x, x, x + 1",
        "(x > 0).sum(-1)",
        "(x * 40).to(i8) + (x * 90).to(i8)",
        "x.to(bf16) * 3",
        "x @ x[0]",
        "x[:, None] * x[None]",
    ],
)
def test_movements(line: str) -> None:
    graph = read(f"def f(x: f32[3, 4]):\n    return {line}\n")
    agrees(graph, lower(graph.outputs))


def test_products_in_blocks() -> None:
    for rows in (1, 2, 7, 96, 97, 200):
        graph = read(f"def f(x: f32[3, {rows}, 5], y: f32[5, 4]):\n    return x @ y, x.transpose(1, 2) @ x\n")
        for block in (1, 2, 96):
            agrees(graph, lower(graph.outputs, block=block))


@pytest.mark.parametrize("policy", POLICIES)
def test_gallery_fused(policy: Policy) -> None:
    for source in PROGRAMS.values():
        graph = read(programs.small(source))
        agrees(graph, fuse(graph.outputs, policy).program)


@pytest.mark.parametrize("policy", POLICIES)
def test_generated_programs_fused(policy: Policy) -> None:
    for seed in upto(40, 300):
        graph = read(programs.generate(seed))
        try:
            agrees(graph, fuse(graph.outputs, policy).program, seed)
        except AssertionError as wrong:
            raise AssertionError(programs.generate(seed)) from wrong
