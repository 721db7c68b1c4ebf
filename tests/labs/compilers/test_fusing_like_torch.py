"""Whole numbers, powers and bounds as PyTorch has them: portable, as loops, and in machine code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import pytest
import torch
from labs.compilers.fusing_compiler.backward import with_backward
from labs.models.fusing.evaluate import Array, evaluate
from labs.models.fusing.fuse import fuse
from labs.models.fusing.graph import Node
from labs.models.fusing.interpret import interpret
from labs.models.fusing.lower import lower
from labs.models.fusing.passes import Passes, optimised
from labs.models.fusing.read import read
from labs.models.fusing.rewrite import GROUPS, Rewriter
from labs.models.programs.trouble import ProgramError
from native.compilers.fused_kernels.compiled import Compiled, tensors
from native.compilers.fused_kernels.machine import here
from native.compilers.fused_kernels.phases import Machine

DTYPES = {"i32": torch.int32, "i8": torch.int8, "f32": torch.float32, "f64": torch.float64}


def ways(outputs: Sequence[Node], inputs: Mapping[str, Array]) -> Iterator[list[Array]]:
    yield evaluate(outputs, inputs, exact=False)
    for program in (lower(outputs), optimised(fuse(outputs).program, Passes())[0]):
        yield interpret(program, inputs)
        for machine in (here(1), Machine(16, False)):
            found = Compiled(program, machine)(*tensors(program, inputs))
            yield [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]


def rewritten(source: str, *groups: str) -> tuple[Node, ...]:
    graph = read(source)
    for step in Rewriter(graph, groups).run():
        graph = step.graph
    return graph.outputs


NUMBERS = np.array([*range(-20, 21), 127, -128, 98, -98])
OTHERS = np.array([3, -3, 1, 49, -1, 2, -5, 127, 11] * 5)


@pytest.mark.parametrize("dtype", ["i32", "i8"])
@pytest.mark.parametrize(
    "line", ["x // y", "x // 3", "x // -7", "100 // y", "x // 4 * 4", "x // 49", "x // y[3:4]"]
)
def test_a_whole_quotient_is_a_whole_number(line: str, dtype: str) -> None:
    given = {"x": NUMBERS, "y": OTHERS}
    source = f"def f(x: {dtype}[45], y: {dtype}[45]):\n    return {line}, x + y * 0\n"
    wanted = eval(line, {name: torch.tensor(each).to(DTYPES[dtype]) for name, each in given.items()})
    for outputs in (read(source).outputs, rewritten(source, *GROUPS)):
        assert outputs[0].dtype == dtype
        for found in ways(outputs, given):
            np.testing.assert_array_equal(found[0], wanted)


def test_a_whole_quotient_at_the_ends_of_the_range() -> None:
    random = np.random.default_rng(0)
    x = np.r_[random.integers(-(2**31), 2**31, 999), 2**31 - 1]
    y = np.r_[random.integers(1, 2**31, 500), random.integers(1, 50, 500)] * random.choice([-1, 1], 1000)
    outputs = read("def f(x: i32[1000], y: i32[1000]):\n    return x // y\n").outputs
    for found in ways(outputs, {"x": x, "y": y}):
        np.testing.assert_array_equal(found[0], x // y)


def test_floats_and_conditions_in_whole_quotients() -> None:
    assert read("def f(x: i32[4]):\n    return x // 2.0\n").outputs[0].dtype == "f32"
    assert read("def f(x: i8[4], y: i32[4]):\n    return x // y\n").outputs[0].dtype == "i32"
    with pytest.raises(ProgramError, match="line 2, column 12: // of conditions: cast them first"):
        read("def f(x: bool[4]):\n    return x // x\n")


@pytest.mark.parametrize("dtype", ["i32", "i8"])
@pytest.mark.parametrize("power", [0, 1, 2, 7, 8, 9, 10, 13, 31, 64])
def test_powers_of_whole_numbers(power: int, dtype: str) -> None:
    """As in float64 while that holds them; beyond, i32 wraps around, and i8 stays at the end of its range."""
    outputs = read(f"def f(x: {dtype}[45]):\n    return x ** {power}\n").outputs
    exact = [int(each) ** power for each in NUMBERS.tolist()]
    wrapped = np.array([(each + 2**31) % 2**32 - 2**31 for each in exact])
    small = np.abs(NUMBERS.astype(np.float64) ** power) < 2**31
    np.testing.assert_array_equal(wrapped[small], (NUMBERS.astype(np.float64) ** power)[small])
    for found in ways(outputs, {"x": NUMBERS}):
        np.testing.assert_array_equal(found[0], wrapped.clip(-128, 127) if dtype == "i8" else wrapped)


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize("power", [0, 1, 3, 8, 9, 12, 20, 33, -1, -9, 0.5, 2.5])
def test_powers_of_floats(power: float, dtype: str) -> None:
    x = np.r_[np.random.default_rng(1).uniform(0.3, 3, 1000), 0, 1, np.inf, np.nan]
    if float(power).is_integer():
        x *= np.resize([1, -1], x.size)
    x = x.astype("f4" if dtype == "f32" else "f8")
    outputs = read(f"def f(x: {dtype}[{x.size}]):\n    return x ** {power}\n").outputs
    with np.errstate(all="ignore"):
        wanted = x.astype(np.float64) ** power
    for found in ways(outputs, {"x": x}):
        np.testing.assert_allclose(found[0], wanted, rtol=4 * np.finfo(x.dtype).eps)


BOUNDS = np.array([-np.inf, -2, -0.5, -0.25, -0.0, 0.0, 0.25, 0.75, 1, np.inf, np.nan])


@pytest.mark.parametrize("dtype", ["f32", "f64"])
@pytest.mark.parametrize(
    ("line", "function"),
    [
        ("clamp(x, -0.5, 0.75)", lambda x: torch.clamp(x, -0.5, 0.75)),
        ("clamp(x, min=0)", lambda x: torch.clamp(x, min=0)),
        ("clamp(x, max=0.25)", lambda x: torch.clamp(x, max=0.25)),
        ("clamp(x, 1, -2)", lambda x: torch.clamp(x, 1, -2)),
        ("relu(x)", torch.relu),
    ],
)
def test_bounds_and_their_slopes(line: str, function: Callable[[torch.Tensor], torch.Tensor], dtype: str) -> None:
    graph = with_backward(read(f"def f(x: {dtype}[11]):\n    y = {line}\n    return y\n"))
    x = torch.tensor(BOUNDS, dtype=DTYPES[dtype], requires_grad=True)
    slopes = torch.arange(1, 12, dtype=x.dtype)
    wanted = function(x)
    (gradient,) = torch.autograd.grad(wanted, x, slopes)
    for found in ways(graph.outputs, {"x": BOUNDS, "d_y": slopes.numpy()}):
        np.testing.assert_array_equal(found[0], wanted.detach())
        np.testing.assert_array_equal(found[1][:-1], gradient[:-1])  # of what is no number none is asked
