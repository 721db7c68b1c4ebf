"""What each operation saves for the way back: PyTorch's `grad_fn` is asked, and so is ours.

Who saves too little goes on where PyTorch refuses, and who saves too much refuses where PyTorch goes on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape.functions import BOTH, FUNCTIONS, METHODS
from labs.tensors.autograd_tape.memory import held, reached

from .forms import CALLS, CHAINS, FORMS
from .pytorch import ours, same, theirs

WANTS = ((True, True), (True, False), (False, True))
POOL = (-1.5, -0.5, 0.0, 0.5, 1.0, 2.0)
"""So few that numbers are equal, and that some are 0."""


def numbers(chance: random.Random) -> str:
    return str([[chance.choice(POOL) for _ in range(3)] for _ in range(2)])


def begin(form: str, wants: tuple[bool, bool], seed: int = 0) -> str:
    """`x` and `y` are no leaves, so that they may be changed."""
    chance = random.Random(f"{form} {seed}")
    lines = (
        f"{leaf} = tensor({numbers(chance)}, requires_grad={each})\n{name} = {leaf} * 1\n"
        for leaf, name, each in zip(("a", "b"), ("x", "y"), wants, strict=True)
    )
    return "".join(lines)


def test_every_operation_that_can_be_called_is_asked() -> None:
    assert CALLS.keys() == BOTH.keys()
    written = " ".join(FORMS)
    assert all(f"{name}(" in written for name in (FUNCTIONS.keys() | METHODS.keys()) - {"tensor"})


def nodes(begin: Any, end: set[Any]) -> Iterator[Any]:
    """Of PyTorch's tape, back to `end`."""
    found, stack = set(end), [begin]
    while stack:
        if (node := stack.pop()) is not None and node not in found:
            found.add(node)
            stack += [each for each, _ in node.next_functions]
            yield node


def pytorchs(names: dict[str, Any]) -> set[str]:
    begins = {names[name].grad_fn for name in ("x", "y")}
    places = {each.untyped_storage().data_ptr(): name for name, each in names.items() if name not in ("a", "b")}
    saved = set()
    for node in nodes(names["out"].grad_fn, begins):
        for each in (getattr(node, name) for name in dir(node) if name.startswith("_saved_")):
            if isinstance(each, torch.Tensor):
                saved |= {places.get(each.untyped_storage().data_ptr(), "another"), "some"}
    return saved - {"another"}


def own(names: dict[str, Tensor]) -> set[str]:
    before = set(reached(names[name].origin for name in ("x", "y")))
    places = {id(each.storage): name for name, each in names.items() if name not in ("a", "b")}
    saved = set()
    for node in set(reached([names["out"].origin])) - before:
        for each in held(node):
            assert each.tensor is not None
            saved |= {places.get(id(each.tensor.storage), "another"), "some"}
    return saved - {"another"}


@pytest.mark.parametrize("wants", WANTS, ids=str)
def test_an_operation_saves_what_pytorchs_saves(wants: tuple[bool, bool]) -> None:
    for form in FORMS:
        source = f"{begin(form, wants)}out = {form}\n"
        (here, stopped), (there, refused) = ours(source), theirs(source)
        assert bool(stopped) == bool(refused), f"{form}: {stopped or 'taken'}; PyTorch: {refused or 'taken'}"
        if not stopped:
            assert own(here) == pytorchs(there), form


SLOPE = "g = grad((out * out).sum(), {of}, create_graph=True)[0]\n"
OFTEN = (
    SLOPE + "(g * g).sum().backward()",
    SLOPE + "x += 1\ng.sum().backward()",
    "g = grad((out * 3).sum(), {of}, create_graph=True)[0]\ng.sum().backward()\ng.sum().backward()",
)
WALKS = (
    "out.sum().backward()\nout.sum().backward()",
    "w = out.sum()\nx += 1\nw.backward()",
    "w = out.sum()\ny += 1\nw.backward()",
    "w = out.sum()\nout += 1\nw.backward()",
    "out += 1\nout.sum().backward()\nout.sum().backward()",
    "out[0] *= 2\nout.sum().backward()\nout.sum().backward()",
    "x *= y\nout.sum().backward()\n(x * x).sum().backward()",
    "(out * out).sum().backward()\n{of}.grad += 1\nold = {of}.grad\n(x * y).sum().backward()",
    "(out.sum() + {of}.sum()).backward()\n{of}.grad.zero_()\nx.sum().backward()",
    SLOPE + "y += 1\ng.sum().backward()",
    SLOPE + "out += 1\ng.sum().backward()",
    SLOPE + "g += 1\ng.sum().backward()",
    SLOPE + "h = grad((g * g).sum(), {of}, create_graph=True)[0]\nh.sum().backward()",
    "(out * out).sum().backward(create_graph=True)\ng = {of}.grad\n(g * g).sum().backward()",
)
AT_RANDOM = 250


def program(form: str, walk: str, chance: random.Random) -> str:
    wants = chance.choice(WANTS)
    return f"{begin(form, wants)}out = {form}\n{walk.format(of='a' if wants[0] else 'b')}\n"


@pytest.mark.parametrize("walk", OFTEN)
def test_a_gradient_of_a_gradient_is_pytorchs_or_refused_as_there(walk: str) -> None:
    for form in FORMS:
        same(program(form, walk, random.Random(form + walk)))


def test_an_operation_is_refused_where_pytorchs_is() -> None:
    chance = random.Random(0)
    for _ in range(AT_RANDOM):
        same(program(chance.choice(FORMS), chance.choice(WALKS), chance))


@pytest.mark.parametrize("form", CHAINS)
def test_where_a_slope_has_no_end_the_gradient_is_pytorchs(form: str) -> None:
    same(program(form, "out.sum().backward()", random.Random(form)))
