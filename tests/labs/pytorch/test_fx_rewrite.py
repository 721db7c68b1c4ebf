"""Programs against NumPy in float64, folds against torch's own, bounds against rounding, guards one by one."""

from __future__ import annotations

import itertools
import typing
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch
from labs.contract import LabError
from native.pytorch.fx_rewrite import POSTER, Drawn, Params, check, run
from native.pytorch.fx_rewrite.capture import traced
from native.pytorch.fx_rewrite.check import bounded, compared, inputs, seeded
from native.pytorch.fx_rewrite.folding import folded
from native.pytorch.fx_rewrite.matches import matches
from native.pytorch.fx_rewrite.pictures import Program, Rewrite
from native.pytorch.fx_rewrite.programs import PROGRAMS, Layers
from torch.nn.utils.fusion import fuse_conv_bn_eval

REWRITES = typing.get_args(Rewrite)
Array = Any


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "INPUTS", 8)


def told(**params: Any) -> list[Drawn]:
    return [*run(Params(**params))]


# -- the programs, once more in NumPy ----------------------------------------------------------------------------


def conv(layers: Layers, x: Array) -> Array:
    weight, bias = (each.detach().double().numpy() for each in (layers.conv.weight, layers.conv.bias))
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (2, 3))
    return np.einsum("ncijkl,ockl->noij", windows, weight) + bias[:, None, None]


def norm(layers: Layers, x: Array) -> Array:
    names = ("weight", "bias", "running_mean", "running_var")
    weight, bias, mean, var = (
        getattr(layers.norm, each).detach().double().numpy()[:, None, None] for each in names
    )
    return (x - mean) / np.sqrt(var + layers.norm.eps) * weight + bias


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def expected(program: str, layers: Layers, x: Array) -> Array:
    c = conv(layers, x)
    y = norm(layers, c)
    match program:
        case "block":
            return y * sigmoid(y) + x
        case "second_user":
            return y * sigmoid(y) + c
        case "shared_conv":
            return conv(layers, y * sigmoid(y))
        case "gate":
            return x * sigmoid(c)
        case "equal_terms":
            return sigmoid(x) * x * (sigmoid(x) + 1)
        case "in_place":
            return sigmoid(c + 1) - sigmoid(c)
        case "branch":
            z = -c if c.sum() > 0 else c
            return z * sigmoid(z)
    raise AssertionError(program)


@pytest.mark.parametrize("program", [each for each in PROGRAMS if each != "noise"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_programs_and_bounds_against_numpy(program: str, dtype: torch.dtype) -> None:
    """The float64 run is right, and what the type rounds stays within its bound, and near enough to be told."""
    tightest = 0.0
    for seed in range(3):
        layers = PROGRAMS[program](seed).to(dtype).eval()
        double = PROGRAMS[program](seed).to(dtype).double().eval()
        for number, x in enumerate(inputs(seed, dtype)[seed::4]):
            exact = expected(program, layers, x.double().numpy())
            result, error = bounded(double, x, number, [])
            scale = np.abs(exact).max() + 1
            np.testing.assert_allclose(result.numpy(), exact, rtol=1e-10, atol=1e-12 * scale)
            off = np.abs(seeded(layers, x, number).double().numpy() - exact)
            assert (off <= error.numpy() + 1e-13 * scale).all()
            tightest = max(tightest, float((off / error.numpy()).max()))
    assert tightest > (0.002 if dtype is torch.float32 else 0.04)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_training_stays_within_its_bounds(dtype: torch.dtype) -> None:
    """Batch statistics and dropout: float64 sees the same masks."""
    for program, seed in itertools.product(("block", "second_user", "noise"), range(3)):
        for number, x in enumerate(inputs(seed, dtype)[::6]):
            one = seeded(PROGRAMS[program](seed).to(dtype), x, number).double()
            exact, error = bounded(PROGRAMS[program](seed).to(dtype).double(), x, number, [])
            assert ((one - exact).abs() <= error).all()


# -- folding -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("var", [1e-12, 1e-3, 1.0, 1e4])
def test_a_fold_is_that_of_torch_and_of_the_formula(var: float) -> None:
    for seed in range(8):
        layers = PROGRAMS["block"](seed).eval()
        assert layers.norm.running_var is not None
        layers.norm.running_var.mul_(var)
        ours, theirs = folded(layers.conv, layers.norm), fuse_conv_bn_eval(layers.conv, layers.norm)
        assert ours.bias is not None and theirs.bias is not None
        torch.testing.assert_close(ours.weight, theirs.weight.detach(), rtol=1e-6, atol=0)
        size = float(theirs.bias.detach().abs().max())
        torch.testing.assert_close(ours.bias, theirs.bias.detach(), rtol=1e-6, atol=2e-6 * size)
        x = np.random.default_rng(seed).normal(size=(2, 3, 5, 5))
        exact = norm(layers, conv(layers, x))
        layers.conv = ours
        # Only the rounding of the new weights is left.
        np.testing.assert_allclose(conv(layers, x), exact, atol=3e-6 * np.abs(exact).max())


def test_a_fold_that_forgets_something_small_is_found() -> None:
    """Without eps the weights are off by some millionths: more than rounding, less than most tolerances."""
    layers = PROGRAMS["block"](0).eval()
    graph = traced(layers)
    (match,) = matches(graph, "fold")
    assert match.act is not None and match.safe
    eps, layers.norm.eps = layers.norm.eps, 0.0
    match.act()
    layers.norm.eps = eps
    graph.recompile()
    given = inputs(0, torch.float32)
    u = torch.finfo(torch.float32).eps / 2
    weight, bias = (each.detach().double().abs() for each in (graph.conv.weight, graph.conv.bias))  # type: ignore[union-attr]
    found = compared(layers, graph, given, {"conv.weight": u * weight, "conv.bias": 4 * u * (bias + 1)})
    assert found.worst > 1
    for x in given:  # what a common tolerance does not find
        result = seeded(layers, x, 0)
        assert (seeded(graph, x, 0) - result).abs().max() < 1e-4 * result.abs().max()


# -- verdicts ----------------------------------------------------------------------------------------------------

CARELESS = {
    ("second_user", "fold"): "wrong",
    ("shared_conv", "fold"): "wrong",
    ("block", "fold"): "within",
    ("gate", "silu"): "wrong",
    ("block", "silu"): "within",
    ("second_user", "silu"): "within",
    ("shared_conv", "silu"): "within",
    ("equal_terms", "silu"): "within",
    ("in_place", "merge"): "wrong",
    ("noise", "merge"): "wrong",
}
"""Everything else changes no bit."""
TORCH = CARELESS | {("second_user", "fold"): "equal", ("gate", "silu"): "equal", ("equal_terms", "silu"): "equal"}


@pytest.mark.parametrize("program", [each for each in typing.get_args(Program) if each != "branch"])
@pytest.mark.usefixtures("few")
def test_what_the_check_says(program: str) -> None:
    for rewrite in REWRITES:
        for by, table in (("careless", CARELESS), ("PyTorch", TORCH)):
            end = told(program=program, rewrite=rewrite, by=by, seed=3)[-1]
            assert end.verdict == table.get((program, rewrite), "equal"), (rewrite, by)
            assert end.verdict != "wrong" or end.worst > 1000
        end = told(program=program, rewrite=rewrite, by="guarded", seed=3)[-1]
        careless = CARELESS.get((program, rewrite), "equal")
        assert end.verdict == ("equal" if careless == "wrong" else careless)


@pytest.mark.usefixtures("few")
def test_guards_hold_in_training_and_in_16_bits() -> None:
    wrong = []
    for program, rewrite in itertools.product(("block", "shared_conv"), ("fold", "dropout")):
        for dtype in ("float32", "bfloat16"):
            end = told(program=program, rewrite=rewrite, by="guarded", training=True, dtype=dtype)[-1]
            assert end.verdict == "equal"
            end = told(program=program, rewrite=rewrite, by="careless", training=True, dtype=dtype)[-1]
            wrong.append(end.verdict == "wrong")
        end = told(program=program, rewrite=rewrite, by="guarded", dtype="bfloat16", seed=5)[-1]
        assert end.verdict in ("equal", "within")
    assert wrong == [True] * 6 + [False] * 2  # the shared convolution has no dropout


def test_what_torch_says() -> None:
    end = told(program="block", training=True)[-1]
    assert (end.stage, end.message) == ("failed", "AssertionError: Fusion only for eval")
    (only,) = told(program="branch")
    assert only.stage == "refused" and only.line == 3
    assert only.message.startswith("TraceError: symbolically traced variables cannot be used")
    with pytest.raises(LabError, match="capture with that"):
        told(capture="torch.compile")


# -- pictures ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("few")
def test_graphs_are_those_of_fx() -> None:
    for program, rewrite in (
        ("block", "silu"),
        ("second_user", "fold"),
        ("equal_terms", "merge"),
        ("block", "dropout"),
    ):
        for by in ("careless", "PyTorch"):
            for each in told(program=program, rewrite=rewrite, by=by):
                boxes = {box.name: box for box in each.nodes}
                places = {(box.column, box.row) for box in each.nodes}
                assert len(places) == len(boxes) == len(each.nodes)
                (room,) = each.graphs
                assert all(box.column < room.columns and box.row < room.rows for box in each.nodes)
                assert all(boxes[e.source].column < boxes[e.target].column for e in each.edges)
                assert {*each.now} <= {*boxes}
                assert all(box.into in boxes for box in each.nodes if box.into)
        assert sum(line.startswith("    ") for line in each.code) == sum(b.sort != "input" for b in each.nodes)


def test_the_fold_scales_the_bars() -> None:
    *_, matched, rewritten, checked = told(program="block", by="guarded")
    assert (matched.stage, rewritten.stage, checked.stage) == ("matched", "rewritten", "checked")
    np.testing.assert_allclose(rewritten.weights, matched.weights * matched.factors[:, None], rtol=1e-6)
    assert np.abs(rewritten.weights).max() <= rewritten.span * (1 + 1e-6)
    assert [box.into for box in matched.nodes if box.name == "norm"] == ["conv"]
    assert checked.calls == [5, 4] and checked.moved[0] - checked.moved[1] == 4 * (2 * 216 + 4 * 3)


def test_the_default_run_shows_a_wrong_result_of_torchs_own_pass() -> None:
    events = told()
    assert len(events) == POSTER and events[-1].verdict == "wrong"
    assert [each.holds for each in events[-1].guards] == [True, False, True]
    layers = PROGRAMS["shared_conv"](0).eval()
    x = inputs(0, torch.float32)[-1]
    exact = expected("shared_conv", layers, x.double().numpy())
    layers.conv = folded(layers.conv, layers.norm)
    y = conv(layers, x.double().numpy())
    wrong = conv(layers, y * sigmoid(y))
    assert events[-1].differences[-1] == pytest.approx(np.abs(wrong - exact).max(), rel=1e-4)


# -- Dynamo ------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("few")
def test_dynamo_hands_over_two_graphs_and_no_weights() -> None:
    events = told(program="branch", rewrite="silu", by="guarded", capture="torch.compile")
    assert {box.graph for box in events[-1].nodes} == {0, 1} and events[-1].verdict == "within"
    assert [box.says for box in events[-1].nodes if box.graph] == ["y", "neg", "silu", "output"]
    assert events[-1].calls == [6, 5]
    *_, matched, end = told(program="block", rewrite="fold", by="careless", capture="torch.compile")
    assert [each.holds for each in matched.guards] == [False] and end.verdict == "equal"
    assert [box.sort for box in end.nodes][:1] == ["weights"] and end.calls == [5, 5]
    end = told(program="in_place", rewrite="merge", by="careless", capture="torch.compile")[-1]
    assert end.verdict == "wrong" and end.calls == [5, 4]
