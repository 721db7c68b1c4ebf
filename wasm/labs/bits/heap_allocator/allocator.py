"""An allocator over one strip of bytes: a list of blocks in order of their addresses, searched by a policy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Policy = Literal["first", "next", "best", "worst"]


@dataclass
class Block:
    start: int
    size: int
    """With its header and its padding."""
    asked: int = 0
    owner: str = ""
    """Who has it; nobody, where it is free."""

    @property
    def end(self) -> int:
        return self.start + self.size


@dataclass
class Search:
    """How a request was served."""

    looked_at: list[int]
    """Starts of the free blocks that were looked at, in order."""
    block: Block | None
    """What was taken; None if nothing fitted."""


@dataclass
class Allocator:
    size: int
    policy: Policy
    alignment: int = 16
    header: int = 8
    smallest: int = 16
    """A rest smaller than this is not split off: it stays with the block."""
    merge: bool = True
    blocks: list[Block] = field(init=False)
    rover: int = 0
    """Where the last search ended: next fit goes on from here."""

    def __post_init__(self) -> None:
        self.blocks = [Block(0, self.size)]

    def need(self, asked: int) -> int:
        """Bytes that a request takes: with a header, up to the next multiple of the alignment."""
        return -(-(asked + self.header) // self.alignment) * self.alignment

    def malloc(self, asked: int, owner: str) -> Search:
        need = self.need(asked)
        order = [block for block in self.blocks if not block.owner]
        if self.policy == "next":
            behind = [block for block in order if block.end > self.rover]
            order = behind + order[: len(order) - len(behind)]
        looked, fits = [], list[Block]()
        for block in order:
            looked.append(block.start)
            if block.size >= need:
                fits.append(block)
                if self.policy in ("first", "next"):
                    break
        if not fits:
            return Search(looked, None)
        if self.policy == "best":
            taken = min(fits, key=lambda block: block.size)
        elif self.policy == "worst":
            taken = max(fits, key=lambda block: block.size)
        else:
            taken = fits[0]
        if taken.size - need >= max(self.smallest, 1):
            rest = Block(taken.start + need, taken.size - need)
            self.blocks.insert(self.blocks.index(taken) + 1, rest)
            taken.size = need
        taken.asked, taken.owner = asked, owner
        self.rover = taken.end
        return Search(looked, taken)

    def free(self, owner: str) -> Block:
        """What is free now, merged with free neighbours. Raises ``KeyError`` if the owner has nothing."""
        n = next((n for n, block in enumerate(self.blocks) if block.owner == owner), None)
        if n is None:
            raise KeyError(owner)
        block = self.blocks[n]
        block.asked, block.owner = 0, ""
        if not self.merge:
            return block
        if n + 1 < len(self.blocks) and not self.blocks[n + 1].owner:
            block.size += self.blocks.pop(n + 1).size
        if n and not self.blocks[n - 1].owner:
            self.blocks[n - 1].size += self.blocks.pop(n).size
            block = self.blocks[n - 1]
        return block
