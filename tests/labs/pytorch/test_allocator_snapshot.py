"""What is read from snapshots is what was served: PyTorch's place is taken by the model, of which all is known."""

from __future__ import annotations

from dataclasses import fields
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from labs.models.allocator.blocks import ALLOCATED, FREE, MIB
from labs.models.allocator.course import State, course
from labs.models.allocator.traces import lengths, trace
from labs.pytorch.caching_allocator.allocator import Allocator
from native.pytorch.allocator_snapshot import on_a_gpu
from native.pytorch.allocator_snapshot.on_a_gpu import OnAGpu

BASE = 1 << 40
"""A GPU's addresses do not begin at 0"""
SAID = {ALLOCATED: "active_allocated", FREE: "inactive"}


class OutOfMemoryError(RuntimeError):
    pass


class Tensor:
    def __init__(self, model: Allocator, asked: int, owner: int) -> None:
        did = model.malloc(asked, owner)
        if not did.block:
            said = model.says(asked).partition(" GPU 0")[0]
            rest = model.says(asked).partition("is free. ")[2]
            raise OutOfMemoryError(
                f"{said} GPU 0 has a total capacity of 139.80 GiB of which 99.00 GiB is free. Process 7 has 1.00 "
                f"GiB memory in use. {model.limit >> 20}.00 MiB allowed; {rest} If reserved but unallocated …"
            )
        self.model, self.owner, self.at = model, owner, did.block.start

    def data_ptr(self) -> int:
        return BASE + self.at

    def __del__(self) -> None:
        if hasattr(self, "owner"):
            self.model.free(self.owner)


def torch_of(model: Allocator) -> Any:
    """As much of torch as is asked, with the segments in the order of their names: none that one may rely on."""
    asked = iter(range(10**9))

    def snapshot() -> list[dict[str, Any]]:
        return [
            {
                "address": BASE + segment.start,
                "segment_type": "small" if segment.small else "large",
                "blocks": [
                    {"address": BASE + b.start, "size": b.size, "requested_size": b.asked, "state": SAID[b.state]}
                    for b in segment.blocks
                ],
            }
            for segment in sorted(model.segments, key=lambda each: str(each.start))
        ]

    cuda = SimpleNamespace(
        empty_cache=lambda: None,
        memory_reserved=lambda: 0,
        memory_snapshot=snapshot,
        get_device_properties=lambda: SimpleNamespace(total_memory=1 << 37),
        set_per_process_memory_fraction=lambda share: None,
    )
    return SimpleNamespace(
        cuda=cuda,
        uint8=None,
        OutOfMemoryError=OutOfMemoryError,
        empty=lambda size, dtype, device: Tensor(model, size, next(asked)),
    )


@pytest.mark.parametrize(("kind", "memory", "seed"), [("varying", 768, 0), ("equal", 680, 0), ("growing", 500, 2)])
def test_a_run_on_snapshots_is_the_run_of_the_model(
    kind: Any, memory: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_a_gpu, "torch", torch_of(Allocator(memory * MIB)))
    of = lengths(kind, 5, 256, seed)
    requests = list(trace(16, of, streams=1))
    shown = [*course(OnAGpu(memory * MIB), memory, of, requests)]
    expected = [*course(Allocator(memory * MIB), memory, of, requests)]
    assert len(shown) == len(expected)
    for one, other in zip(shown, expected, strict=True):
        for each in fields(State):
            ours, theirs = getattr(one, each.name), getattr(other, each.name)
            if each.name == "message" and theirs:
                assert ours.startswith("CUDA out of memory. Tried to allocate ")
                assert ours.partition("Of the")[2] == theirs.partition("Of the")[2]
            elif isinstance(theirs, np.ndarray):
                assert np.array_equal(ours, theirs), each.name
            else:
                assert ours == theirs, each.name


def test_what_else_lies_on_the_gpu_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = torch_of(Allocator(MIB))
    torch.cuda.memory_reserved = lambda: 2 * MIB
    monkeypatch.setattr(on_a_gpu, "torch", torch)
    with pytest.raises(Exception, match="a process of its own"):
        OnAGpu(MIB)
