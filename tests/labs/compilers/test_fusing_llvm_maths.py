"""Our own exp, log, tanh, sigmoid, erf and GELU against float64, over the whole line and at its ends."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from labs.models.fusing.loops import Apply, Buffer, Index, Kernel, Load, Loop, Program, Store
from native.models.compiler.compiled import Compiled
from native.models.compiler.machine import here
from native.models.compiler.phases import Machine
from numpy.typing import NDArray

Array = NDArray[Any]
MACHINES = {"here": here(1), "without AVX-512": Machine(32, False), "old": Machine(16, False)}
NUMPY = {"f32": np.float32, "f64": np.float64}


def run(op: str, x: Array, dtype: str, machine: Machine) -> Array:
    at = Index((("o", 16), ("i", 1)))
    body = (Store("y", at, Apply(op, (Load("x", at, dtype),), dtype)),)
    loop = Loop("o", -(-x.size // 16), (Loop("i", 16, body, "vector", "o", x.size),))
    buffers = (Buffer("x", dtype, x.size, "input"), Buffer("y", dtype, x.size, "output"))
    program = Program(buffers, (Kernel("k", buffers, (loop,)),), {"x": x.shape, "y": x.shape})
    return np.asarray(Compiled(program, machine)(torch.tensor(x)))


def torched(name: str) -> Callable[[Array], Array]:
    return lambda x: np.asarray(getattr(torch.special, name)(torch.tensor(x)))


def gelu(x: Array) -> Array:
    return np.where(x == -np.inf, 0, 0.5 * x * torched("erfc")(-x / math.sqrt(2)))


TRUTH: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp,
    "log": np.log,
    "tanh": np.tanh,
    "erf": torched("erf"),
    "sigmoid": lambda x: np.where(x >= 0, 1, np.exp(-np.abs(x))) / (1 + np.exp(-np.abs(x))),
    "gelu": gelu,
}
ULPS = {
    "f32": {"exp": 1.0, "log": 1.0, "tanh": 2.0, "sigmoid": 2.5, "erf": 2.5},
    "f64": {"exp": 1.5, "log": 1.5, "tanh": 2.5, "sigmoid": 3.0, "erf": 3.5},
}
RANGES = {"exp": (-104, 90), "log": (0, 10), "tanh": (-10, 10), "sigmoid": (-80, 104), "erf": (-5, 5)}
EDGES = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1e-38, -1e-38, 1e38, -1e38, 1.0, -1.0]


def line(op: str, dtype: str) -> Array:
    """Evenly over where something happens, around 0, and over all powers of ten."""
    random = np.random.default_rng(0)
    powers = 10.0 ** random.uniform(-37, 37, 20_000) * random.choice([-1, 1], 20_000)
    x = np.concatenate([random.uniform(*RANGES.get(op, (-6, 6)), 200_000), random.normal(0, 0.1, 50_000), powers])
    return np.asarray((np.abs(x) if op == "log" else x).astype(NUMPY[dtype]))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("dtype", "op"), [(dtype, op) for dtype, ops in ULPS.items() for op in ops])
def test_last_places(op: str, dtype: str, machine: str) -> None:
    x = line(op, dtype)
    found, kind = run(op, x, dtype, MACHINES[machine]), NUMPY[dtype]
    with np.errstate(all="ignore"):
        wanted = TRUTH[op](x.astype(np.longdouble if op in ("exp", "log", "tanh") else np.float64))
        near = wanted.astype(kind)
        finite = np.isfinite(near) & (np.abs(near) >= np.finfo(kind).tiny)
        far = np.abs(found.astype(np.longdouble) - wanted)[finite] / np.spacing(np.abs(near[finite]))
    assert far.max() <= ULPS[dtype][op]
    np.testing.assert_array_equal(np.isinf(found), np.isinf(near))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("op", TRUTH)
@pytest.mark.parametrize("dtype", NUMPY)
def test_ends_of_the_line(op: str, dtype: str, machine: str) -> None:
    x = np.array(EDGES, NUMPY[dtype])
    if op == "gelu" and dtype == "f64":
        x = x[x != -np.inf]
    with np.errstate(all="ignore"):
        wanted = TRUTH[op](x.astype(np.float64)).astype(NUMPY[dtype])
    np.testing.assert_allclose(run(op, x, dtype, MACHINES[machine]), wanted, rtol=1e-6, atol=1e-44)


@pytest.mark.parametrize("machine", MACHINES)
def test_gelu_everywhere(machine: str) -> None:
    """As near to the truth as what PyTorch does, which takes other ways with AVX2 and with AVX-512."""
    x = np.concatenate([np.linspace(-40, 40, 400_001), line("gelu", "f32")]).astype(np.float32)
    x = x[np.abs(x) < 1e30]
    wanted = gelu(x.astype(np.float64))
    ours = run("gelu", x, "f32", MACHINES[machine])
    theirs = np.asarray(torch.nn.functional.gelu(torch.tensor(x)))
    some = (x != 0) & (np.abs(x) < 8)
    for scale in (np.ones_like(wanted), np.abs(x.astype(np.float64)) + (x == 0)):
        errors = [np.max((np.abs(each - wanted) / scale)[some]) for each in (ours, theirs)]
        assert errors[0] < 5e-7 and errors[0] < 1.5 * errors[1]
    assert np.abs(ours - wanted)[np.abs(x) < 4].max() < 2.5e-7
    tail = (x < 0) & (x > -4.5)
    assert np.max(np.abs(ours - wanted)[tail] / np.abs(wanted[tail])) < 1e-5
    assert (ours[x > 8] == x[x > 8]).all() and (np.abs(ours[x < -14]) < 1e-40).all()
