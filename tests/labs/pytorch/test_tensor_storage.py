"""Memory as the lab draws it is memory as torch has it: addresses, lifetimes and versions are asked anew."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterable
from typing import Any

import pytest
import torch
from labs.contract import LabError
from labs.models.programs.accept import parse
from labs.models.programs.trouble import StoppedError
from native.models.torch_programs.machine import Machine
from native.pytorch.tensor_storage import Params, run
from native.pytorch.tensor_storage.examples import EXAMPLES
from native.pytorch.tensor_storage.memory import Watcher
from native.pytorch.tensor_storage.pictures import View
from native.pytorch.tensor_storage.saved import Saved, nodes, plain

Storage = torch.UntypedStorage
VIEWS = [
    "{x}.view(-1)", "{x}.T", "{x}[1:]", "{x}[:, ::2]", "{x}.expand(2, 3, 4)", "{x}.unfold(1, 2, 1)", "{x}.flip(0)",
    "{x}.reshape(4, 3)", "{x}.T.reshape(2, 6)", "{x}.detach()", "{x}.clone()", "{x} * 2", "{x}.exp()",
    "{x}.diagonal()",
    "{x}.as_strided((2, 2), (1, 5), 1)", "{x}.transpose(0, 1).contiguous()", "{x} @ {x}.T", "{x}.view(12)[3:9]",
]  # fmt: skip
CHANGES = ["{x}.zero_()", "{x} += 1", "{x}.data.mul_(2)", "{x}[0] = 7", "{x}.detach().sub_(1)", "{x}.sigmoid_()"]


def program(draw: random.Random, grad: bool) -> str:
    """Lines that make views and copies, change some in place, and forget some; then perhaps a walk back."""
    lines = ["x = arange(12.).view(3, 4)"]
    lines += ["w = ones(3, 4, requires_grad=True)", "x = x * w"] if grad else []
    names, made = ["x"], 0
    for _ in range(draw.randrange(3, 9)):
        kind = draw.random()
        if kind < 0.55 and made < 4:
            made += 1
            lines.append(f"y{made} = {draw.choice(VIEWS).format(x='x')}")
            names.append(f"y{made}")
        elif kind < 0.85:
            lines.append(draw.choice(CHANGES).format(x=draw.choice(names)))
        elif len(names) > 2:
            lines.append(f"del {names.pop(draw.randrange(1, len(names)))}")
    if grad:
        lines.append(f"({draw.choice(names)} ** 2).sum().backward()")
    return "\n".join(lines)


PROGRAMS = [*EXAMPLES.values(), *(program(random.Random(seed), seed % 2 == 1) for seed in range(100))]


def same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape == other.shape and one.stride() == other.stride() and torch.equal(one, other)


def python(source: str) -> tuple[dict[str, Any], str]:
    """What Python itself makes of a program, and what it raises."""
    names: dict[str, Any] = {}
    with warnings.catch_warnings(action="ignore"):
        try:
            exec(source, vars(torch) | {"__builtins__": {"range": range}}, names)
        except (RuntimeError, ValueError, TypeError, IndexError) as error:
            return names, str(error)
    return names, ""


@pytest.mark.parametrize("part", range(4))
def test_a_program_does_what_it_does_in_python(part: int) -> None:
    for source in PROGRAMS[part::4]:
        machine, error = Machine(parse(source)), ""
        try:
            for _ in machine.run():
                pass
        except StoppedError as stopped:
            error = stopped.message
        names, raised = python(source)
        assert error == raised, source
        assert machine.names.keys() == names.keys(), source
        for name, value in names.items():
            mine = machine.names[name]
            assert same(mine, value) if isinstance(value, torch.Tensor) else mine == value, (source, name)
            if isinstance(value, torch.Tensor) and value.is_leaf:
                assert (mine.grad is None) == (value.grad is None), source
                assert value.grad is None or same(mine.grad, value.grad), source


def by_address(tensor: torch.Tensor) -> list[int]:
    start = tensor.untyped_storage().data_ptr()
    with torch.no_grad():
        flat = [tensor[tuple(index)] for index in torch.cartesian_prod(*map(torch.arange, tensor.shape)).view(
            -1, tensor.ndim).tolist()] if tensor.ndim else [tensor]  # fmt: skip
    return [each.data_ptr() - start for each in flat]


def test_places_lifetimes_and_counts_are_those_of_torch() -> None:
    for source in PROGRAMS:
        machine, watcher = Machine(parse(source)), Watcher()
        letters: dict[str, int] = {}  # torch's weak references
        try:
            for _ in machine.run():
                look = watcher.look(machine.names)
                for view in look.views:
                    tensor = reached(machine.names, view)
                    assert view.at == by_address(tensor)[:64], (source, view)
                    assert view.values[:1] == [f"{each:.4g}" if isinstance(each, float) else str(each)
                                               for each in tensor.detach().reshape(-1)[:1].tolist()]  # fmt: skip
                    if view.storage not in letters:
                        letters[view.storage] = tensor.untyped_storage()._weak_ref()
                    del tensor
                alive = {name for name, weak in letters.items() if not Storage._expired(weak)}
                shown = {each.name for each in look.storages}
                assert alive <= shown, (source, machine.line)
                assert not {name for name in letters if name not in alive} & shown, (source, machine.line)
                for storage in look.storages:
                    views = [view for view in look.views if view.storage == storage.name]
                    assert storage.tensors >= max(1, len(views)), (source, storage)
                    assert storage.holders, (source, storage)
                    if len(storage.holders) == len(views) and not closed(machine.names.values()):
                        assert storage.tensors == len(views), (source, storage)
        except StoppedError:
            pass
        finally:
            machine.names.clear()
            for weak in letters.values():
                Storage._free_weak_ref(weak)


def reached(names: dict[str, Any], view: View) -> torch.Tensor:
    name, _, attribute = view.names[0].partition(".")
    found = getattr(names[name], attribute) if attribute else names[name]
    assert isinstance(found, torch.Tensor)
    return found


def closed(tensors: Iterable[Any]) -> bool:
    """Whether a node is behind them that does not show what it saved."""
    return any(plain(node) == "CopySlices" for node in nodes(t for t in tensors if isinstance(t, torch.Tensor)))


def test_a_saved_version_that_is_no_longer_there_bars_the_way_back() -> None:
    barred = passed = 0
    for seed in range(300):
        source = program(random.Random(seed), grad=True)
        *forward, walk = source.splitlines()
        loss = "loss = " + walk.removesuffix(".backward()")
        machine, watcher = Machine(parse("\n".join([*forward, loss]))), Watcher()
        try:
            for _ in machine.run():
                look = watcher.look(machine.names)
        except StoppedError:
            continue
        end = machine.names["loss"]
        if not end.requires_grad or closed([end]):
            continue
        numbers = {(each.node, each.saved, each.now) for each in Saved().look([end])}
        assert numbers <= {(each.node, each.saved, each.now) for each in look.saves}, source
        stale = any(saved != now for _, saved, now in numbers)
        try:
            end.backward()
        except RuntimeError as error:
            assert "modified by an inplace operation" in str(error), source
            barred += 1
            assert stale, source
        else:
            passed += 1
            assert not stale, source
    assert barred > 10 and passed > 100, (barred, passed)


def test_who_keeps_it_alive() -> None:
    *_, kept, freed = run(Params(EXAMPLES["kept_alive"]))
    (big,) = kept.storages
    assert big.bytes == 192 and big.holders == ["first", "first._base"] and big.tensors == 2
    (small,) = freed.storages
    assert small.bytes == 8 and small.holders == ["first"] and small.tensors == 1


def test_a_storage_without_a_name_is_held_by_the_graph() -> None:
    source = "x = ones(3, requires_grad=True)\nh = x.exp()\nh = h.sin()\nh.sum().backward()"
    _, _, hidden, after = run(Params(source))
    (unnamed,) = (each for each in hidden.storages if each.name not in {view.storage for view in hidden.views})
    assert unnamed.holders == ["ExpBackward0", "SinBackward0"]
    assert unnamed.bytes == 12 and unnamed.cells == ["2.718"] * 3
    assert unnamed.name not in {each.name for each in after.storages} and not after.saves


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("x = zeros(10 ** 9)", "smaller"),
        ("x = zeros(2000, 2000)", "smaller"),
        ("x = arange(1000000000000.)", "smaller"),
        ("x = ones(1000)\ny = x.expand(1000, 1000)", "smaller"),
        ("x = ones(1000, 1) * ones(1000)", "at most 1,024 elements"),
        ("x = ones(4).repeat(1000000, 1000)", "smaller"),
        ("x = 9 ** 9 ** 9", "exponent"),
        ("x = ones(2).__class__", "__class__"),
        ("x = ones(2)\ny = x.storage()", "storage"),
        ("x = ones(2)\ny = x.grad_fn", "grad_fn"),
        ("x = ones(2)\nx.backward.y = 1", "assigned"),
        ("x = torch.load('a')", "load"),
        ("import os", "import"),
        ("x = 'abc'", "not taken"),
        ("x = open(1)", "open"),
        ("x = ones(2).numpy()", "numpy"),
        ("x = ones(2, out=3)", "out="),
        ("for i in range(100):\n    i = 1", "loop"),
        ("for i in range(60):\n    i = 1", "60 statements"),
        ("y = x", "no value"),
        ("del x", "del takes a name"),
        ("x = (1).real", "tensor has to stand here"),
        ("x = lambda y: y", "not taken"),
        ("a, b = 1, 2, 3", "assigned"),
        ("x = [].append(1)", "tensor has to stand here"),
        ("\n".join(f"x{n} = ones(1)" for n in range(13)), "at most 12 tensors"),
        ("with enable_grad():\n    x = 1", "with is taken"),
        ("", "no statement"),
    ],
)
def test_what_is_not_taken_says_so(source: str, what: str) -> None:
    with pytest.raises(LabError, match=what):
        list(run(Params(source)))


def test_torch_says_what_it_refuses() -> None:
    *_, last = run(Params(EXAMPLES["overlap"]))
    assert last.stage == "stopped" and last.line == 3 and last.error.startswith("unsupported operation")
    *_, last = run(Params("x = ones(2)\nx.view(3)"))
    assert last.error == "shape '[3]' is invalid for input of size 2"
    *_, last = run(Params("x = ones(2)\nx[5]"))
    assert "out of bounds" in last.error


def test_no_version_is_counted_in_inference_mode() -> None:
    *_, last = run(Params("with inference_mode():\n    x = ones(2)\n    y = x.exp()\ny = 0"))
    assert [view.version for view in last.views] == [-1]
