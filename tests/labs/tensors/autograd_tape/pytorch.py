"""Runs the same text in PyTorch: the oracle of our interpreter, of its library, and of its tape."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from labs.models.programs.accept import parse
from labs.models.programs.trouble import StoppedError
from labs.models.tensor.tensor import Tensor
from labs.tensors.autograd_tape.machine import Machine
from torch.utils.checkpoint import checkpoint

GRADIENT = re.compile(r"^(\w+) = (?:grad\(|\w+\.grad$)", re.MULTILINE)
NAMES = {name: getattr(torch, name) for name in dir(torch) if not name.startswith("_")} | {
    "grad": torch.autograd.grad,
    "checkpoint": partial(checkpoint, use_reentrant=False),
    "print": lambda *_: None,
    "range": range,
    "torch": torch,
}


def theirs(source: str) -> tuple[dict[str, Any], str]:
    """Names after the program, and what PyTorch refused."""
    scope = dict(NAMES)
    torch.set_default_dtype(torch.float64)
    try:
        with warnings.catch_warnings(action="ignore"):
            exec(source, scope)
            refused = ""
    except (RuntimeError, ValueError, TypeError, IndexError) as wrong:
        refused = f"{type(wrong).__name__}: {wrong}"
    finally:
        torch.set_default_dtype(torch.float32)
    own = {name: each for name, each in scope.items() if NAMES.get(name) is not each}
    return {name: each for name, each in own.items() if not name.startswith("__")}, refused


def ours(source: str) -> tuple[dict[str, Any], str]:
    machine = Machine(parse(source))
    try:
        machine.run()
    except StoppedError as stopped:
        return machine.names.names, stopped.message
    return machine.names.names, ""


def differ(source: str) -> str:
    """The first difference between ours and PyTorch's run of a program; empty if there is none."""
    here, stopped = ours(source)
    there, refused = theirs(source)
    if bool(stopped) != bool(refused):
        return f"ours: {stopped or 'goes through'}; PyTorch: {refused or 'goes through'}"
    return next(differences(here, there, set(GRADIENT.findall(source)), walked=not stopped), "")


def differences(here: dict[str, Any], there: dict[str, Any], grads: set[str], walked: bool) -> Iterator[str]:
    """A walk that is refused may have gone elsewhere first: its gradients are not compared.

    Nor are versions of ``grads``: some of PyTorch's begin above 0, by how they were added up or copied.
    """
    if here.keys() != there.keys():
        yield f"ours has {sorted(here)}, PyTorch {sorted(there)}"
    tensors = {name: (each, there[name]) for name, each in here.items() if isinstance(each, Tensor)}
    for name, (one, other) in tensors.items():
        for what, mine, its in (
            ("numbers", one.array, other.numpy(force=True)),
            (
                "gradient",
                of(one.grad),
                None if not other.is_leaf or other.grad is None else other.grad.numpy(force=True),
            ),
        ):
            if what == "gradient" and not walked:
                continue
            if (mine is None) != (its is None) or (mine is not None and its is not None and not alike(mine, its)):
                yield f"{name}: {what} {mine} and {its}"
        for what, mine, its in (
            ("wants a gradient", one.requires_grad, other.requires_grad),
            ("leaf", one.is_leaf, other.is_leaf),
            ("version", one.storage.version, one.storage.version if name in grads else other._version),
        ):
            if mine != its:
                yield f"{name}: {what} {mine} and {its}"
        for second, (mine, its) in tensors.items():
            shared = one.storage is mine.storage
            if shared != (other.untyped_storage().data_ptr() == its.untyped_storage().data_ptr()):
                yield f"{name} and {second} share their bytes in one of both"


def of(grad: Tensor | None) -> Any:
    return None if grad is None else grad.array


def alike(mine: Any, its: Any) -> bool:
    if mine.shape != its.shape or mine.dtype != its.dtype:
        return False
    loose = 1e-4 if mine.dtype == np.float32 else 1e-9
    return bool(np.allclose(mine, its, rtol=loose, atol=loose, equal_nan=True))


def same(source: str) -> None:
    if found := differ(source):
        pytest.fail(f"{found}\n\n{source}")


def saved_bytes(source: str) -> int:
    """That PyTorch hands to its hooks as saved: each storage once. A plain number is not among them."""
    kept: list[torch.Tensor] = []
    torch.set_default_dtype(torch.float64)
    try:
        with torch.autograd.graph.saved_tensors_hooks(lambda each: kept.append(each) or each, lambda each: each):
            exec(source, dict(NAMES))
    finally:
        torch.set_default_dtype(torch.float32)
    storages = {each.untyped_storage().data_ptr(): each.untyped_storage().nbytes() for each in kept}
    return sum(storages.values())
