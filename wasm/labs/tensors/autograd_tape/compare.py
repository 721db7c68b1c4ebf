"""Gradients without a tape: run the program again with one number moved a little, and see what becomes of it.

It knows nothing of operations, so it can contradict them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from labs.models.programs.trouble import ProgramError, StoppedError
from labs.models.tensor.tape import Step
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape.machine import Machine
from labs.tensors.autograd_tape.walks import Observer, Waiting

STEP = 1e-5
MOST = 24  # numbers that are moved
OPERATIONS = 20_000  # that all runs take together
ROUNDED = 1e-6  # of a gradient, by what is lost at the end of the program
EPSILON = float(np.finfo(np.float64).eps)
HIDES = ("no_grad", "detach", "register_hook", "zero_", "item")
"""Who calls one of these means the tape not to see everything, or lets a gradient go: both need not agree."""


class RoundedError(Exception):
    """The program ends with so large a number that a small step is lost in it."""


@dataclass
class Quiet(Observer):
    """Moves a number of one leaf as soon as it is made, and adds up what is walked back from."""

    leaf_number: int = -1
    element: int = 0
    by: float = 0.0
    leaves: list[Tensor] = field(default_factory=list)
    ends: float = 0.0

    def after(self, statement: ast.stmt) -> None:
        """Nothing is drawn."""

    def leaf(self, made: Tensor) -> None:
        if all(made is not each for each in self.leaves):
            self.leaves.append(made)
            if len(self.leaves) - 1 == self.leaf_number:
                made.array.reshape(-1)[self.element] += self.by

    def begin(self, result: Tensor, grad: Tensor, waiting: Waiting, adds: bool) -> None:
        if adds:
            self.ends += float(np.sum(result.array * grad.array))

    def step(self, step: Step, waiting: Waiting) -> None:
        """Nothing is drawn."""


def comparable(tree: ast.Module) -> bool:
    """Whether the gradients are, by the look of the program, the derivatives of what it walked back from."""
    for node in ast.walk(tree):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name in HIDES or (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)):
            return False
    return True


def moved(tree: ast.Module, leaves: list[Tensor], operations: int) -> Iterator[NDArray[np.float64] | None]:
    """For each leaf its gradient by central differences; None for one that is not of float64, too large, or not to
    be moved without the program going another way, or being rounded by more than it would show."""
    count = sum(each.layout.size for each in leaves)
    for number, leaf in enumerate(leaves):
        small = count <= MOST and 2 * count * operations <= OPERATIONS
        if not small or leaf.dtype.name != "float64" or not leaf.layout.contiguous:
            yield None
            continue
        try:
            found = [difference(tree, number, element) for element in range(leaf.layout.size)]
        except (ProgramError, StoppedError, RoundedError):  # with that number the program goes another way
            yield None
        else:
            yield np.array(found).reshape(leaf.shape)


def difference(tree: ast.Module, leaf: int, element: int) -> float:
    ends = []
    for by in (STEP, -STEP):
        observer = Quiet(leaf, element, by)
        Machine(tree, observer).run()
        ends.append(observer.ends)
        if abs(observer.ends) * EPSILON > ROUNDED * STEP:
            raise RoundedError
    return (ends[0] - ends[1]) / (2 * STEP)
