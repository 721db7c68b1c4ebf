"""Storages and the tensors that read them, as torch has them after a statement."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

import torch
from torch import Tensor

from native.models import private
from native.pytorch.tensor_storage.pictures import Look, Save, Storage, View
from native.pytorch.tensor_storage.saved import CELLS, Kept, Saved, cells, storage_of, written


class Watcher:
    """Looks at the names of a program after each statement. A storage keeps its letter, a tensor its number."""

    def __init__(self) -> None:
        self._saved = Saved()
        self._letters: dict[int, str] = {}
        self._numbers: dict[int, int] = {}
        self._cells: dict[str, list[str]] = {}
        """Of each storage, as they were"""
        self._given, self._counted = 0, 0

    def look(self, names: Mapping[str, Any]) -> Look:
        named = found(names)
        tensors = [tensor for tensor, _ in named.values()]
        kept = self._saved.look(tensors)
        shown = {storage_of(each): each for each in reversed(tensors)}
        self._name([*map(storage_of, tensors), *(each.storage for each in kept if each.storage)], [*named])
        views = [self._view(ways, tensor, named) for tensor, ways in named.values()]
        storages = [self._storage(key, shown.get(key), views, kept) for key in self._letters]
        self._cells = {each.name: each.cells for each in storages}
        saves = [
            Save(each.node, each.number, self._letters.get(each.storage, ""), each.saved, each.now) for each in kept
        ]
        return Look(storages, views, saves)

    def _name(self, storages: list[int], tensors: list[int]) -> None:
        """Torch uses an address again once what lay there is gone, and so do we forget its letter."""
        self._letters = {key: letter for key, letter in self._letters.items() if key in storages}
        self._numbers = {key: number for key, number in self._numbers.items() if key in tensors}
        for key in storages:
            if key not in self._letters:
                self._letters[key] = letter(self._given)
                self._given += 1
        for key in tensors:
            if key not in self._numbers:
                self._counted += 1
                self._numbers[key] = self._counted

    def _view(self, ways: list[str], tensor: Tensor, named: Named) -> View:
        base = tensor._base
        flat = tensor.detach().reshape(-1)[:CELLS]
        return View(
            number=self._numbers[id(tensor)],
            names=ways,
            storage=self._letters[storage_of(tensor)],
            dtype=str(tensor.dtype).removeprefix("torch."),
            offset=int(tensor.storage_offset()),
            shape=list(tensor.shape),
            strides=list(tensor.stride()),
            at=positions(tensor),
            item=tensor.element_size(),
            values=[written(each) for each in flat.tolist()],
            base="" if base is None else named[id(base)][1][0],
            version=-1 if tensor.is_inference() else tensor._version,
            history="leaf" if tensor.is_leaf and tensor.requires_grad else history(tensor),
        )

    def _storage(self, key: int, tensor: Tensor | None, views: list[View], kept: list[Kept]) -> Storage:
        name = self._letters[key]
        on = [way for view in views if view.storage == name for way in view.names]
        saved = [each for each in kept if each.storage == key]
        holders = [*on, *dict.fromkeys(each.node for each in saved)]
        if tensor is None:
            size, item, numbers = saved[0].bytes, saved[0].item, list(saved[0].cells)
        else:
            size, item, numbers = tensor.untyped_storage().nbytes(), tensor.element_size(), cells(tensor)
        before = self._cells.get(name, numbers)
        changed = [n for n, (was, cell) in enumerate(zip(before, numbers, strict=False)) if was != cell != "?"]
        return Storage(name, size, item, numbers, changed, holders, private.counted(key))


Named = dict[int, tuple[Tensor, list[str]]]


def found(names: Mapping[str, Any]) -> Named:
    """Each tensor once, with all its names; then those that hang on them as gradient or base."""
    named: Named = {}
    for name, value in names.items():
        if isinstance(value, Tensor):
            named.setdefault(id(value), (value, []))[1].append(name)
    for tensor, ways in [*named.values()]:
        if tensor.grad_fn is None and tensor.grad is not None:
            named.setdefault(id(tensor.grad), (tensor.grad, []))[1].append(f"{ways[0]}.grad")
        if (base := tensor._base) is not None and id(base) not in named:
            named[id(base)] = (base, [f"{ways[0]}._base"])
    return named


def letter(n: int) -> str:
    """A, B, …, Z, A1, …"""
    return ascii_uppercase[n % 26] + (str(n // 26) if n >= 26 else "")


def history(tensor: Tensor) -> str:
    return "" if tensor.grad_fn is None else str(tensor.grad_fn.name())


def positions(tensor: Tensor) -> list[int]:
    """The byte where each element begins, row after row."""
    at = torch.tensor([tensor.storage_offset()])
    for size, stride in zip(tensor.shape, tensor.stride(), strict=True):
        at = (at[:, None] + stride * torch.arange(size)).reshape(-1)
    return [int(each) * tensor.element_size() for each in at[:CELLS]]
