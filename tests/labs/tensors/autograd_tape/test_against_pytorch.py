"""The same text runs here and in PyTorch: the same numbers, gradients, versions, shared bytes and refusals."""

from __future__ import annotations

import pytest
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape.examples import EXAMPLES
from labs.tensors.autograd_tape.memory import measure, reached

from .pytorch import ours, same, saved_bytes
from .writer import Writer

PROGRAMS = 600


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_does_in_pytorch_what_it_does_here(name: str) -> None:
    same(EXAMPLES[name])


@pytest.mark.parametrize("ten", range(PROGRAMS // 10))
def test_programs_written_at_random(ten: int) -> None:
    for seed in range(10 * ten, 10 * ten + 10):
        same(Writer(seed).program())


@pytest.mark.parametrize("op", ["<", "<=", ">", ">=", "=="])
@pytest.mark.parametrize("sides", [("x", "2."), ("2.", "x"), ("x", "y"), ("2", "x"), ("1.", "2.")])
def test_comparisons(op: str, sides: tuple[str, str]) -> None:
    line = f"{sides[0]} {op} {sides[1]}"
    pick = f"z = where({line}, x, y)\n" if {"x", "y"} & {*sides} else f"if {line}:\n    z = x\n"
    same(f"x = tensor([1., 2., 3.], requires_grad=True)\ny = tensor([2., 2., 2.])\nc = {line}\n{pick}")


# Until they walk back for the first time; a plain number is a tensor of one number in ours.
SAVES = {name: EXAMPLES[name].partition(".backward")[0].rpartition("\n")[0] + "\n" for name in EXAMPLES}
NUMBERS = {"save-or-not": 8, "changed-too-early": 8, "swish-by-tanh": 16}


LOOPS = ("training", "two-backwards", "slope-of-slope")


@pytest.mark.parametrize("name", [name for name in SAVES if name not in LOOPS])
def test_as_many_bytes_are_saved_for_the_way_back(name: str) -> None:
    tensors = [each for each in ours(SAVES[name])[0].values() if isinstance(each, Tensor)]
    tape = reached(each.origin for each in tensors)
    assert measure(tensors, tape, []).saved == saved_bytes(SAVES[name]) + NUMBERS.get(name, 0)
