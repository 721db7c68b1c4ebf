"""What torch's private functions answer, held against what its public ones do; a new torch is met here first."""

from __future__ import annotations

import pytest
import torch
from native.models import dispatcher


def test_it_is_the_torch_that_was_looked_at() -> None:
    assert torch.__version__.startswith("2.13."), "look at native/models/dispatcher.py with this torch first"


def test_keys_come_by_priority() -> None:
    assert dispatcher.keys_of(torch.ones(1)) == ["AutocastCPU", "AutogradCPU", "ADInplaceOrView", "CPU"]
    assert dispatcher.keys_of(torch.ones(1, device="meta"))[-1] == "Meta"
    with torch.inference_mode():
        assert dispatcher.keys_of(torch.ones(1)) == ["AutocastCPU", "CPU"]
    assert dispatcher.by_priority(["CPU", "AutogradCPU", "BackendSelect"]) == [
        "AutogradCPU",
        "BackendSelect",
        "CPU",
    ]
    assert dispatcher.by_priority([]) == []


def test_the_thread_excludes_what_its_modes_say() -> None:
    keys = ["AutocastCPU", "AutogradCPU", "CPU"]
    assert dispatcher.excluded(keys) == {"AutocastCPU"}
    with torch.autocast("cpu"):
        assert dispatcher.excluded(keys) == set()
    with torch.inference_mode():
        assert dispatcher.excluded(keys) == {"AutocastCPU", "AutogradCPU"}
    assert "BackendSelect" in dispatcher.included()


def test_registrations_name_torchs_own_files() -> None:
    table = dispatcher.registrations("aten::add.Tensor")
    assert table["CPU"].file.startswith("aten/src/ATen/RegisterCPU")
    assert table["CPU"].kind == "kernel"
    assert table["AutogradCPU"].kind == "autograd kernel"
    assert table["ADInplaceOrView"].fallthrough
    assert not any(each.file.startswith("/") for each in table.values())
    for key in ("CPU", "SparseCPU", "Meta"):
        assert torch._C._dispatch_has_kernel_for_dispatch_key("aten::add.Tensor", key)
    assert "SparseCPU" not in dispatcher.registrations("aten::view")
    with pytest.raises(RuntimeError):
        dispatcher.registrations("aten::no_such_operator")


def test_boxed_is_what_has_no_signature_of_its_own() -> None:
    table = dispatcher.registrations("aten::add.Tensor")
    assert table["Python"].boxed and table["Python"].kind == "backend fallback"
    assert not table["CPU"].boxed and not table["AutogradCPU"].boxed
    assert table["Meta"].boxed and table["Meta"].file.endswith(".py"), "a kernel in Python takes what it is given"
    assert not dispatcher.registrations("aten::view")["CPU"].boxed, "a signature with a SymInt is one, too"
    library = torch.library.Library("boxed04", "FRAGMENT")
    library.define("same(Tensor x) -> Tensor")
    library.impl("same", lambda x: x.clone(), "CPU")
    assert dispatcher.registrations("boxed04::same")["CPU"].boxed
    library._destroy()
