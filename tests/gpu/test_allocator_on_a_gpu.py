"""A snapshot is what PyTorch says of itself elsewhere, and what the model makes of the driver's addresses."""

from __future__ import annotations

import pytest
import torch
from labs.models.allocator.blocks import MIB
from labs.models.allocator.course import serve
from labs.models.allocator.traces import lengths, trace
from labs.pytorch.caching_allocator.allocator import Allocator
from native.pytorch.allocator_snapshot.on_a_gpu import OnAGpu


@pytest.mark.parametrize(
    ("kind", "memory", "seed"), [("varying", 768, 0), ("growing", 900, 3), ("varying", 600, 1)]
)
def test_every_block_is_the_one_of_the_model(kind: str, memory: int, seed: int) -> None:
    device, model = OnAGpu(memory * MIB), Allocator(memory * MIB)
    of = lengths(kind, 4, 256, seed)  # type: ignore[arg-type]
    for request in trace(16, of, streams=1):
        did = serve(device, request)
        assert (device.reserved, device.allocated) == (torch.cuda.memory_reserved(), torch.cuda.memory_allocated())
        if request.size and did.block:
            model.top = did.block.start  # should it need a new segment, it begins where the driver said
        ours = serve(model, request)
        assert (model.reserved, model.allocated) == (device.reserved, device.allocated)
        assert (did.split, did.merged, did.got, did.returned) == (ours.split, ours.merged, ours.got, ours.returned)
        if request.size:
            assert bool(did.block) == bool(ours.block)
            if not did.block:
                assert (
                    device.says(request.size).partition("Of the")[2]
                    == model.says(request.size).partition("Of the")[2]
                )
                break
            assert ours.block and (did.block.start, did.block.size) == (ours.block.start, ours.block.size)
    device.living.clear()
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(1.0)
