"""softcap as the reader has put it together, in a library that ends with the run."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from native.models import softcap_kernel
from native.pytorch.add_an_operator import parts
from native.pytorch.add_an_operator.docs import DOCS
from native.pytorch.add_an_operator.parts import METAS, REFERENCES, RULES, SCHEMAS, SLOPES, keep

CAP = 30.0
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Choices:
    schema: str = "right"
    reference: str = "right"
    meta: str = "right"
    backward: str = "right"
    kernel: str = "right"
    compile: str = "right"
    docs: str = "right"


class Operator:
    """Two of them do not meet: each has a namespace of its own, which messages call ours."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.space = f"ours{next(_numbers)}x"
        make: Any = torch.library.Library  # torch annotates nothing of it
        self.library = make(self.space, "FRAGMENT")
        name = f"{self.space}::softcap"
        if choices.schema == "missing":
            return
        self.library.define(SCHEMAS[choices.schema])
        if (choices.reference, choices.kernel) != ("missing", "missing"):
            self.library.impl("softcap", self.on_cpu, "CPU")
        if choices.meta != "missing":
            torch.library.register_fake(name, METAS[choices.meta], lib=self.library)
        if choices.backward != "missing":
            torch.library.register_autograd(name, SLOPES[choices.backward], setup_context=keep, lib=self.library)

    def on_cpu(self, x: Tensor, cap: float = CAP) -> Tensor:
        """The kernel for float32, the reference for every other type, and where there is no kernel."""
        if self.choices.kernel != "missing" and x.dtype == torch.float32:
            return softcap_kernel.call(self.choices.kernel, x, cap)
        if self.choices.reference == "missing":
            raise NotImplementedError(f"softcap has no kernel for {x.dtype}")
        return REFERENCES[self.choices.reference](x, cap)

    @property
    def call(self) -> Any:
        """The overload. Raises ``AttributeError`` without a schema."""
        return getattr(torch.ops, self.space).softcap.default

    def __call__(self, x: Tensor, **cap: float) -> Tensor:
        """What a user calls."""
        if self.choices.compile == "branches":
            return parts.branching(self.call, x, **cap)
        made: Tensor = self.call(x, **cap)
        return made

    @property
    def rules(self) -> dict[Any, Callable[..., Tensor]]:
        """What the compiler may write in the operator's place."""
        return {self.call: RULES[self.choices.compile]} if self.choices.compile in RULES else {}

    @property
    def doc(self) -> str:
        return DOCS.get(self.choices.docs, "")

    def close(self) -> None:
        self.library._destroy()
        vars(torch.ops).pop(self.space, None)
