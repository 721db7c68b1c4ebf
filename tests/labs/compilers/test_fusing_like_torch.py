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
from native.models.compiler.compiled import Compiled, tensors
from native.models.compiler.machine import here
from native.models.compiler.phases import Machine

DTYPES = {"i64": torch.int64, "i32": torch.int32, "i8": torch.int8, "f32": torch.float32, "f64": torch.float64}


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
    """As in float64 while that holds them; beyond, they wrap around."""
    outputs = read(f"def f(x: {dtype}[45]):\n    return x ** {power}\n").outputs
    exact = [int(each) ** power for each in NUMBERS.tolist()]
    wrapped = np.array([(each + 2**31) % 2**32 - 2**31 for each in exact])
    small = np.abs(NUMBERS.astype(np.float64) ** power) < 2**31
    np.testing.assert_array_equal(wrapped[small], (NUMBERS.astype(np.float64) ** power)[small])
    for found in ways(outputs, {"x": NUMBERS}):
        np.testing.assert_array_equal(found[0], wrapped.astype(np.int8) if dtype == "i8" else wrapped)


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


WHOLE_LINES = (
    *("x.sum()", "x.sum(0)", "y.prod(-1)", "x + y", "x * y", "x * x * x", "-x - y", "abs(x)", "x.to(i8) * 3"),
    *(
        "x.amax()",
        "y.amin(0)",
        "maximum(x, y)",
        "x.to(i32) * y.to(i32)",
        "(x > y).sum(1)",
        "x @ y.T",
        "y.max(0)[0]",
    ),
    *("x.to(i64) * 3037000500", "x.sum() * y", "(x.sum() * 715827883).to(i32)", "(x * y).to(f32)"),
)


@pytest.mark.parametrize("dtype", ["i64", "i32", "i8", "bool"])
def test_whole_numbers_have_the_types_and_the_ends_of_pytorchs(dtype: str) -> None:
    random = np.random.default_rng(5)
    ends = {"i64": 2**40, "i32": 2**31 - 1, "i8": 127, "bool": 1}[dtype]
    given = {name: random.integers(-ends - 1 if ends > 1 else 0, ends + 1, (3, 5)) for name in "xy"}
    given |= {name: each.astype(bool) for name, each in given.items() if dtype == "bool"}
    types = DTYPES | {"bool": torch.bool}
    theirs = {name: torch.tensor(each).to(types[dtype]) for name, each in given.items()}
    for line in WHOLE_LINES:
        counted = line.startswith(("x.sum", "(x >", "x.to"))
        if (dtype == "i8" and "@" in line) or (dtype == "bool" and not counted):
            continue  # PyTorch adds products of bytes up as bytes, and takes conditions for numbers here and there
        graph = read(f"def f(x: {dtype}[3, 5], y: {dtype}[3, 5]):\n    return {line}, x, y\n")
        wanted = eval(line, types | {"maximum": torch.maximum} | theirs)
        assert graph.outputs[0].dtype == {value: name for name, value in types.items()}[wanted.dtype], line
        for found in ways(graph.outputs, given):
            np.testing.assert_allclose(
                found[0], wanted, rtol=1e-6 if wanted.is_floating_point() else 0, err_msg=line
            )


FORMS = (
    *(
        "x.T",
        "x.T.exp().T",
        "x[0].T @ x[0]",
        "x.max(-1)[0]",
        "x.min(dim=0)[0] * 2",
        "x.max(1, keepdim=True)[0] - x",
    ),
    *(
        "x.max(-1).values",
        "x.max()",
        "x.flatten()",
        "x.flatten(1)",
        "x.flatten(0, 1).T",
        "x[:, :1].expand(-1, 3, -1)",
    ),
    *("x[0, 0].expand(5, -1)", "sin(x) * cos(x)", "cat([x, y], 1)", "cat([x, x.exp(), x[:1]]).sum(0)"),
    *("cat([x, y], dim=-2).T", "stack([x, x * 2])", "stack([x, sin(x)], -1)", "where(x > 0, x, -1e30)"),
    *("softmax(where(x > 0, x, float('-inf')), -1).sum(0)", "cat([x > 0, x > 1], -1)", "x * -1e30", "x.mT"),
)


def in_pytorch(line: str, given: Mapping[str, torch.Tensor]) -> torch.Tensor:
    names = "sin cos cat stack where softmax"
    found = eval(line, {name: getattr(torch, name) for name in names.split()} | dict(given))
    assert isinstance(found, torch.Tensor)
    return found


@pytest.mark.filterwarnings("ignore:The use of `x.T`")
@pytest.mark.parametrize("line", FORMS)
def test_forms_are_pytorchs(line: str) -> None:
    random = np.random.default_rng(2)
    given = {name: random.standard_normal((2, 3, 4)) for name in "xy"}
    source = f"def f(x: f32[2, 3, 4], y: f32[2, 3, 4]):\n    return {line}, x + y\n"
    wanted = in_pytorch(line, {name: torch.tensor(each, dtype=torch.float32) for name, each in given.items()})
    for outputs in (read(source).outputs, rewritten(source, *GROUPS)):
        for found in ways(outputs, given):
            assert found[0].shape == tuple(wanted.shape)
            np.testing.assert_allclose(found[0], wanted, rtol=3e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("x.max(-1) + 1", r"values and places, which max and min of an axis are in PyTorch; write \[0\]"),
        ("x.max(-1)", "f returns values and places"),
        ("x.max(-1)[1] + x", "the places of max or min, which are not computed"),
        ("x.cumsum(0)", "write t @ x"),
        ("arange(4) * x", "give it as a parameter"),
        ("x.argmax(-1)", "amax is"),
        ("cat([x, x[:, :1]], 0)", "only the lengths of axis 0 may differ"),
        ("cat(x)", "cat takes tensors in"),
    ],
)
def test_what_is_not_computed_is_refused_by_name(line: str, words: str) -> None:
    with pytest.raises(ProgramError, match=words):
        read(f"def f(x: f32[2, 3]):\n    return {line}\n")
