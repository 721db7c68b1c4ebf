"""The loops in Python that are timed: each does one thing to the same tensors, as a reader's program would."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from native.models.thread_clock import Work

if TYPE_CHECKING:
    from torch import Tensor

QUESTIONS = {"add": "is_same_size", "mul": "is_same_size", "neg": "is_distributed"}
"""Methods with the arguments of the operator, which do next to nothing with them, and make no tensor."""


def nothing(rounds: int) -> None:
    """What the loop itself takes."""
    for _ in repeat(None, rounds):
        pass


def python(op: str) -> Work:
    """The same expression on small integers, which are there already."""
    return evaluating(op, -3, 4)


def asking(op: str, x: Tensor, y: Tensor) -> Work:
    """A method whose arguments are parsed and dispatched like an operator's, and which answers yes or no."""

    def one(rounds: int) -> None:
        for _ in repeat(None, rounds):
            x.is_distributed()

    def two(rounds: int) -> None:
        for _ in repeat(None, rounds):
            x.is_same_size(y)

    return without_autograd({"is_distributed": one, "is_same_size": two}[QUESTIONS[op]])


def into(op: str, x: Tensor, y: Tensor, given: bool) -> Work:
    """The function with ``out=``: a tensor for its result, or ``None``, which is parsed alike and has one made."""
    import torch

    function = {"add": torch.add, "mul": torch.mul, "neg": torch.neg}[op]
    with torch.inference_mode():
        z = torch.empty_like(x) if given else None

    def one(rounds: int) -> None:
        call: Any = function
        for _ in repeat(None, rounds):
            call(x, out=z)

    def two(rounds: int) -> None:
        call: Any = function
        for _ in repeat(None, rounds):
            call(x, y, out=z)

    return without_autograd(one if op == "neg" else two)


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

    def neg(rounds: int) -> None:
        for _ in repeat(None, rounds):
            -a  # noqa: B018

    return {"add": add, "mul": mul, "neg": neg}[op]


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

    def neg(x: Tensor, _: Tensor) -> Tensor:
        return -x

    one = {"add": operator.add, "mul": operator.mul, "neg": neg}[op]

    def work(rounds: int) -> None:
        for _ in repeat(None, rounds):
            for x, y in pairs:
                one(x, y)

    return work
