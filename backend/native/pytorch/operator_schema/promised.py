"""An operator with the schema of the reader's, whose kernel does what the schema says, or lies as it is told to."""

from __future__ import annotations

from typing import Any

import torch
from labs.contract import LabError, Sentence, say
from torch import library

from native.pytorch.operator_schema.cases import Case, Given
from native.pytorch.operator_schema.generic import VALUES, Generic, base, value
from native.pytorch.operator_schema.ours import namespace
from native.pytorch.operator_schema.pictures import Kernel, Meta, Slot
from native.pytorch.operator_schema.schemas import slots, without_texts


def uncalled(schema: Any) -> Sentence | None:
    """Why no call can be made, if none can."""
    found = slots(schema)
    for each in found:
        if base(each) not in VALUES:
            return say(
                "The operator is drawn, but not called: the lab has no {} to give for {}.", each.type, each.name
            )
    if not any(each.tensor for each in found if not each.result):
        return say("The operator is drawn, but not called: with no tensor given, no backend’s kernel is chosen.")
    if "..." in without_texts(schema):
        return say("The operator is drawn, but not called: “...” leaves open how many values there are.")
    return None


class Promised:
    """Registered until ``close``."""

    def __init__(self, schema: Any, kernel: Kernel, meta: Meta) -> None:
        self.slots = slots(schema)
        self.given = [each for each in self.slots if each.result]
        self.space = namespace()
        make: Any = library.Library  # torch annotates nothing of it
        self.library = make(self.space, "FRAGMENT")
        try:
            self._register(schema, kernel, meta)
        except BaseException:
            self.close()
            raise

    def _register(self, schema: Any, kernel: Kernel, meta: Meta) -> None:
        space, name = getattr(torch.ops, self.space), schema.name.rpartition("::")[2]
        if hasattr(space, name):
            raise LabError(f"torch.ops keeps the name “{name}” for itself; rename the operator.")
        self.library.define(str(schema).removeprefix(schema.name.removesuffix(name)))
        call = getattr(getattr(space, name), schema.overload_name or "default")
        if not isinstance(call, torch._ops.OpOverload):
            raise LabError(f"torch.ops keeps the name “{schema.overload_name}” for itself; rename the overload.")
        name = f"{name}.{schema.overload_name}".rstrip(".")
        if kernel != "missing":
            self.library.impl(name, Generic(self.slots, kernel), "CPU")
        if meta != "missing":
            library.register_fake(f"{self.space}::{name}", Generic(self.slots, "new", meta), lib=self.library)
        self.call: Any = call

    def close(self) -> None:
        self.library._destroy()
        vars(torch.ops).pop(self.space, None)

    def case(self) -> Case:
        """Two calls, so that the result of the first is one that nobody uses; the second's is changed in place."""
        new = next((n for n, each in enumerate(self.given) if each.type == "Tensor" and not each.mark), -1)
        several = len(self.given) > 1

        def program(*args: Any, **kwargs: Any) -> Any:
            self.call(*args, **kwargs)
            result = self.call(*args, **kwargs)
            if new >= 0:
                (result[new] if several else result).add_(1)
            return result

        args = []
        for each in self._needed():
            written = each.name if each.tensor else repr(value(each))
            args.append(f"{each.name}={written}" if each.keyword else written)
        call = f"{self.call._schema.name.partition('::')[2]}({', '.join(args)})"
        source = [call, f"y = {call}", "return y"] if self.given else [call, call]
        if new >= 0:
            source.insert(2, f"y[{new}].add_(1)" if several else "y.add_(1)")
        return Case(self.call, self._make, program, source)

    def _needed(self) -> list[Slot]:
        """The arguments of the call: up to the last by place without a default, and all tensors."""
        taken = [each for each in self.slots if not each.result]
        places = [each for each in taken if not each.keyword]
        last = max((n for n, each in enumerate(places) if each.tensor or not each.default), default=-1)
        names = [each for each in taken if each.keyword and (each.tensor or not each.default)]
        return places[: last + 1] + names

    def _make(self) -> Given:
        needed = self._needed()
        args = [value(each) for each in needed if not each.keyword]
        return args, {each.name: value(each) for each in needed if each.keyword}
