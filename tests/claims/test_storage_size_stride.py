"""What the chapter on storages says, asked of its lab and of torch."""

from __future__ import annotations

import gc

import pytest
import torch
from article import Article
from native.pytorch.tensor_storage import Memory, Params, run
from native.pytorch.tensor_storage.examples import EXAMPLES

says = Article("pytorch/02-storage-size-stride.mdx").says


def log(program: str) -> list[Memory]:
    return list(run(Params(EXAMPLES.get(program, program))))


def test_four_tensors_and_one_storage() -> None:
    says("three ways of reading the 48 bytes of `x`", "writes three cells, and all four tensors see it")
    events = log("views")
    fifth = events[4]
    assert [each.bytes for each in fifth.storages] == [48]
    assert [view.names for view in fifth.views] == [["x"], ["rows"], ["column"], ["turned"]]
    assert fifth.storages[0].changed == [1, 5, 9]
    assert {view.version for view in fifth.views} == {1}
    says("`contiguous()` would return the tensor itself")
    x = torch.arange(6.0)
    assert x.contiguous() is x


def test_where_a_tensor_begins() -> None:
    says(
        "so the figure counts from the start of the storage: `t.data_ptr() - t.untyped_storage().data_ptr()` bytes"
    )
    x = torch.arange(10.0, 22.0)
    rows = x.view(3, 4)
    real = {"x": x, "rows": rows, "column": rows[:, 1], "turned": rows.T}
    for view in log("views")[3].views:
        t = real[view.names[0]]
        assert view.at[0] == view.item * view.offset == t.data_ptr() - t.untyped_storage().data_ptr()


def test_reshape_is_a_view_or_a_copy() -> None:
    says("The first call gives a view and the second a copy", "only the write to the view reaches `x`")
    *_, last = log("reshape")
    where = {view.names[0]: view.storage for view in last.views}
    assert where["a"] == where["x"] != where["b"]
    x = next(view for view in last.views if view.names[0] == "x")
    assert "50" in x.values and "60" not in x.values


def test_a_slice_keeps_the_whole() -> None:
    says("`big` has 192 bytes and `first` reads eight of them", "After `del big`, all 192 are still there")
    says("into a storage of eight bytes")
    _, _, kept, freed = log("kept_alive")
    assert kept.bytes == 192 and freed.bytes == 8
    says("so no garbage collector is needed")
    gc.disable()
    try:
        big = torch.zeros(48)
        weak = big.untyped_storage()._weak_ref()
        del big
        assert torch.UntypedStorage._expired(weak)
        torch.UntypedStorage._free_weak_ref(weak)
    finally:
        gc.enable()


def test_the_graph_holds_what_has_no_name() -> None:
    says("the nodes of `exp` and `sin` both hold them until `backward()` has run")
    *_, held, after = log("x = ones(3, requires_grad=True)\nh = x.exp()\nh = h.sin()\nh.sum().backward()")
    unnamed = {each.name for each in held.storages} - {view.storage for view in held.views}
    (storage,) = (each for each in held.storages if each.name in unnamed)
    assert {"ExpBackward0", "SinBackward0"} <= {*storage.holders}
    assert storage.name not in {each.name for each in after.storages}
    says("it keeps the graph of every batch, and every tensor that was saved for it")
    w, total = torch.ones(3, requires_grad=True), torch.tensor(0.0)
    saved = []
    for _ in range(3):
        loss = w.exp().sum()
        saved.append(loss.grad_fn.next_functions[0][0]._saved_result.untyped_storage()._weak_ref())  # type: ignore[union-attr]
        total += loss
        loss.detach_()
    assert not any(map(torch.UntypedStorage._expired, saved))
    del total
    assert all(map(torch.UntypedStorage._expired, saved))
    for each in saved:
        torch.UntypedStorage._free_weak_ref(each)


def test_both_sizes() -> None:
    says("t.nbytes, t.untyped_storage().nbytes()")
    part = torch.zeros(48)[:2]
    assert (part.nbytes, part.untyped_storage().nbytes()) == (8, 192)


def test_changed_too_early() -> None:
    says("Four lines are enough", '("output 0 of Exp")', "The fix is `y = y + 1`")
    events = log("changed_too_early")
    assert len(events) == 4 and "output 0 of Exp" in events[-1].error
    assert (
        events[-1]
        .error.lower()
        .startswith(
            "one of the variables needed for gradient computation has been modified by an inplace operation"
        )
    )
    assert "is at version 1; expected version 0" in events[-1].error
    *_, last = log(EXAMPLES["changed_too_early"].replace("y += 1", "y = y + 1"))
    assert not last.error


def test_a_change_that_is_not_wrong() -> None:
    says("This program makes two, and its gradients are right")
    *_, last = log("saves_its_input")
    x = torch.tensor([0.0, 1.0, 2.0], dtype=torch.float64)
    assert not last.error
    (g,) = (view for view in last.views if "g" in view.names)
    assert [float(each) for each in g.values] == (2 * (2 * x + 1) * 2).tolist()


def test_tensors_of_inference_mode_have_no_version() -> None:
    says("except for those that are made in inference mode")
    with torch.inference_mode():
        made = torch.ones(2)
    with pytest.raises(RuntimeError, match="do not track version counter"):
        _ = made._version


def test_data_goes_unnoticed() -> None:
    says("`y.detach()` shares the numbers of `y` and its version counter", "`y.data` shares the numbers and not")
    y = torch.ones(2)
    y.detach().add_(1)
    assert y._version == 1
    y.data.add_(1)
    assert y._version == 1 and y[0] == 3
    says("the gradient is too large by one everywhere")
    *_, last = log("unnoticed")
    (g,) = (view for view in last.views if "g" in view.names)
    right = torch.tensor([0.0, 1.0, 2.0]).exp()
    assert not last.error
    assert torch.allclose(torch.tensor([float(each) for each in g.values]), right + 1, atol=1e-3)
    *_, last = log("detached")
    assert "modified by an inplace operation" in last.error


def test_exercises() -> None:
    says("Forty, for ten numbers. `resize_` can enlarge a storage, and never shrinks it")
    *_, last = log("resize")
    assert last.bytes == 40
    says("4,000: the whole storage")
    *_, last = log("big = zeros(1000)\npart = big[10:12]\ndel big")
    assert last.bytes == 4000
    says("the elements of `x.T` lie at 0, 3, 1, 4, 2, 5")
    x = torch.arange(6.0).view(2, 3)
    assert x.T.reshape(6).tolist() == [0, 3, 1, 4, 2, 5]
    assert x.T.reshape(6).untyped_storage()._cdata != x.untyped_storage()._cdata
    assert all(each.untyped_storage()._cdata == x.untyped_storage()._cdata for each in (x.T, x[1:], x.reshape(6)))
