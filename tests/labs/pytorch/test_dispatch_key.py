"""What the keys predict is what the call does, in every surrounding: torch's own results are the reference."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
import torch
from native.models.messages import first_sentence
from native.pytorch.dispatch_key import Params, Walk, calls, run
from native.pytorch.dispatch_key.calls import OPERATORS

EVERY = [
    Params(op, tensor, grad, mode, autocast, watched)
    for op, tensor, grad, mode, autocast, watched in product(
        OPERATORS,
        ("dense", "sparse", "meta"),
        (False, True),
        ("grad", "no_grad", "inference_mode"),
        (False, True),
        (False, True),
    )
]  # 720 of them, in about two seconds


def ran(event: Walk) -> set[str]:
    return {key for key, state in zip(event.keys, event.state, strict=True) if state == "ran"}


def composite(event: Walk) -> bool:
    return any(
        kind == "math kernel" and state == "ran" for kind, state in zip(event.registered, event.state, strict=True)
    )


@pytest.mark.parametrize("op", OPERATORS)
def test_the_keys_predict_what_the_call_does(op: str) -> None:
    for params in (each for each in EVERY if each.op == op):
        log = list(run(params))
        last = log[-1]
        if "no kernel" in last.state:
            assert "Could not run" in last.error, params
        if last.error:
            assert "no kernel" in last.state or composite(last) or params.tensor != "dense", (params, last.error)
            continue
        keys = ran(last)
        autograd = next((key for key in keys if key.startswith("Autograd")), None)
        records = params.grad and params.mode == "grad" and op != "empty"
        before = params.grad and op == "add_"  # x is no leaf, and keeps its history
        assert bool(last.grad_fn) == (records or before), params
        if records:
            assert autograd, params
        if params.mode == "inference_mode":
            assert autograd is None, params
        assert (last.dtype == "bfloat16") == ("AutocastCPU" in keys), params
        # A composite kernel at autograd's key calls others; at a backend's key nothing above has seen them.
        taken_apart = composite(last) and autograd is not None
        seen = any(each.startswith(f"aten.{op}.") for each in last.reached)
        assert seen == (not taken_apart), (params, last.reached)
        if params.watched and not composite(last):
            assert "Python" in keys, params


@pytest.mark.parametrize("op", OPERATORS)
def test_a_batch_is_one_call(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies below autograd hears of a batch what it hears of another size, not one call for each x."""
    for params in (replace(each, vmap=True) for each in EVERY[::5] if each.op == op and not each.watched):
        last = [*run(params)][-1]
        names = [key for key, state in zip(last.keys, last.state, strict=True) if state == "ran"]
        assert names[0] == "FuncTorchDynamicLayerFrontMode"
        assert (names[-1] == "FuncTorchBatched") == (op != "empty"), params
        monkeypatch.setattr(calls, "BATCH", 7)
        more = [*run(params)][-1]
        monkeypatch.undo()
        assert (last.reached, last.grad_fn, last.dtype) == (more.reached, more.grad_fn, more.dtype), params
        assert bool(last.error) == bool(more.error) and (not last.error or params.tensor == "sparse"), params
        if not last.error:
            alone = [*run(replace(params, vmap=False))][-1]
            assert bool(last.grad_fn) == bool(alone.grad_fn), params
            # Of conv2d, which autocast converts, the batch's kernel makes a convolution, which it does not.
            assert last.dtype == ("float32" if op == "conv2d" else alone.dtype), params


def test_an_event_for_each_key_that_has_its_turn() -> None:
    for params in EVERY[::7]:
        log = list(run(params))
        last = log[-1]
        turns = [key for key, state in zip(last.keys, last.state, strict=True) if state != "not reached"]
        assert [event.stage for event in log] == ["set", *turns, "result"]
        assert [event.at for event in log] == [-1, *range(len(turns)), len(last.keys)]
        assert set(log[0].state) == {"waiting"}
        met = [(key, state) for key, state in zip(last.keys, last.state, strict=True) if key in turns]
        out = [key for key, taken in zip(last.keys, log[0].excluded, strict=True) if taken and key in turns]
        assert out == [key for key, state in met if state == "excluded"]
        assert "waiting" not in last.state


def test_the_kernel_that_computes_is_the_one_that_torch_has_for_that_key() -> None:
    for params in EVERY[::5]:
        *_, last = run(params)
        for key, where in zip(last.keys, last.kernel, strict=True):
            assert torch._C._dispatch_has_computed_kernel_for_dispatch_key(last.operator, key) == bool(where)


def test_a_long_message_is_cut_after_its_first_sentence() -> None:
    assert first_sentence("Could not run it. This could be because …") == "Could not run it."
    assert first_sentence("two\nlines") == "two."
