"""An operator of ours, scaled, as right or as wrong as the reader wants it, in a library that ends with the run."""

from __future__ import annotations

import itertools
from typing import Any

import torch
from torch import Tensor, library

from native.pytorch.operator_schema.pictures import Kernel, Meta

SCHEMAS = {
    "scaled": "scaled(Tensor x, float by=2.0) -> Tensor",
    "scaled(a!)": "scaled(Tensor(a!) x, float by=2.0) -> Tensor",
    "scaled(a)": "scaled(Tensor(a) x, float by=2.0) -> Tensor(a)",
}
SOURCE = ["scaled(x)", "y = scaled(x).add_(1)", "return x.view(4) * y.view(4)"]
_numbers = itertools.count(1)


def namespace() -> str:
    """Two runs at a time do not meet: each has a namespace of its own, which messages call ours."""
    return f"ours{next(_numbers)}"


class Ours:
    """Registered until ``close``."""

    def __init__(self, operator: str, kernel: Kernel, meta: Meta, autograd: bool) -> None:
        self.space = namespace()
        make: Any = library.Library  # torch annotates nothing of it
        self.library = make(self.space, "FRAGMENT")
        self.refused = ""
        name = f"{self.space}::scaled"
        self.library.define(SCHEMAS[operator])
        if kernel != "missing":
            self.library.impl("scaled", KERNELS[kernel], "CPU")
        if meta != "missing":
            fake = returns if (operator, meta) == ("scaled(a)", "right") else METAS[meta]
            library.register_fake(name, fake, lib=self.library)
        if autograd:
            try:
                library.register_autograd(name, backward, setup_context=setup, lib=self.library)
            except RuntimeError as wrong:
                self.refused = str(wrong)
        self.call = getattr(torch.ops, self.space).scaled.default

    def close(self) -> None:
        self.library._destroy()
        vars(torch.ops).pop(self.space, None)

    def program(self, x: Tensor) -> Tensor:
        scaled = self.call
        scaled(x)
        y = scaled(x).add_(1)
        product: Tensor = x.view(4) * y.view(4)
        return product


def new_tensor(x: Tensor, by: float = 2.0) -> Tensor:
    return x * by


def changes(x: Tensor, by: float = 2.0) -> Tensor:
    return x.mul_(by).clone()


def returns(x: Tensor, by: float = 2.0) -> Tensor:
    return x.view_as(x)


KERNELS: dict[str, Any] = {"new": new_tensor, "mutates": changes, "aliases": returns}
METAS: dict[str, Any] = {
    "right": lambda x, by=2.0: torch.empty_like(x),
    "wrong_shape": lambda x, by=2.0: x.new_empty(x.shape[:-1]),
    "wrong_strides": lambda x, by=2.0: x.new_empty(x.mT.shape).mT,
}


def setup(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    ctx.by = inputs[1] if len(inputs) > 1 else 2.0


def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
    return gradient * ctx.by, None
