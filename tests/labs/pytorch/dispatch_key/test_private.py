"""What torch's private functions answer, held against what its public ones do; a new torch is met here first."""

from __future__ import annotations

import pytest
import torch
from native.pytorch.dispatch_key import private


def test_it_is_the_torch_that_was_looked_at() -> None:
    assert torch.__version__.startswith("2.13."), (
        "look at native/pytorch/dispatch_key/private.py with this torch first"
    )


def test_keys_come_by_priority() -> None:
    assert private.keys_of(torch.ones(1)) == ["AutocastCPU", "AutogradCPU", "ADInplaceOrView", "CPU"]
    assert private.keys_of(torch.ones(1, device="meta"))[-1] == "Meta"
    with torch.inference_mode():
        assert private.keys_of(torch.ones(1)) == ["AutocastCPU", "CPU"]
    assert private.by_priority(["CPU", "AutogradCPU", "BackendSelect"]) == ["AutogradCPU", "BackendSelect", "CPU"]
    assert private.by_priority([]) == []


def test_the_thread_excludes_what_its_modes_say() -> None:
    keys = ["AutocastCPU", "AutogradCPU", "CPU"]
    assert private.excluded(keys) == {"AutocastCPU"}
    with torch.autocast("cpu"):
        assert private.excluded(keys) == set()
    with torch.inference_mode():
        assert private.excluded(keys) == {"AutocastCPU", "AutogradCPU"}
    assert "BackendSelect" in private.included()


def test_registrations_name_torchs_own_files() -> None:
    table = private.registrations("aten::add.Tensor")
    assert table["CPU"].file.startswith("aten/src/ATen/RegisterCPU")
    assert table["CPU"].kind == "kernel"
    assert table["AutogradCPU"].kind == "autograd kernel"
    assert table["ADInplaceOrView"].fallthrough
    assert not any(each.file.startswith("/") for each in table.values())
    for key in ("CPU", "SparseCPU", "Meta"):
        assert torch._C._dispatch_has_kernel_for_dispatch_key("aten::add.Tensor", key)
    assert "SparseCPU" not in private.registrations("aten::view")
    with pytest.raises(RuntimeError):
        private.registrations("aten::no_such_operator")


def test_what_is_gone_is_said() -> None:
    with pytest.raises(RuntimeError, match=r"torch 2\.13\S* has no torch\._C\._no_such_function"):
        private._private("_no_such_function")
