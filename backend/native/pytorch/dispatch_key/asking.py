"""The key set of a call, asked of torch where the call is about to be made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from native.models import dispatcher
from native.pytorch.dispatch_key.calls import OPERATORS, for_each, make, surroundings

if TYPE_CHECKING:
    from native.models.dispatcher import Registration
    from native.pytorch.dispatch_key import Params

BACKENDS = {"dense": "CPU", "sparse": "SparseCPU", "meta": "Meta"}
BOTH = ("add", "add_", "matmul", "conv2d")  # take y as well


@dataclass(frozen=True)
class Asked:
    """What torch told of a call, in the surroundings in which it is made."""

    keys: list[str]
    """The highest priority first"""
    origins: dict[str, str]
    excluded: set[str]
    table: dict[str, Registration]
    backend: str


def asked(params: Params) -> Asked:
    """Where the call is about to be made."""
    found: list[Asked] = []

    def look(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        found.append(ask(params.op, params.tensor, x, y))
        return x

    tensors = make(params)
    with surroundings(params, params.watched):
        for_each(params, look, *tensors)
    return found[0]


def ask(op: str, kind: str, x: torch.Tensor, y: torch.Tensor) -> Asked:
    brought = {"x": dispatcher.keys_of(x)} if op != "empty" else {}
    if op in BOTH:
        brought["y"] = dispatcher.keys_of(y)
    brought["the thread"] = dispatcher.included()
    if op == "empty":  # there is no tensor: a kernel at BackendSelect reads the device
        brought["the device"] = [BACKENDS[kind]]
    names = {key for keys in brought.values() for key in keys}
    return Asked(
        keys=dispatcher.by_priority(names),
        origins={key: ", ".join(who for who, keys in brought.items() if key in keys) for key in names},
        excluded=dispatcher.excluded(names),
        table=dispatcher.registrations(OPERATORS[op][0]),
        backend=BACKENDS[kind],
    )
