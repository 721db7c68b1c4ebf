"""What a forward pass leaves for backward, watched without keeping any of it alive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torch import Tensor

from native.models import private

if TYPE_CHECKING:
    from native.pytorch.custom_function.written import Body, Context


@dataclass(frozen=True)
class Kept:
    """A storage that forward read or made, without a reference to it."""

    name: str
    storage: int
    bytes: int
    weak: int
    """Torch's weak reference; ``let_go`` frees it"""
    holders: list[str]

    def alive(self) -> bool:
        return not private.gone(self.weak)

    def let_go(self) -> None:
        private.free(self.weak)


def kept(body: Body, context: Context, result: Any) -> list[Kept]:
    """Of inputs, outputs, and what is left for backward; with the ways that lead to it."""
    inputs = [each.arg for each in body.of.args.args[1:]]
    ways: dict[int, tuple[Tensor, list[str], list[str]]] = {}

    def add(tensor: Tensor, name: str, holder: str) -> None:
        _, names, holders = ways.setdefault(tensor.untyped_storage()._cdata, (tensor, [], []))
        names += [name] if name else []
        holders += [holder] if holder else []

    for name in inputs:
        add(body.names[name], name, name) if isinstance(body.names.get(name), Tensor) else None
    outputs = result if isinstance(result, tuple) else (result,)
    several = len(outputs) > 1
    for n, each in enumerate(outputs):
        if isinstance(each, Tensor):
            add(each, "", f"y{n}" if several else "y")
    for n, each in enumerate(context.saved):
        add(each, "", f"saved_tensors[{n}]")
    for name, each in context.kept.items():
        add(each, name, f"ctx.{name}")
    for name, value in body.names.items():
        if isinstance(value, Tensor) and value.untyped_storage()._cdata in ways:
            add(value, name, "")
    return [
        Kept(
            (names or holders)[0],
            storage,
            tensor.untyped_storage().nbytes(),
            private.weak(tensor.untyped_storage()),
            holders,
        )
        for storage, (tensor, names, holders) in ways.items()
    ]
