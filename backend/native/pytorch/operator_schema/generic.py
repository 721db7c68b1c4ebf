"""A kernel for any schema: it does what the schema says, or lies as it is told to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor

from native.pytorch.operator_schema.cases import square, tensors
from native.pytorch.operator_schema.pictures import Kernel, Meta, Slot
from native.pytorch.operator_schema.schemas import sets

# One value for each type that a call can be made with; a list holds two.
VALUES: dict[str, Callable[[], Any]] = {
    "Tensor": square,
    "int": lambda: 2,
    "SymInt": lambda: 2,
    "float": lambda: 2.0,
    "complex": lambda: 2j,
    "Scalar": lambda: 2.0,
    "bool": lambda: True,
    "str": lambda: "text",
}


def base(slot: Slot) -> str:
    return slot.type.replace("?", "").removesuffix("[]")


def value(slot: Slot) -> Any:
    make = VALUES[base(slot)]
    return [make(), make()] if "[]" in slot.type else make()


class Generic:
    """Adds 1 to all that it may write. A result is an argument, a view of one, or the first tensor doubled."""

    def __init__(self, slots: list[Slot], kernel: Kernel, meta: Meta = "right") -> None:
        self.taken = [each for each in slots if not each.result]
        self.given = [each for each in slots if each.result]
        self.kernel, self.meta = kernel, meta

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        named = dict(zip((each.name for each in self.taken), args, strict=False)) | kwargs
        held = [(slot, each) for slot in self.taken for each in tensors([named.get(slot.name)])]
        for slot, each in held:
            if "!" in slot.mark:
                each.add_(1)
        plain = [each for slot, each in held if not slot.mark]
        if self.kernel == "mutates" and plain:
            plain[0].add_(1)
        results = [self._result(slot, held) for slot in self.given]
        return tuple(results) if len(results) > 1 else results[0] if results else None

    def _result(self, result: Slot, held: list[tuple[Slot, Tensor]]) -> Any:
        if base(result) != "Tensor":
            return value(result)
        several = "[]" in result.type
        sources = [each for slot, each in held if sets(slot.mark) & sets(result.mark)]
        if self.kernel == "aliases" and not result.mark:
            sources = [each for _, each in held[:1]]
        if not sources:
            new = [self._new(held) for _ in range(2 if several else 1)]
        elif "!" in result.mark:
            new = sources
        elif several and len(sources) == 1:
            new = [*sources[0].unbind()]
        else:
            new = [each.view_as(each) for each in sources]
        return new if several else new[0]

    def _new(self, held: list[tuple[Slot, Tensor]]) -> Tensor:
        if not held:
            return square()
        x = held[0][1]
        match self.meta:
            case "wrong_shape":
                return x.new_empty(x.shape[:-1])
            case "wrong_strides":
                return x.new_empty(x.mT.shape).mT
        return x * 2
