"""The tape against PyTorch's: where gradients land, what is refused, writing in place, hooks, checkpoints."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from labs.models.tensor import elementwise, views
from labs.models.tensor.choices import relu
from labs.models.tensor.tape import checkpoint, no_grad, walk
from labs.models.tensor.tensor import Tensor, grad, tensor

START = np.array([[1.0, 2.0, -1.0], [0.5, -2.0, 3.0]])


def leaf() -> tuple[Tensor, torch.Tensor]:
    return tensor(START, requires_grad=True), torch.tensor(START, requires_grad=True)


def held(one: Tensor | None, another: torch.Tensor | None) -> None:
    assert one is not None and another is not None
    np.testing.assert_allclose(one.array, another.detach().numpy(), rtol=1e-12)


def test_gradients_add_up_in_a_leaf_until_they_are_let_go() -> None:
    ours, theirs = leaf()
    for _ in range(3):
        (ours * ours).sum().backward()
        (theirs * theirs).sum().backward()
        held(ours.grad, theirs.grad)


def test_a_number_used_twice_gets_both_shares() -> None:
    ours, theirs = leaf()
    for x in (ours, theirs):
        y = x * 3
        (y * y + y * x + y).sum().backward()
    held(ours.grad, theirs.grad)


def test_a_walk_lets_go_of_what_was_saved_unless_it_is_told_to_keep_it() -> None:
    x, _ = leaf()
    y = (x * x).sum()
    y.backward(keep=True)
    y.backward()
    with pytest.raises(RuntimeError, match=r"mul was walked back through before.*keep=True"):
        y.backward()
    assert x.grad is not None and np.allclose(x.grad.array, 4 * START)


def test_grad_adds_to_no_leaf_and_says_what_does_not_depend() -> None:
    x, _ = leaf()
    other = tensor(1.0, requires_grad=True)
    y = x * 2
    first, second, third = grad((y * y).sum(), [x, y, other])
    assert first is not None and np.allclose(first.array, 8 * START)
    assert second is not None and np.allclose(second.array, 4 * START)
    assert third is None and x.grad is None


def test_nothing_is_recorded_where_nobody_wants_it() -> None:
    x, _ = leaf()
    with no_grad():
        y = x * x
        assert not y.requires_grad
    assert (x * x).requires_grad and not (x.detach() * 2).requires_grad
    assert not (x > 0).requires_grad and not x.cast("int64").requires_grad
    with pytest.raises(RuntimeError, match="require_grad"):
        y.sum().backward()


def test_only_floats_have_gradients() -> None:
    for dtype in ("int64", "bool", "complex128"):
        with pytest.raises(TypeError, match=f"not {dtype}"):
            tensor([1], dtype, requires_grad=True)


def test_several_results_need_a_gradient_each() -> None:
    x, _ = leaf()
    with pytest.raises(RuntimeError, match="6 results need a gradient each"):
        (x * 2).backward()
    with pytest.raises(ValueError, match=r"shape \(3,\) does not fit a result of shape \(2, 3\)"):
        (x * 2).backward(tensor([1.0, 2.0, 3.0]))


def test_a_hook_sees_the_whole_gradient_and_may_change_it() -> None:
    ours, theirs = leaf()
    seen: list[Any] = []
    for x, note in ((ours, lambda g: seen.append(g.array)), (theirs, lambda g: seen.append(g.numpy()))):
        y: Any = x * 2
        y.register_hook(note)
        y.register_hook(lambda g: g * 10)
        x.register_hook(lambda g: g + 1)
        (y * y + y).sum().backward()
    assert np.allclose(seen[0], seen[1])
    held(ours.grad, theirs.grad)


def test_steps_of_a_walk_tell_what_goes_where() -> None:
    x = tensor(3.0, requires_grad=True)
    y = x * x + x
    steps = list(walk([y._begin(None)]))
    assert [step.operation.name for step in steps] == ["add", "mul", "leaf"]
    assert [[share.item() for share in step.shares if share is not None] for step in steps] == [[1, 1], [3, 3], []]
    assert steps[-1].grad.item() == 7


# -- writing in place ------------------------------------------------------------------------------------------

IN_PLACE: dict[str, Callable[[Any], Any]] = {
    "the whole": lambda y: y.mul_(3),
    "a row": lambda y: y[0].add_(y[1]),
    "a row over the whole": lambda y: y.copy_(y[1] * 2),
    "columns": lambda y: y[:, ::2].mul_(0.5).add_(y[:, 1:2]),
    "a turned part": lambda y: (y.mT[1:]).copy_(y.mT[:2] * 2),
    "a number": lambda y: y.__setitem__((1, 2), 5.0),
    "zeros": lambda y: y[0].zero_(),
    "again and again": lambda y: [y[0].add_(1), y[:, 0].mul_(3), y[1].copy_(y[0])],
}


@pytest.mark.parametrize("how", IN_PLACE)
def test_what_is_written_in_place_passes_gradients_as_in_pytorch(how: str) -> None:
    ours, theirs = leaf()
    for x in (ours, theirs):
        y: Any = x * 2
        early = y[1]  # a view that is there before the writing reads what was written
        IN_PLACE[how](y)
        late = y[:, 1]
        ((y * y).sum() + (early * 7).sum() + (late * late * late).sum()).backward()
    held(ours.grad, theirs.grad)


def test_a_saved_tensor_that_was_changed_is_refused() -> None:
    for write in (lambda y: y.add_(1), lambda y: y[0].zero_(), lambda y: y.detach().mul_(2)):
        x, _ = leaf()
        y = x * 2
        z = (y * y).sum()
        write(y)
        with pytest.raises(
            RuntimeError, match="changed in place since: it is at version 1, and version 0 was saved"
        ):
            z.backward()


def test_a_product_of_two_parts_of_one_tensor_written_over_one_is_refused_as_in_pytorch() -> None:
    for x, refusal in zip(leaf(), ("version 1, and version 0", "modified by an inplace operation"), strict=True):
        y: Any = x * 2
        y[:, 0].mul_(y[:, 1])
        with pytest.raises(RuntimeError, match=refusal):
            y.sum().backward()


def test_what_nobody_saved_may_be_changed() -> None:
    x, _ = leaf()
    y = x + 1
    z = (y * 3).sum()
    y.add_(1)
    z.backward()
    assert x.grad is not None and np.allclose(x.grad.array, 3)


def test_a_leaf_is_not_changed_while_the_tape_records() -> None:
    for part in (lambda x: x, lambda x: x[0]):
        x, _ = leaf()
        with pytest.raises(RuntimeError, match="a leaf that wants a gradient"):
            part(x).add_(1)
        with no_grad():
            part(x).add_(1)
        assert part(x).array.flat[0] == START[0, 0] + 1


def test_what_lies_in_one_place_is_not_written_as_many() -> None:
    x = tensor(np.zeros((1, 3))).expand(2, 3)
    with pytest.raises(RuntimeError, match="lie in one place"):
        x.add_(1)
    with pytest.raises(RuntimeError, match="lie in one place"):
        views.windows(tensor(np.zeros(4)), 2).zero_()


# -- checkpoints -----------------------------------------------------------------------------------------------


def layer(x: Tensor, weight: Tensor) -> Tensor:
    return elementwise.tanh(x @ weight) * elementwise.exp(-x)


@pytest.mark.parametrize("function", [elementwise.tanh, elementwise.exp, relu])
def test_a_result_that_was_saved_goes_with_its_last_name(function: Callable[[Tensor], Tensor]) -> None:
    """Without a walk, and without Python's collector of cycles: memory would wait for it."""
    ours, _ = leaf()
    result = function(ours)
    storage, end = weakref.ref(result.storage), result.sum()
    del result
    assert storage() is not None
    gc.disable()
    try:
        del end
        assert storage() is None
    finally:
        gc.enable()


def test_a_checkpoint_changes_no_gradient_and_computes_once_more() -> None:
    random = np.random.default_rng(0)
    start, weights = random.normal(size=(2, 3)), random.normal(size=(3, 3, 3))
    results: list[Any] = []
    calls = 0

    def counted(x: Tensor, weight: Tensor) -> Tensor:
        nonlocal calls
        calls += 1
        return layer(x, weight)

    for through in (lambda *given: counted(*given), lambda *given: checkpoint(counted, *given)):
        calls = 0
        x = tensor(start, requires_grad=True)
        matrices = [tensor(weight, requires_grad=True) for weight in weights]
        y = x
        for matrix in matrices:
            y = through(y, matrix)
        found = grad((y * y).sum(), [x, *matrices], create_graph=True)
        twice = grad(sum(((each * each).sum() for each in found if each is not None), tensor(0.0)), [x, *matrices])
        results.append(([each.array for each in [*found, *twice] if each is not None], calls))
    (plain, once), (again, more) = results
    assert (once, more) == (3, 6)
    for one, another in zip(plain, again, strict=True):
        np.testing.assert_allclose(one, another, rtol=1e-12)


def test_a_checkpoint_keeps_nothing_but_its_inputs() -> None:
    kept: list[str] = []
    x = tensor(START, requires_grad=True)

    def function(y: Tensor) -> Tensor:
        result = elementwise.exp(y * y)
        kept.append(result.origin.name if result.origin else "")
        return result

    z = checkpoint(function, x).sum()
    assert kept == ["exp"]
    z.backward()
    assert kept == ["exp", "exp"]
    x.detach().add_(1)
    with pytest.raises(RuntimeError):
        z.backward()


def test_checkpoints_may_stand_in_checkpoints() -> None:
    x, other = leaf()
    checkpoint(lambda y: checkpoint(lambda z: elementwise.exp(z * z), y * 2) * y, x).sum().backward()
    (torch.exp((other * 2) ** 2) * other).sum().backward()
    held(x.grad, other.grad)


def test_a_long_tape_needs_no_deep_stack() -> None:
    x = tensor(1.0, requires_grad=True)
    y = x
    for _ in range(10_000):
        y = y * 1.0
    y.backward()
    assert x.grad is not None and x.grad.item() == 1
