"""What the chapter on the dispatcher says, asked of its lab and of torch."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch
from article import Article
from native.pytorch.dispatch_key import Params, Walk, run
from native.pytorch.dispatch_key.asking import BACKENDS
from native.pytorch.dispatch_key.calls import Watch

says = Article("pytorch/04-the-dispatcher.mdx").says


def last(**params: Any) -> Walk:
    *_, event = run(Params(**params))
    return event


def ran(event: Walk) -> list[str]:
    return [key for key, state in zip(event.keys, event.state, strict=True) if state == "ran"]


def state(event: Walk, key: str) -> str:
    return event.state[event.keys.index(key)]


def test_where_keys_come_from() -> None:
    deprecated = "are deprecated and will be removed in a future PyTorch release"
    says("a quantized one QuantizedCPU (the figure leaves those out", deprecated)
    torch.set_warn_always(True)  # torch says it once in a process, and another test may have heard it
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        quantized = torch.quantize_per_tensor(torch.ones(2), 0.5, 0, torch.qint8)
    torch.set_warn_always(False)
    assert any(deprecated in str(each.message) for each in heard)
    assert torch._C._dispatch_keys(quantized).has(torch._C.DispatchKey.QuantizedCPU)
    assert "quantized" not in BACKENDS
    says("A plain tensor brings four: CPU", "AutogradCPU", "AutocastCPU, because", "and ADInplaceOrView, because")
    plain = last()
    brought = {key for key, who in zip(plain.keys, plain.origin, strict=True) if "x" in who}
    assert brought == {"CPU", "AutogradCPU", "AutocastCPU", "ADInplaceOrView"}
    says("brings SparseCPU in place of CPU", "brings Meta")
    assert "SparseCPU" in last(tensor="sparse").keys and "CPU" not in last(tensor="sparse").keys
    assert "Meta" in last(tensor="meta").keys
    says("It adds BackendSelect, for operators such as `empty` that are called without a tensor")
    assert plain.origin[plain.keys.index("BackendSelect")] == "the thread"
    says("Outside `torch.autocast` the thread excludes AutocastCPU", "Inside, the exclusion is lifted")
    assert state(plain, "AutocastCPU") == "excluded"
    assert state(last(autocast=True), "AutocastCPU") == "falls through"


def test_who_has_a_kernel_at_the_key_of_views() -> None:
    says("For `x + y` the key ADInplaceOrView falls through", "For `view` and `add_` it has a kernel")
    assert state(last(), "ADInplaceOrView") == "falls through"
    assert all(state(last(op=op), "ADInplaceOrView") == "ran" for op in ("view", "add_"))
    says("AutogradCPU, ADInplaceOrView and CPU.")
    assert ran(last(op="view")) == ["AutogradCPU", "ADInplaceOrView", "CPU"]


def test_some_kernels_are_boxed() -> None:
    says(
        "two of them run for `x + y`, at PythonTLSSnapshot and at Python", "such as that of `add` for meta tensors"
    )
    for params, boxed in (
        ({}, []),
        ({"watched": True}, ["PythonTLSSnapshot", "Python"]),
        ({"tensor": "meta"}, ["Meta"]),
    ):
        event = last(**params)
        assert [key for key, on in zip(event.keys, event.boxed, strict=True) if on and key in ran(event)] == boxed


def test_autocast_converts_some() -> None:
    says("`matmul` is converted, `add` falls through and stays at 32 bits")
    assert last(op="matmul", autocast=True).dtype == "bfloat16"
    assert last(op="add", autocast=True).dtype == "float32"
    says("A product of two tensors of bfloat16. The conversions are recorded, too")
    x, y = torch.eye(2, requires_grad=True), torch.ones(2, 2)
    with torch.autocast("cpu", torch.bfloat16):
        made = x @ y
    assert made.dtype == torch.bfloat16
    made.sum().backward()
    assert x.grad is not None and x.grad.dtype == torch.float32


def test_no_grad_and_inference_mode() -> None:
    says(
        "Under `no_grad` the kernel at AutogradCPU still runs", "Under `inference_mode` the thread excludes the key"
    )
    assert state(last(mode="no_grad"), "AutogradCPU") == "ran"
    assert state(last(mode="inference_mode"), "AutogradCPU") == "excluded"


def test_vmap(capfd: pytest.CaptureFixture[str]) -> None:
    says("each `x` looks like a tensor of 2 by 2", "above everything else", "get a single `mm`")
    batched = last(op="matmul", vmap=True)
    assert batched.keys[0] == "FuncTorchDynamicLayerFrontMode" and batched.origin[0] == "the thread"
    assert batched.origin[batched.keys.index("FuncTorchBatched")] == "x"
    assert sum("aten.mm." in each for each in batched.reached) == 1
    seen = []
    torch.vmap(lambda x: seen.append(x.shape) or x)(torch.ones(3, 2, 2))
    assert seen == [(2, 2)]
    says("PyTorch warns and does loop, one call for each `x`")
    make: Any = torch.library.Library
    library, calls = make("claims04", "FRAGMENT"), []
    library.define("twice(Tensor x) -> Tensor")
    library.impl("twice", lambda x: calls.append(x.shape) or x * 2, "CPU")
    torch.vmap(torch.ops.claims04.twice)(torch.ones(3, 2, 2))
    assert calls == [(2, 2)] * 3 and "batching rule" in capfd.readouterr().err
    library._destroy()
    says("`torch.conv2d` computes in bfloat16", "computes in 32 bits", "which is not on the list")
    assert last(op="conv2d", autocast=True).dtype == "bfloat16"
    both = last(op="conv2d", autocast=True, vmap=True)
    assert both.dtype == "float32" and "aten.convolution.default" in both.reached
    assert both.keys.index("FuncTorchBatched") < both.keys.index("AutocastCPU")
    x, y = torch.ones(1, 1, 3, 3), torch.ones(1, 1, 2, 2)
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.convolution(x, y, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1).dtype == torch.float32


def test_composite_operators() -> None:
    says("calls `mm`, `bmm`, `mv` or `dot`", "begins with MmBackward0")
    shapes = {"mm": ((2, 2), (2, 2)), "bmm": ((3, 2, 2), (3, 2, 2)), "mv": ((2, 2), (2,)), "dot": ((2,), (2,))}
    for name, (left, right) in shapes.items():
        with Watch() as watch:
            torch.ones(left) @ torch.ones(right)
        assert any(f"aten.{name}." in each for each in watch.seen), watch.seen
    assert last(op="matmul").grad_fn == "MmBackward0"
    says("In inference mode it hears `matmul`, and outside it `mm`")
    assert last(op="matmul", mode="inference_mode").reached == ["aten.matmul.default"]
    assert last(op="matmul").reached == ["aten.mm.default"]


def test_the_error_message() -> None:
    says(
        "Could not run 'aten::view' with arguments from the 'SparseCPU' backend.",
        "AutogradCPU runs, ADInplaceOrView runs",
    )
    failed = last(op="view", tensor="sparse")
    assert failed.error == "Could not run 'aten::view' with arguments from the 'SparseCPU' backend."
    assert ran(failed) == ["AutogradCPU", "ADInplaceOrView"] and state(failed, "SparseCPU") == "no kernel"
    says("`softmax` fails as `_softmax`")
    assert "aten::_softmax" in last(op="softmax", tensor="sparse").error


def test_the_most_keys() -> None:
    says(
        "it adds Python, where its own code is called, and PythonTLSSnapshot above everything else", "one key fewer"
    )
    plain, watched, meta = last(), last(watched=True), last(tensor="meta")
    assert {*watched.keys} - {*plain.keys} == {"Python", "PythonTLSSnapshot"} and watched.keys[
        0
    ] == "PythonTLSSnapshot"
    assert len(meta.keys) == len(plain.keys) - 1 and not any("Autocast" in key for key in meta.keys)


def test_the_table_without_an_error() -> None:
    says("names the kernel at each key, and its file")
    rows = torch._C._dispatch_dump_table("aten::add.Tensor").splitlines()
    assert any(row.startswith("CPU: registered at ") and "RegisterCPU" in row for row in rows)
