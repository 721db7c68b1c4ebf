"""Who copies what: seen below autograd by a mode, and inside of operators by the profiler."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor
from torch.autograd import profiler
from torch.utils._python_dispatch import TorchDispatchMode

from native.pytorch.memory_format.chain import Line

COPIES = ("aten::clone", "aten::_to_copy")
CONVOLUTIONS = ("aten::mkldnn_convolution", "aten::thnn_conv2d", "aten::_conv_depthwise2d")


@dataclass
class Copies:
    """Of one line: numbers in each copy."""

    visible: list[int] = field(default_factory=list)
    """A TorchDispatchMode sees it"""
    inside: list[int] = field(default_factory=list)
    """An operator makes it, and only the profiler sees it"""
    kernel: str = ""
    """Which of torch's convolutions computed"""


class Watch(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Sees every operator below autograd, and notes the copies."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.copied: list[int] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if func._schema.name in COPIES and result.numel() > 1:
            self.copied.append(result.numel())
        return result


def watched(lines: Sequence[Line], x: Tensor) -> list[Copies]:
    """The lines are run twice: once under the mode, and once under the profiler, which sees what operators call."""
    found, fed = [], x
    for line in lines:
        with Watch() as watch:
            fed = line.call(fed)
        found.append(Copies(visible=watch.copied))
    with profiler.profile(record_shapes=True) as profile:
        for at, line in enumerate(lines):
            with profiler.record_function(str(at)):
                x = line.call(x)
    every: list[list[int]] = [[] for _ in lines]
    for event in profile.function_events or ():
        line_at = line_of(event)
        if line_at is None:
            continue
        if event.name in CONVOLUTIONS:
            found[line_at].kernel = event.name.removeprefix("aten::")
        if event.name in COPIES and event.input_shapes and math.prod(event.input_shapes[0]) > 1:
            every[line_at].append(math.prod(event.input_shapes[0]))
    for each, sizes in zip(found, every, strict=True):
        for size in each.visible:
            sizes.remove(size)
        each.inside = sizes
    return found


def line_of(event: Any) -> int | None:
    """The line during which the profiler saw it."""
    while event is not None:
        if event.name.isdecimal():
            return int(event.name)
        event = event.cpu_parent
    return None
