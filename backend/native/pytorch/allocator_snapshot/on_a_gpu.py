"""PyTorch's allocator on a GPU, looked at through its own snapshot after each request."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import torch
from labs.contract import LabError
from labs.models.allocator.blocks import ALLOCATED, FREE, WAITING, Block, Did, Memory, Segment

SPARE = 65536
"""Bytes of a fraction of the GPU that rounding may take away"""
MACHINE = re.compile(r"GPU 0 has.*?allowed; |If reserved but.*", re.DOTALL)
"""What PyTorch's message tells of the machine and its other processes, and the advice"""
STATES = {"active_allocated": ALLOCATED, "inactive": FREE}  # whatever else is active waits for a stream


@dataclass
class OnAGpu(Memory):
    """Its segments are in the order in which the driver gave them; addresses count from the first one."""

    owners: dict[int, int] = field(default_factory=dict)
    """Who has the tensor at an address"""
    living: dict[int, torch.Tensor] = field(default_factory=dict)
    first: int = 0
    """The address of the first segment"""
    message: str = ""

    def __post_init__(self) -> None:
        torch.cuda.empty_cache()
        if torch.cuda.memory_reserved():
            raise LabError("Other tensors of this process lie on the GPU: run this in a process of its own.")
        everything = torch.cuda.get_device_properties().total_memory
        torch.cuda.set_per_process_memory_fraction((self.limit + SPARE) / everything)

    def malloc(self, asked: int, owner: int, stream: int = 0) -> Did:
        del stream  # there is one
        try:
            made = torch.empty(asked, dtype=torch.uint8, device="cuda")
        except torch.OutOfMemoryError as error:
            self.message = MACHINE.sub("", str(error)).strip()
            return self._look()
        self.living[owner] = made
        self.owners[made.data_ptr()] = owner
        did = self._look()
        (did.block,) = (each for segment in self.segments for each in segment.blocks if each.owner == owner)
        return did

    def free(self, owner: int) -> Did:
        del self.owners[self.living.pop(owner).data_ptr()]
        return self._look()

    def record_stream(self, owner: int, stream: int) -> None:
        del stream  # there is one
        self.living[owner].record_stream(torch.cuda.current_stream())

    def says(self, asked: int) -> str:
        del asked
        return self.message

    def _look(self) -> Did:
        """Take a snapshot, and say what has changed since the one before."""
        before = {(each.start, each.mapped): each for each in self.segments}
        told = torch.cuda.memory_snapshot()  # type: ignore[no-untyped-call]
        found = {(each.start, each.mapped): each for each in map(self._segment, told)}
        came = [each for key, each in found.items() if key not in before]
        gone = [each for key, each in before.items() if key not in found]
        # A segment comes and goes as one block: fewer than that were merged, and more were split off.
        blocks = sum(len(each.blocks) for each in self.segments) + len(came) - len(gone)
        self.segments = [*(found[key] for key in before if key in found), *came]
        more = sum(len(each.blocks) for each in self.segments) - blocks
        return Did(
            split=more > 0,
            merged=max(0, -more),
            got=sum(each.mapped for each in came),
            returned=sum(each.mapped for each in gone),
        )

    def _segment(self, told: dict[str, Any]) -> Segment:
        self.first = self.first or told["address"]
        segment = Segment(told["address"] - self.first, told["segment_type"] == "small", 0, expandable=False)
        for each in told["blocks"]:
            state, at = STATES.get(each["state"], WAITING), each["address"]
            owner = self.owners.get(at, -1) if state == ALLOCATED else -1
            segment.blocks.append(Block(at - self.first, each["size"], state, owner, each["requested_size"]))
        return segment
