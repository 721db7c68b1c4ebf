"""The calls that are looked at, with their tensors and what surrounds them; and what came of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from native.models.messages import first_sentence

if TYPE_CHECKING:
    from native.pytorch.dispatch_key import Params

BATCH = 3
Do = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
OPERATORS = {
    "add": ("aten::add.Tensor", "x + y"),
    "add_": ("aten::add_.Tensor", "x.add_(y)"),
    "matmul": ("aten::matmul", "x @ y"),
    "conv2d": ("aten::conv2d", "torch.conv2d(x, y)"),
    "relu": ("aten::relu", "x.relu()"),
    "view": ("aten::view", "x.view(-1)"),
    "sum": ("aten::sum", "x.sum()"),
    "clone": ("aten::clone", "x.clone()"),
    "softmax": ("aten::softmax.int", "x.softmax(0)"),
    "empty": ("aten::empty.memory_format", "torch.empty(2)"),
}
"""As torch registers them, and as Python."""


@dataclass
class Result:
    reached: list[str] = field(default_factory=list)
    """Operators that a mode below autograd saw, in order"""
    dtype: str = ""
    grad_fn: str = ""
    error: str = ""


class Watch(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Sees every operator below autograd, and lets it be."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.seen: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.seen.append(str(func))
        return func(*args, **(kwargs or {}))


def make(params: Params) -> tuple[torch.Tensor, torch.Tensor]:
    """x and y, of 2 by 2 numbers, or a batch of three x; a convolution wants two dimensions more.

    What is changed in place is no leaf, which torch would refuse.
    """
    x, y = torch.eye(2), torch.full((2, 2), 0.5)
    if params.op == "conv2d":
        x, y = x[None, None], y[None, None]
    if params.vmap:
        x = torch.stack([x] * BATCH)
    if params.tensor == "meta":
        x, y = x.to("meta"), y.to("meta")
    if params.tensor == "sparse":
        x, y = x.to_sparse(), y.to_sparse()
    x.requires_grad_(params.grad)
    return x.clone() if params.op == "add_" else x, y


def for_each(params: Params, do: Do, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """With an x of the batch, if there is one, as ``torch.vmap`` shows it to what it is given."""
    return torch.vmap(do, (0, None))(x, y) if params.vmap else do(x, y)


@contextmanager
def surroundings(params: Params, watched: bool) -> Iterator[Watch]:
    watch = Watch()
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
        if params.mode == "no_grad":
            stack.enter_context(torch.no_grad())
        if params.mode == "inference_mode":
            stack.enter_context(torch.inference_mode())
        if params.autocast:
            stack.enter_context(torch.autocast("cpu", torch.bfloat16))
        if watched:
            stack.enter_context(watch)
        yield watch


def call(op: str, kind: str, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    match op:
        case "add":
            return x + y
        case "add_":
            return x.add_(y)
        case "matmul":
            return x @ y
        case "conv2d":
            return torch.conv2d(x, y)
        case "relu":
            return x.relu()
        case "view":
            return x.view(-1)
        case "sum":
            return x.sum()
        case "clone":
            return x.clone()
        case "softmax":
            return x.softmax(0)
    layout = torch.sparse_coo if kind == "sparse" else torch.strided
    return torch.empty(2, device="meta" if kind == "meta" else "cpu", layout=layout)


def made(params: Params) -> Result:
    """The call is made once as it stands, and once more with a mode that sees what it comes to.

    What torch refuses is shown with its message, as what comes of the call.
    """
    result = Result()

    def do(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return call(params.op, params.tensor, x, y)

    try:
        tensors = make(params)
        with surroundings(params, params.watched):
            value = for_each(params, do, *tensors)
        result.dtype = str(value.dtype).removeprefix("torch.")
        result.grad_fn = value.grad_fn.name() if value.grad_fn is not None else ""
        tensors = make(params)
        with surroundings(params, watched=True) as watch:
            for_each(params, do, *tensors)
        result.reached = watch.seen
    except (RuntimeError, TypeError, ValueError) as error:  # NotImplementedError is one of them
        result.error = first_sentence(str(error))
    return result
