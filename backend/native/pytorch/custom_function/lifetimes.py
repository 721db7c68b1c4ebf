"""How long the storages of a forward pass live: while the result has a name, after del, after a collection."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from native.pytorch.custom_function.jacobians import leaves
from native.pytorch.custom_function.written import Written


@dataclass(frozen=True)
class Lived:
    name: str
    bytes: int
    holders: list[str]
    """Who holds it while the result has a name"""
    alive: list[bool]
    """After forward, after del of the result, after gc.collect()"""


def lives(written: Written, inputs: Sequence[Tensor]) -> list[Lived]:
    given = leaves(inputs)
    was = gc.isenabled()
    gc.disable()  # which would come when it likes, and take away what is to be seen
    written.watching = True
    try:
        outputs = written.apply(*given)
        seen, written.kept = written.kept, []
        stages = [[each.alive() for each in seen]]
        del outputs
        stages.append([each.alive() for each in seen])
        gc.collect(0)  # what was made since is young
        stages.append([each.alive() for each in seen])
        for each in seen:
            each.let_go()
    finally:
        written.watching = False
        if was:
            gc.enable()
    return [
        Lived(each.name, each.bytes, each.holders, [stage[n] for stage in stages]) for n, each in enumerate(seen)
    ]
