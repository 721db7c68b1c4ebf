"""Machine code computes what the graph says: on any lanes, threads and processors, against NumPy in float64."""

from __future__ import annotations

import os
from dataclasses import replace

import fusing_programs as programs
import numpy as np
import pytest
import torch
from extent import upto
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.models.fusing.evaluate import evaluate, rounded
from labs.models.fusing.fuse import fuse
from labs.models.fusing.loops import (
    Apply,
    Buffer,
    Const,
    Index,
    Kernel,
    Load,
    Loop,
    Product,
    Program,
    Ref,
    Start,
    Store,
    Update,
    statements,
)
from labs.models.fusing.lower import lower
from labs.models.fusing.read import Graph, read
from native.models.compiler.compiled import Compiled, tensors
from native.models.compiler.machine import here
from native.models.compiler.phases import Machine

HERE = here(2)
SHARING = replace(HERE, worth=0)
"""Gives the smallest loop to several threads."""
MACHINES = {
    "here": HERE,
    "sharing": SHARING,
    "old": Machine(16, False, 1),
    "around the caches": replace(SHARING, cache=0),
    "AVX2": Machine(32, False, 3, 0, large=0),
}


def agrees(graph: Graph, program: Program, machine: Machine, seed: int = 0) -> None:
    inputs = programs.numbers(graph.inputs, seed)
    inputs |= {each.arg: rounded(inputs[each.arg]) for each in graph.inputs if each.dtype == "bf16"}
    loose = any(each.dtype == "bf16" for each in program.buffers)
    found = Compiled(program, machine)(*tensors(program, inputs))
    wanted = evaluate(graph.outputs, inputs)
    for ours, theirs in zip(found if isinstance(found, tuple) else (found,), wanted, strict=True):
        assert tuple(ours.shape) == theirs.shape
        close = 2e-2 if loose else 2e-4
        np.testing.assert_allclose(ours.to(torch.float64), theirs.astype(np.float64), rtol=close, atol=close)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_gallery(name: str, machine: str) -> None:
    graph = read(programs.small(PROGRAMS[name]))
    for program in (lower(graph.outputs), fuse(graph.outputs).program):
        agrees(graph, program, MACHINES[machine])


@pytest.mark.parametrize("machine", MACHINES)
def test_generated_programs(machine: str) -> None:
    for seed in upto(8, 40):
        graph = read(programs.generate(seed))
        try:
            agrees(graph, fuse(graph.outputs).program, MACHINES[machine], seed)
        except AssertionError as wrong:
            raise AssertionError(programs.generate(seed)) from wrong


@settings(deadline=None, max_examples=40)
@given(
    rows=st.integers(1, 200),
    depth=st.integers(1, 700),
    columns=st.integers(1, 90),
    turned=st.sampled_from(["x @ y", "x.T @ y", "x @ y.T", "(x.T @ y.T)", "x[:, ::2] @ y[::2]"]),
    block=st.sampled_from([9, 96, 112]),
    kind=st.sampled_from(["f32", "bf16", "i8"]),
    seed=st.integers(0, 99),
)
def test_products_of_any_sides(
    rows: int, depth: int, columns: int, turned: str, block: int, kind: str, seed: int
) -> None:
    left = f"{depth}, {rows}" if "x.T" in turned else f"{rows}, {depth}"
    right = f"{columns}, {depth}" if "y.T" in turned else f"{depth}, {columns}"
    graph = read(f"def f(x: {kind}[{left}], y: {kind}[{right}]):\n    return {turned}\n")
    agrees(graph, lower(graph.outputs, block=block), SHARING, seed)


@settings(deadline=None, max_examples=12)
@given(
    batch=st.sampled_from(["", "2, "]),
    queries=st.integers(1, 260),
    keys=st.integers(1, 600),
    wide=st.integers(1, 40),
    seed=st.integers(0, 99),
)
def test_attention_over_blocks_of_keys_and_of_queries(
    batch: str, queries: int, keys: int, wide: int, seed: int
) -> None:
    """Blocks that are whole and blocks that are not, in both directions: each has a right side of its own."""
    shapes = f"q: f32[{batch}{queries}, 8], k: f32[{batch}{keys}, 8], v: f32[{batch}{keys}, {wide}]"
    graph = read(f"def f({shapes}):\n    return softmax(q @ k.transpose(-1, -2) * 0.3, -1) @ v\n")
    agrees(graph, fuse(graph.outputs).program, SHARING, seed)


def test_products_of_bytes_are_exact() -> None:
    """Floats count up to 2**24 without a gap; longer sums have to be taken out of them in time."""
    graph = read("def f(x: i8[40, 3001], y: i8[3001, 70]):\n    return x @ y\n")
    code = Compiled(lower(graph.outputs), SHARING)
    least = torch.full((40, 3001), -128, dtype=torch.int8), torch.full((3001, 70), -128, dtype=torch.int8)
    random = np.random.default_rng(0)
    some = tuple(torch.from_numpy(random.integers(-128, 128, each.shape, np.int8)) for each in least)
    for x, y in (least, some):
        np.testing.assert_array_equal(code(x, y), x.numpy().astype(np.int64) @ y.numpy().astype(np.int64))


@pytest.mark.parametrize("kind", ["f32", "f64", "bf16", "i8", "i32"])
def test_batches_of_products(kind: str) -> None:
    graph = read(f"def f(x: {kind}[3, 50, 33], y: {kind}[3, 33, 40]):\n    return x @ y\n")
    for machine in MACHINES.values():
        agrees(graph, lower(graph.outputs), machine)


@pytest.mark.parametrize("n", [1, 2, 15, 16, 17, 63, 64, 65, 1000, 4099])
@pytest.mark.parametrize("kind", ["f32", "f64", "bf16", "i8"])
def test_every_length(n: int, kind: str) -> None:
    graph = read(
        f"def f(x: {kind}[{n}], y: {kind}[{n}]):\n    return x + y * x, (x > y).to(f32), x.to(f32).mean()\n"
    )
    for machine in MACHINES.values():
        agrees(graph, fuse(graph.outputs).program, machine, n)


def folded(monoid: str, n: int, kind: str = "parallel") -> Program:
    """A kernel by hand: a monoid over n numbers, in vectors, and each of its parts in the end."""
    names = {"softmax": ("m", "s"), "moments": ("n", "mean", "M2")}.get(monoid, ("a",))
    at = Index((("o", 128), ("i", 1)))
    x = Load("x", at, "f32")
    one, none = Const(1.0, "f32"), Const(0.0, "f32")
    element = {"softmax": (x, one), "moments": (one, x, none)}.get(monoid, (x,))
    inner = Loop("i", 128, (Update(names, monoid, element),), "vector", "o", n)
    loop = Loop("o", -(-n // 128), (inner,), kind)  # type: ignore[arg-type]
    ends = tuple(Store("out", Index((), part), Ref(name, "f32")) for part, name in enumerate(names))
    buffers = (Buffer("x", "f32", n, "input"), Buffer("out", "f32", len(names), "output"))
    kernel = Kernel("k", buffers, (Start(names, monoid, "f32"), loop, *ends))
    return Program(buffers, (kernel,), {"x": (n,), "out": (len(names),)})


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("n", [1, 100, 128, 5000])
def test_monoids_in_lanes_and_pieces(n: int, machine: str) -> None:
    x = np.random.default_rng(n).normal(3, 2, n).astype(np.float32)
    far = x.astype(np.float64)
    wanted = {
        "sum": [far.sum()],
        "amax": [far.max()],
        "amin": [far.min()],
        "softmax": [far.max(), np.exp(far - far.max()).sum()],
        "moments": [n, far.mean(), ((far - far.mean()) ** 2).sum()],
    }
    for monoid, values in wanted.items():
        found = Compiled(folded(monoid, n), MACHINES[machine])(torch.tensor(x))
        np.testing.assert_allclose(found, values, rtol=2e-5, atol=1e-4)


@pytest.mark.parametrize("monoid", ["softmax", "amax", "amin", "sum", "moments"])
def test_not_a_number_is_not_lost(monoid: str) -> None:
    for place in (0, 77, 299):
        x = torch.zeros(300)
        x[place] = torch.nan
        found = Compiled(folded(monoid, 300), SHARING)(x)
        assert found[-1].isnan(), place


def test_a_sum_in_pieces_is_the_same_every_time() -> None:
    code = Compiled(folded("sum", 100_003), SHARING)
    x = torch.randn(100_003, generator=torch.Generator().manual_seed(1))
    assert len({float(code(x)) for _ in range(200)}) == 1


def test_minus_infinity_alone_has_no_weight() -> None:
    x = torch.full((300,), -torch.inf)
    x[123] = 2.0
    assert Compiled(folded("softmax", 300), SHARING)(x).tolist() == [2.0, 1.0]


def test_inputs_have_to_be_what_was_said() -> None:
    code = Compiled(folded("sum", 8), HERE)
    for wrong in (torch.zeros(9), torch.zeros(8, dtype=torch.float64), torch.zeros(16)[::2]):
        with pytest.raises(ValueError, match=r"x has to be \[8\], torch.float32, one row after the other"):
            code(wrong)
    with pytest.raises(ValueError, match="2 tensors for 1"):
        code(torch.zeros(8), torch.zeros(8))


def test_a_child_has_a_team_of_its_own() -> None:
    """Threads do not survive a fork: the child must not wait for its parent's."""
    code = Compiled(folded("sum", 5000), SHARING)
    x = torch.ones(5000)
    assert code(x).item() == 5000
    if not (pid := os.fork()):
        os._exit(0 if code(x).item() == 5000 else 1)
    assert os.waitpid(pid, 0)[1] == 0


def test_lanes_that_stick_out_touch_nothing() -> None:
    """The numbers behind the end are neither read, nor written to."""
    n = 21
    at = Index((("o", 16), ("i", 1)))
    value = Apply("add", (Load("x", at, "f32"), Const(1, "f32")), "f32")
    loop = Loop("o", 2, (Loop("i", 16, (Store("y", at, value),), "vector", "o", n),))
    buffers = (Buffer("x", "f32", n, "input"), Buffer("y", "f32", 64, "output"))
    program = Program(buffers, (Kernel("k", buffers, (loop,)),), {"x": (n,), "y": (64,)})
    for machine in MACHINES.values():
        y = torch.full((64,), -7.0)
        Compiled(program, machine).into((y,), torch.zeros(n))
        assert y.tolist() == [1.0] * n + [-7.0] * (64 - n)


@pytest.mark.parametrize(("queries", "keys"), [(1, 256), (4, 256), (4, 300), (300, 300)])
def test_threads_share_queries_and_never_blocks_of_keys(queries: int, keys: int) -> None:
    """A block of keys goes on from the maxima and sums of the block before."""
    shapes = f"q: f32[{queries}, 8], k: f32[{keys}, 8], v: f32[{keys}, 3]"
    graph = read(f"def f({shapes}):\n    return softmax(q @ k.T * 0.3, -1) @ v\n")
    (kernel,) = fuse(graph.outputs).program.kernels
    shared = [each for each in kernel.body if isinstance(each, Loop) and each.kind == "parallel"]
    carrying = [
        each
        for each in kernel.body
        if isinstance(each, Loop) and any(isinstance(inner, Product) for inner in statements(each.body))
    ]
    assert (carrying[0] in shared) == (queries > 128), "few queries are one block: the loop outside goes over keys"
    for seed in range(8):
        agrees(graph, fuse(graph.outputs).program, SHARING, seed)
