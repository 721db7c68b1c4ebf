"""What PyTorch promises nobody, held against what it promises; a new torch is met here first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import torch
from native.models import private

NATIVE = Path(private.__file__).parents[1]
ASKED = re.compile(r"torch\._C\._?[a-z]+_\w+|\._saved_|\._sequence_nr\b|\._weak_ref\b|\._expired\b")


def test_it_is_asked_in_one_place() -> None:
    found = {
        str(path.relative_to(NATIVE)) for path in NATIVE.rglob("*.py") if ASKED.search(path.read_text("utf-8"))
    }
    assert found <= {"models/private.py", "models/dispatcher.py"}, found


def test_what_is_gone_is_named() -> None:
    with pytest.raises(RuntimeError, match=r"torch 2\.13\S* has no torch\._C\._no_such_function, which 2\.13 has"):
        private.private(torch._C, "_no_such_function")
    node = torch.ones(1, requires_grad=True).exp().grad_fn
    with pytest.raises(RuntimeError, match=r"has no ExpBackward0\._saved_input"):
        private.kept(node, "input")


def test_a_schema_is_that_of_the_operator() -> None:
    add = torch.ops.aten.add.Tensor
    assert (
        str(private.schema(str(add._schema))) == str(private.registered("aten::add", "Tensor")) == str(add._schema)
    )
    with pytest.raises(RuntimeError):
        private.schema("f(Tensor x -> Tensor")


def test_the_dispatcher_tells_schema_and_kernels() -> None:
    assert any(line.startswith("schema: aten::add.Tensor(") for line in private.dumped("aten::add.Tensor"))
    assert any(re.match(r"CPU: registered at .+ \[kernel\]$", line) for line in private.table("aten::add.Tensor"))


def test_nodes_are_numbered_as_they_are_made_and_say_what_they_saved() -> None:
    x = torch.tensor([0.5], requires_grad=True)
    first, second = x.exp(), x.sin()
    assert private.sequence(second.grad_fn) == private.sequence(first.grad_fn) + 1
    assert private.saved(first.grad_fn) == ["result"]
    assert torch.equal(private.kept(first.grad_fn, "result"), first)
    first.sum().backward()
    with pytest.raises(RuntimeError, match="freed"):
        private.kept(first.grad_fn, "result")


def test_tensors_on_a_storage_are_counted() -> None:
    x = torch.ones(4)
    address = x.untyped_storage()._cdata
    alone = private.counted(address)
    rows = x.view(2, 2)
    assert (alone, private.counted(address)) == (1, 2)
    del rows
    assert private.counted(address) == 1


def test_a_weak_reference_outlives_its_storage() -> None:
    x = torch.ones(4)
    reference = private.weak(x.untyped_storage())
    assert not private.gone(reference)
    del x
    assert private.gone(reference)
    private.free(reference)
