"""Blocks of the caching allocator: the tensor in each, the stream that it belongs to, and what touched it.

Each tensor has a block, and all blocks are of one size. A block goes back to the stream on which it was allocated.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from labs.models.streams.device import Op


@dataclass
class Tensor:
    name: str
    block: int
    stream: str
    used_on: set[str] = field(default_factory=set)
    """Streams that record_stream named"""
    names: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Touch:
    op: Op
    tensor: str
    writes: bool


@dataclass(frozen=True)
class Race:
    """Two operations on one block, at least one of which writes, and nothing puts them in order."""

    first: Op
    second: Op
    """Later in the program"""
    block: int
    old: str
    new: str
    """The tensors; different ones if the block was used again"""
    first_writes: bool
    second_writes: bool

    @property
    def wrong(self) -> bool:
        """This time the second one did not wait until the first had ended."""
        return self.second.start < self.first.end


class Memory:
    def __init__(self) -> None:
        self.owners: list[str] = []
        """[blocks] the stream of each"""
        self.holds: list[str] = []
        """[blocks] the tensor in it; empty if it is free"""
        self.held_back: dict[int, list[Op]] = {}
        """Blocks of freed tensors that another stream was still using, by record_stream"""
        self.touched: list[list[Touch]] = []
        self.races: list[Race] = []

    def allocate(self, name: str, stream: str, now: int) -> tuple[Tensor, int]:
        """The tensor, and a bit for each operation that was seen to have ended: the allocator asks its events."""
        seen = 0
        for block, ops in [*self.held_back.items()]:
            if all(0 <= op.end <= now for op in ops):
                del self.held_back[block]
                for op in ops:
                    seen |= op.known | op.bit
        free = [
            block
            for block, owner in enumerate(self.owners)
            if owner == stream and not self.holds[block] and block not in self.held_back
        ]
        if free:
            block = free[0]
        else:
            block = len(self.owners)
            self.owners.append(stream)
            self.holds.append("")
            self.touched.append([])
        self.holds[block] = name
        return Tensor(name, block, stream, names={name}), seen

    def free(self, tensor: Tensor, last: dict[str, Op]) -> None:
        """``last`` operation of each stream."""
        self.holds[tensor.block] = ""
        if waits := [last[each] for each in sorted(tensor.used_on - {tensor.stream}) if each in last]:
            self.held_back[tensor.block] = waits

    def touch(self, op: Op, tensor: Tensor, writes: bool) -> None:
        block = tensor.block
        told = {(race.first.number, race.block) for race in self.races if race.second is op}
        for earlier in self.touched[block]:
            known = op.known & earlier.op.bit or (earlier.op.number, block) in told
            if earlier.op is not op and (writes or earlier.writes) and not known:
                told.add((earlier.op.number, block))
                self.races.append(Race(earlier.op, op, block, earlier.tensor, tensor.name, earlier.writes, writes))
        self.touched[block].append(Touch(op, tensor.name, writes))
