"""Which operations autocast lowers: a forward pass, watched below it by a dispatch mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import torch
from labs.contract import say
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from native.pytorch.mixed_precision.pictures import Operation

if TYPE_CHECKING:
    from native.pytorch.mixed_precision.training import Training

VIEWS = {"t", "detach"}
"""They compute nothing."""


class Watch(TorchDispatchMode):  # type: ignore[no-untyped-call]
    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.seen: list[Operation] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        name = func.overloadpacket.__name__
        if name not in VIEWS:
            first = result if isinstance(result, Tensor) else result[0]
            gives = short(first)
            sort: Literal["cast", "lowered", "kept"] = "kept" if gives == "float32" else "lowered"
            takes = [short(each) for each in args if isinstance(each, Tensor) and each.is_floating_point()]
            kinds = list(dict.fromkeys(takes))
            self.seen.append(Operation(str(len(self.seen)), name, "cast" if "copy" in name else sort, kinds, gives))
        return result


def short(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def traced(training: Training) -> dict[str, Any]:
    images, labels = training.first()
    with torch.no_grad(), Watch() as watch:
        training.forward(images, labels)
    sorts = [each.sort for each in watch.seen]
    lowered, kept, casts = (sorts.count(sort) for sort in ("lowered", "kept", "cast"))
    return {
        "operations": watch.seen,
        "lowered": lowered,
        "kept": kept,
        "casts": casts,
        "text": say(
            "One forward pass under autocast to {}: {} operations give {}, {} give float32, and {} are casts.",
            training.of.name,
            lowered,
            training.of.name,
            kept,
            casts,
        )
        if training.lowers
        else say("One forward pass without autocast: all {} operations give float32.", kept),
    }
