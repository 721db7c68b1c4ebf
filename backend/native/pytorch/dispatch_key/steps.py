"""The keys that have their turn, from the highest to the one whose kernel computes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from native.pytorch.dispatch_key.asking import Asked

BATCHED = "FuncTorchBatched"


@dataclass(frozen=True)
class Step:
    """One key of the set."""

    key: str
    origin: str
    excluded: bool
    state: str
    kernel: str
    registered: str
    boxed: bool


def walk(asked: Asked) -> list[Step]:
    """What becomes of each key. A composite kernel ends the way of this operator, as a backend does.

    So does the one for a batch, which calls this operator with other tensors, or others, from the top.
    """
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
            state, over = "ran", key == asked.backend or key == BATCHED or registration.kind == "math kernel"
        where = f"{registration.file}:{registration.line}" if registration else ""
        kind = registration.kind if registration else ""
        boxed = bool(registration and registration.boxed)
        steps.append(Step(key, asked.origins[key], key in asked.excluded, state, where, kind, boxed))
    return steps
