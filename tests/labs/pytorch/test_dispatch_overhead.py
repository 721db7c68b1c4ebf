"""What is timed is really done: by torch's kernel, by our loop, in inference mode, recorded; the parts add up."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
import pytest
import torch
from disturbed import afresh, undisturbed
from hypothesis import given
from hypothesis import strategies as st
from native.pytorch.dispatch_overhead import COUNT, LAYERS, SIZES, Call, Params, calls, crossing, kernel, parts, run

EXPECTED: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "add": torch.add,
    "mul": torch.mul,
    "neg": lambda x, _: torch.neg(x),
}


@pytest.mark.parametrize("op", kernel.OPS)
@given(n=st.integers(1, 300), seed=st.integers(0, 2**32 - 1))
def test_our_loop_computes_what_torch_does(op: str, n: int, seed: int) -> None:
    x, y = torch.randn(2, n, generator=torch.Generator().manual_seed(seed))
    z = torch.full((n + 1,), -7.5)
    kernel.working(op, x, y, z)(2)
    assert torch.equal(z[:n], EXPECTED[op](x, y))
    assert z[n] == -7.5


@pytest.mark.parametrize("op", kernel.OPS)
def test_the_function_called_from_c_makes_torchs_result(op: str) -> None:
    """What is dropped in each round is read before."""
    torchs = kernel.torch_library()
    x, y = torch.randn(2, 37, generator=torch.Generator().manual_seed(1))
    results = list[np.ndarray]()

    def kept(made: int) -> int:
        at = ctypes.c_void_p()
        assert torchs.aoti_torch_get_data_ptr(ctypes.c_void_p(made), ctypes.byref(at)) == 0
        results.append(np.ctypeslib.as_array(ctypes.cast(at, ctypes.POINTER(ctypes.c_float)), (37,)).copy())
        return int(torchs.aoti_torch_delete_tensor_object(ctypes.c_void_p(made)))

    tensors = (x,) if op == "neg" else (x, y)
    given = [*map(kernel.handle, tensors), *kernel.operands(op), None, None][:3]
    drop = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(kept)
    make = ctypes.CDLL("libstdc++.so.6")._Znwm
    with torch.inference_mode():
        assert kernel.library().results(3, kernel.function(kernel.DIRECT[op]), *given, make, drop) == 0
    assert len(results) == 3
    assert all(np.array_equal(each, EXPECTED[op](x, y).numpy()) for each in results)


@pytest.mark.parametrize("dispatched", [False, True])
@pytest.mark.parametrize("op", kernel.OPS)
def test_a_given_result_is_written(op: str, dispatched: bool) -> None:
    x, y = torch.randn(2, 37, generator=torch.Generator().manual_seed(2))
    z = torch.full((37,), -7.5)
    kernel.into(op, x, y, z, dispatched)(2)
    assert torch.equal(z, EXPECTED[op](x, y))


def test_only_the_dispatched_ones_are_seen_by_a_profiler() -> None:
    """The dispatcher tells a profiler of each call that it makes."""
    x, y = torch.randn(2, 8)
    works = {
        "dispatched": kernel.into("add", x, y, torch.empty(8), dispatched=True),
        "direct": kernel.direct("add", x, y),
        "into": kernel.into("add", x, y, torch.empty(8)),
        "asking": kernel.asking("is_same_size", x, y),
    }
    seen = {}
    for name, work in works.items():
        with torch.autograd.profiler.profile() as profiler:
            work(3)
        seen[name] = [event.name for event in profiler.function_events if event.name.startswith("aten::")]
    assert seen["dispatched"] == ["aten::add"] * 3 and not seen["direct"] and not seen["into"]
    assert seen["asking"].count("aten::is_same_size") == 3


def test_only_one_of_the_two_has_its_result_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[torch.Tensor | None]()
    monkeypatch.setattr(torch, "add", lambda x, y, out: made.append(out))
    x, y = parts.tensors(4)
    calls.into("add", x, y, given=True)(2)
    calls.into("add", x, y, given=False)(2)
    assert made[0] is made[1] is not None and made[2:] == [None, None]
    assert made[0].is_inference(), "else each call would also count versions"


@pytest.mark.parametrize("name", sorted(kernel.ASKED))
def test_the_question_is_dispatched_and_makes_no_tensor(name: str) -> None:
    """Named by a linker as the operator that Python asks: a function of that namespace, name and class."""
    from native.models.demangled import demangled

    assert demangled(kernel.ASKED[name]).startswith(f"at::_ops::{name}::call(")
    x, y = parts.tensors(4)
    two = name == "is_same_size"
    assert getattr(x, name)(*[y] * two) is two
    assert str(torch.ops.aten.__getattr__(name).default._schema).endswith("-> bool")
    kernel.asking(name, *(x, y)[: 1 + two])(3)


def test_what_torch_does_not_export_is_said() -> None:
    with pytest.raises(RuntimeError, match=r"torch 2\.13\S* does not export aoti_torch_cpu_nonsense"):
        kernel.function("aoti_torch_cpu_nonsense")
    with pytest.raises(RuntimeError, match="answered 1"):
        kernel.refuse(1)


def test_only_the_recorded_call_has_a_way_back() -> None:
    """What the loops evaluate is what the reader's line would."""
    seen: list[object] = []

    class Watched:
        def __add__(self, other: object) -> None:
            seen.append((torch.is_grad_enabled(), torch.is_inference_mode_enabled()))

    calls.evaluating("add", Watched(), 1)(2)
    calls.without_autograd(calls.evaluating("add", Watched(), 1))(1)
    assert seen == [(True, False), (True, False), (False, True)]
    x, y = parts.tensors(4, grad=True)
    assert (x + y).grad_fn is not None
    assert all(tensor.grad_fn is None and not tensor.requires_grad for tensor in parts.tensors(4))


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ((0, 0, 0, 0, 0, 0), 0),
        ((0.6, 0.7, 0.8, 0.9, 1, 1), SIZES[0]),
        ((0, 0, 0.25, 0.75, 1, 1), (SIZES[2] * SIZES[3]) ** 0.5),
        ((0, 0, 0, 0, 0.5, 1), SIZES[4]),
    ],
)
def test_the_crossover_lies_between_two_sizes_by_logarithms(shares: tuple[float, ...], expected: float) -> None:
    times = np.array([(100, 100 * share) for share in shares])
    assert crossing(times) == pytest.approx(expected)


@pytest.mark.alone
def test_a_run_opens_the_call_from_the_inside() -> None:
    undisturbed(lambda: afresh(run, Params(repetitions=5, grad=True)), as_work_says)


def as_work_says(logs: list[list[Call]]) -> None:
    for log in logs:
        assert len(log) == 1 + len(LAYERS) + len(SIZES) + 1
        for n, event in enumerate(log):
            assert np.isfinite(event.took[:, 1]).sum() == min(n, len(LAYERS))
            assert np.isfinite(event.by_size[:, 0, 1]).sum() == np.clip(n - len(LAYERS), 0, len(SIZES))
        last = log[-1]
        assert (last.took[:, 0] <= last.took[:, 2]).all()
        assert last.took[:, 1].sum() == pytest.approx(last.call[1], rel=1e-4), "they add up as one call does"
        assert np.isfinite(last.many).all() and last.count == COUNT
    took, many, sizes = (
        np.median([getattr(log[-1], name) for log in logs], axis=0)[..., 1] for name in ("took", "many", "by_size")
    )
    call = np.median([log[-1].call[1] for log in logs])
    part = dict(zip(LAYERS, took, strict=True))
    assert part["arithmetic"] < 0.1 * call  # 256 numbers are nothing
    assert part["Python"] < part["parsing"]
    assert part["dispatch"] < part["preparation"]
    assert part["memory"] > 50 and part["preparation"] > 50
    assert part["autograd"] > 100  # it records
    assert abs(part["unexplained"]) < 0.6 * call, part
    assert many[0] > 5 * many[1]
    assert sizes[-1, 1] > 1000 * sizes[0, 1]
