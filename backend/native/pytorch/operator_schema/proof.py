"""Makes a call, and compares storages and versions before and after it with what the schema says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from torch import Tensor

from native.pytorch.operator_schema.cases import Case, tensors
from native.pytorch.operator_schema.pictures import Place, Slot
from native.pytorch.operator_schema.schemas import sets


@dataclass
class Storage:
    """One, while the call is made."""

    tensor: Tensor
    bytes: Tensor | None
    """Before the call"""
    before: int
    slots: list[Slot] = field(default_factory=list)


class Proof:
    """``places`` and ``error`` say what came of the call."""

    def __init__(self, case: Case, slots: Sequence[Slot]) -> None:
        self.found: dict[int, Storage] = {}
        self.error: Exception | None = None
        self.result: Any = None
        args, kwargs = case.make()
        given = [*args, *kwargs.values()]
        named = {slot.name: slot for slot in slots if not slot.result}
        order = [slot for slot in named.values() if not slot.keyword]
        for value, slot in zip(args, order, strict=False):
            self._put(value, slot, True)
        for name, value in kwargs.items():
            self._put(value, named[name], True)
        self.waiting = self.places()
        try:
            self.result = case.call(*args, **kwargs)
        except Exception as wrong:
            self.error = wrong
        results = [slot for slot in slots if slot.result]
        values = self.result if len(results) > 1 else [self.result]
        if self.error is None:
            for value, slot in zip(values, results, strict=False):
                self._put(value, slot, False)
        self.kept = given  # so that no address is used twice

    def places(self) -> list[Place]:
        return [self._place(f"storage {n}", each) for n, each in enumerate(self.found.values())]

    def _put(self, value: Any, slot: Slot, given: bool) -> None:
        for tensor in tensors([value]):
            at = tensor.untyped_storage().data_ptr()
            if at not in self.found:
                kept = _bytes(tensor) if given else None
                self.found[at] = Storage(tensor, kept, tensor._version if given else -1)
            if slot not in self.found[at].slots:
                self.found[at].slots.append(slot)

    def _place(self, key: str, of: Storage) -> Place:
        changed = of.bytes is not None and not torch.equal(of.bytes, _bytes(of.tensor))
        return Place(
            key=key,
            slots=[each.key for each in of.slots],
            before=of.before,
            after=of.tensor._version if of.bytes is not None else -1,
            changed=changed,
            lie=self._lie(of, changed),
        )

    def _lie(self, of: Storage, changed: bool) -> Literal["", "written", "shared"]:
        if changed and not any("!" in each.mark for each in of.slots):
            return "written"
        inputs = [sets(each.mark) for each in of.slots if not each.result]
        outputs = [sets(each.mark) for each in of.slots if each.result]
        apart = any(not (one & other or "*" in one | other) for one in inputs for other in outputs)
        return "shared" if apart else ""


def _bytes(tensor: Tensor) -> Tensor:
    return torch.tensor([], dtype=torch.uint8).set_(tensor.detach().untyped_storage()).clone()
