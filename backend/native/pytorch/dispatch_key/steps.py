"""The key set of a call, and the keys that have their turn, from the highest to the one whose kernel computes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from native.pytorch.dispatch_key.private import Registration

BACKENDS = {"dense": "CPU", "sparse": "SparseCPU", "meta": "Meta"}
BOTH = ("add", "add_", "matmul")  # take y as well


@dataclass(frozen=True)
class Step:
    """One key of the set."""

    key: str
    origin: str
    state: str
    kernel: str
    registered: str


@dataclass(frozen=True)
class Asked:
    """What torch told of a call, in the surroundings in which it is made."""

    keys: list[str]
    """The highest priority first"""
    origins: dict[str, str]
    excluded: set[str]
    table: dict[str, Registration]
    backend: str


def ask(op: str, kind: str, operator: str, x: torch.Tensor, y: torch.Tensor) -> Asked:
    from native.pytorch.dispatch_key import private

    brought = {"x": private.keys_of(x)} if op != "empty" else {}
    if op in BOTH:
        brought["y"] = private.keys_of(y)
    brought["the thread"] = private.included()
    if op == "empty":  # there is no tensor: a kernel at BackendSelect reads the device
        brought["the device"] = [BACKENDS[kind]]
    names = {key for keys in brought.values() for key in keys}
    return Asked(
        keys=private.by_priority(names),
        origins={key: ", ".join(who for who, keys in brought.items() if key in keys) for key in names},
        excluded=private.excluded(names),
        table=private.registrations(operator),
        backend=BACKENDS[kind],
    )


def walk(asked: Asked) -> list[Step]:
    """What becomes of each key. A composite kernel ends the way of this operator, as a backend's kernel does."""
    steps, over = [], False
    for key in asked.keys:
        registration = asked.table.get(key)
        if over:
            state = "not reached"
        elif key in asked.excluded:
            state = "excluded"
        elif registration is None:
            state, over = "no kernel", True
        elif registration.fallthrough:
            state = "falls through"
        else:
            state, over = "ran", key == asked.backend or registration.kind == "math kernel"
        where = f"{registration.file}:{registration.line}" if registration else ""
        steps.append(Step(key, asked.origins[key], state, where, registration.kind if registration else ""))
    return steps
