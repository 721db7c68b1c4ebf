"""The loops in Python that are timed: each does one thing to the same tensors, as a reader's program would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

Work = Callable[[int], None]
SIGNS = {"add": "x + y", "mul": "x * y", "abs": "x.abs()"}


def nothing(rounds: int) -> None:
    """What the loop itself takes."""
    for _ in repeat(None, rounds):
        pass


def python(op: str) -> Work:
    """The same expression on small integers, which are there already."""
    return evaluating(op, -3, 4)


def parsing(x: Tensor, y: Tensor) -> Work:
    """A call whose arguments are parsed and dispatched like an operator's, and which then compares two shapes."""
    import torch

    def work(rounds: int) -> None:
        same = torch.is_same_size
        for _ in repeat(None, rounds):
            same(x, y)

    return without_autograd(work)


def evaluating(op: str, x: object, y: object) -> Work:
    """The expression, written out as in any program."""
    a: Any = x
    b: Any = y

    def add(rounds: int) -> None:
        for _ in repeat(None, rounds):
            a + b

    def mul(rounds: int) -> None:
        for _ in repeat(None, rounds):
            a * b

    def absolute(rounds: int) -> None:
        for _ in repeat(None, rounds):
            abs(a)

    return {"add": add, "mul": mul, "abs": absolute}[op]


def without_autograd(work: Work) -> Work:
    """The same in inference mode, where the autograd keys are left out of every call."""
    import torch

    def inside(rounds: int) -> None:
        with torch.inference_mode():
            work(rounds)

    return inside


def apart(op: str, pairs: Sequence[tuple[Tensor, Tensor]]) -> Work:
    """One call for each pair; a round is all of them."""
    import operator

    import torch

    def absolute(x: Tensor, _: Tensor) -> Tensor:
        return torch.abs(x)

    one = {"add": operator.add, "mul": operator.mul, "abs": absolute}[op]

    def work(rounds: int) -> None:
        for _ in repeat(None, rounds):
            for x, y in pairs:
                one(x, y)

    return work
