"""Gradients of whole programs against PyTorch's, hundreds of them."""

from __future__ import annotations

import fusing_programs as programs
import numpy as np
import pytest
import torch
from extent import upto
from labs.compilers.fusing_compiler.backward import with_backward
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.models.fusing.evaluate import evaluate
from labs.models.fusing.graph import walk
from labs.models.fusing.read import read


def agrees(source: str, seed: int = 0) -> None:
    forward = read(source)
    graph = with_backward(forward)
    inputs = programs.numbers(graph.inputs, seed)
    leaves = {each.arg: torch.from_numpy(inputs[each.arg]) for each in forward.inputs}
    for each in leaves.values():
        each.requires_grad_(each.is_floating_point())
    ends = [each for each in programs.in_torch(source, leaves) if each.is_floating_point()]
    seeds = [torch.from_numpy(inputs[each.arg]) for each in graph.inputs[len(forward.inputs) :]]
    wanted_for = [each for each in leaves.values() if each.requires_grad]
    found = evaluate(graph.outputs, inputs)[len(forward.outputs) :]
    if not any(each.requires_grad for each in ends):  # steps alone, such as round
        wanted = tuple(torch.zeros_like(each) for each in wanted_for)
    else:
        wanted = torch.autograd.grad(ends, wanted_for, seeds or [torch.ones_like(ends[0])], materialize_grads=True)
    assert len(found) == len(wanted)
    for mine, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(mine, theirs.numpy(), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", PROGRAMS)
def test_gallery(name: str) -> None:
    agrees(programs.small(PROGRAMS[name]))


def test_generated_programs() -> None:
    for seed in upto(60, 600):
        source = programs.generate(seed)
        try:
            agrees(source, seed)
        except AssertionError as wrong:
            raise AssertionError(f"{source}\n{wrong}") from wrong


@pytest.mark.parametrize(
    "line",
    [
        "relu(x - x)",
        "abs(x * 0)",
        "maximum(x, x * 1)",
        "(x * 0).amax(-1)",
        "clamp(x, -0.5, 0.5).amin(0)",
        "where(x > 0, 0, x).prod(0)",
        "where(x > 0.5, 0, x).prod()",
        "x ** 1 + x ** 0 + (x * x) ** 1.5",
        "x[1:, ::2].sum() + x[0]",
        "floor(x)",
        "x.to(i32).to(f32) * x",
        "x[0] @ x.T @ x",
        "1 / x + log(abs(x)) + sqrt(abs(x))",
        "x * 0 + 1",
        "logsumexp(x, -1) * softmax(x, 0)[:, 0]",
        "exp(x) / exp(x).sum(-1, keepdim=True)",
    ],
)
def test_corners(line: str) -> None:
    agrees(f"def f(x: f32[3, 4]):\n    return {line}\n")


def test_softmax_needs_no_gradient_of_its_maximum() -> None:
    """amax's derivative would compare every element with the maximum."""
    graph = with_backward(read(PROGRAMS["softmax"]))
    assert [node.op for node in walk(graph.outputs)].count("amax") == 1
    assert not any(node.op == "eq" for node in walk(graph.outputs))


def test_names_and_seeds() -> None:
    one = with_backward(read(PROGRAMS["mlp-step"]))
    assert one.names == ("loss", "d_x", "d_t", "d_w1", "d_b1", "d_w2", "d_b2")
    assert len(one.inputs) == 6
    several = with_backward(read("def f(x: f32[4], d_y: f32[4]):\n    y = x * d_y\n    return y\n"))
    assert [each.arg for each in several.inputs] == ["x", "d_y", "d_y_"]
    assert several.names == ("y", "d_x", "d_d_y")
