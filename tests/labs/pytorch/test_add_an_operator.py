"""The kernel against NumPy in float64 for random layouts; stations by rule; tests against what they are for."""

from __future__ import annotations

import math
import random
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
from native.models import softcap_kernel
from native.pytorch.add_an_operator import POSTER, Params, Tried, checks, inputs, run, torchs
from native.pytorch.add_an_operator.operator import Choices, Operator
from native.pytorch.add_an_operator.parts import REFERENCES, RULES, SLOPES
from native.pytorch.add_an_operator.pictures import STATIONS


@cache
def log(**params: Any) -> tuple[Tried, ...]:
    return tuple(run(Params(**{"kernel": "right", "test": "missing"} | params)))


def states(**params: Any) -> dict[str, str]:
    return dict(zip(STATIONS, log(**params)[-1].states, strict=True))


def exact(x: torch.Tensor, cap: float) -> np.ndarray:
    with np.errstate(all="ignore"):
        made: np.ndarray = cap * np.tanh(x.double().numpy() / cap)
    return made


def layouts(seed: int) -> torch.Tensor:
    """Up to four dimensions out of a larger tensor: steps, offsets, turned round."""
    choose = random.Random(seed)
    dims = choose.randint(0, 4)
    base = torch.from_numpy(np.random.default_rng(seed).normal(0, 80, [7] * dims + [21])).float()
    for d in range(dims):
        base = base.narrow(d, choose.randint(0, 3), choose.randint(0, 4))
    base = base[..., choose.randint(0, 3) :: choose.randint(1, 3)]
    return base.permute(choose.sample(range(dims + 1), dims + 1))


@pytest.mark.parametrize("seed", range(40))
def test_the_kernel_for_any_strides(seed: int) -> None:
    x = layouts(seed)
    cap = random.Random(seed).choice([0.5, 2.5, 30.0, 1e6])
    y = softcap_kernel.call("right", x, cap)
    assert y.shape == x.shape and y.stride() == torch.empty_like(x).stride()
    np.testing.assert_allclose(y.numpy(), exact(x, cap), rtol=1e-6, atol=0)


def test_the_kernel_at_every_size_of_number() -> None:
    power = torch.logspace(-37, 38, 40_001, dtype=torch.float64).float()
    for x in (power, -power):
        y = softcap_kernel.call("right", x, 30.0)
        np.testing.assert_allclose(y.numpy(), exact(x, 30.0), rtol=5e-7, atol=0)
    edge = torch.tensor([math.nan, math.inf, -math.inf, -0.0, 0.0])
    assert str(softcap_kernel.call("right", edge, 30.0).tolist()) == "[nan, 30.0, -30.0, -0.0, 0.0]"


@pytest.mark.parametrize("n", range(20))
def test_what_the_mistakes_leave_out(n: int) -> None:
    x = torch.arange(1.0, n + 1)
    assert softcap_kernel.call("no tail", x, 30.0).isnan().sum() == n % 8
    every_second = torch.arange(2.0 * n)[::2]
    dense = torch.arange(float(n))
    assert softcap_kernel.call("no strides", every_second, 30.0).equal(softcap_kernel.call("right", dense, 30.0))


def test_references_rules_and_slopes() -> None:
    x = torch.cat([torch.logspace(-300, 300, 2001), -torch.logspace(-300, 300, 2001)]).double()
    np.testing.assert_allclose(REFERENCES["right"](x, 30.0), exact(x, 30.0), rtol=1e-14)
    np.testing.assert_allclose(RULES["right"](x, 2.5), exact(x, 2.5), rtol=1e-14)
    y = torch.linspace(-900, 900, 1001, dtype=torch.float64, requires_grad=True)
    kept = type("Context", (), {"saved_tensors": (y,), "cap": 30.0})()
    slope = SLOPES["right"](kept, torch.ones(1001, dtype=torch.float64))[0]
    assert isinstance(slope, torch.Tensor)
    expected = [1 / math.cosh(each / 30) ** 2 for each in y.tolist()]
    np.testing.assert_allclose(slope.detach(), expected, rtol=1e-12)


WRONG = [
    ({"schema": "missing"}, {"schema": "fails", **dict.fromkeys(STATIONS[1:], "waiting")}),
    ({"schema": "int cap"}, {"schema": "fails", "docs": "fails"}),
    ({"reference": "missing"}, {"reference": "fails", "backward": "fails"}),
    ({"reference": "overflows"}, {"reference": "differs"}),
    ({"meta": "missing"}, {"meta": "fails", "compile": "fails"}),
    ({"meta": "contiguous"}, {"meta": "fails"}),
    ({"backward": "missing"}, {"backward": "fails"}),
    ({"backward": "times cap"}, {"backward": "fails"}),
    ({"kernel": "missing"}, {"kernel": "missing"}),
    ({"kernel": "no tail"}, {"kernel": "differs", "docs": "fails"}),
    ({"kernel": "no strides"}, {"kernel": "differs"}),
    ({"compile": "missing"}, {"compile": "missing"}),
    ({"compile": "branches"}, {"compile": "fails"}),
    ({"compile": "overflows"}, {"compile": "differs"}),
    ({"docs": "missing"}, {"docs": "missing"}),
    ({"docs": "stale"}, {"docs": "fails"}),
    (
        {"kernel": "missing", "reference": "missing"},
        {"reference": "fails", "backward": "fails", "kernel": "fails", "docs": "fails"},
    ),
]


@pytest.mark.parametrize(("params", "expected"), WRONG, ids=str)
def test_each_mistake_shows_where_it_should(params: dict[str, str], expected: dict[str, str]) -> None:
    right = dict.fromkeys(STATIONS, "works") | {"test": "missing"}
    assert states(**params) == right | expected


def test_all_right() -> None:
    *_, end = log(test="ours")
    assert set(end.states) == {"works"} and end.works == 8 and end.caught == 8


def test_each_test_catches_what_it_is_for() -> None:
    at = [each for each in log(test="ours") if each.stage == "test"]
    caught = {(each.station, each.name): each.caught for each in at[-1].mutants}
    assert [*caught] == [*checks.MUTANTS]
    assert [*caught.values()] == [
        "cap=2.5", "edges", "opcheck, transposed", "gradcheck", "layouts", "layouts", "compiled", "doctest",
    ]  # fmt: skip
    assert [each.caught for each in at] == sorted(each.caught for each in at)


def test_the_built_in_checks_see_one_of_eight() -> None:
    built = log(kernel="no tail", test="built-in")
    assert built[-1].caught == 1 and {each.state for each in built[-3].tries} == {"works"}
    assert log(test="plain")[-1].caught == 0


def test_a_kernel_without_strides_fails_where_strides_are_tried() -> None:
    softcap = Operator(Choices(kernel="no strides"))
    failed = {name for name, test in checks.SUITES["ours"].items() if torchs.heard(test, softcap)[1]}
    softcap.close()
    assert failed == {"layouts"}


def test_numbers_that_are_shown() -> None:
    for event in log(kernel="no tail"):
        if event.stage in ("reference", "kernel"):
            for cell in event.tries[-1].cells:
                x = float(cell.given)
                value = 30.0 * math.tanh(x / 30)
                assert math.isnan(x) or abs(float(cell.expected) - value) <= 6e-3 * abs(value)
                assert not cell.right or cell.got == cell.expected


def test_messages_have_no_number_of_ours() -> None:
    for params in ({"schema": "missing"}, {"meta": "missing"}, {"schema": "int cap"}):
        for event in log(**params):
            assert not re.search(r"ours\d", str(event))


def test_nothing_is_left_registered() -> None:
    softcap = Operator(Choices())
    name = f"{softcap.space}::softcap"
    assert softcap(inputs.numbers(3)).tolist() == softcap(inputs.numbers(3), cap=30.0).tolist()
    softcap.close()
    assert not any(name == each for each in torch._C._dispatch_get_all_op_names())


def test_the_poster() -> None:
    shown = [*run(Params(test="missing"))][POSTER - 1]
    assert shown.tries[-1].name == "19 numbers"
    assert [each.got for each in shown.tries[-1].cells].count("") == 3
