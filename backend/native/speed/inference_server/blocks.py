"""The memory for keys and values, in blocks that are lent, shared and taken back."""

from __future__ import annotations

from collections.abc import Iterable

Prefix = tuple[int, ...]
"""All tokens of a sequence up to the end of a block: only then are the block's keys and values the same."""


class FullError(Exception):
    """Every block is lent."""


class Blocks:
    """A pool of blocks, each with the number of sequences that hold it."""

    def __init__(self, many: int) -> None:
        self.holders = [0] * many
        self._free = list(reversed(range(many)))
        self._known: dict[Prefix, int] = {}
        self._prefix: dict[int, Prefix] = {}

    @property
    def free(self) -> int:
        return len(self._free)

    def take(self) -> int:
        if not self._free:
            raise FullError
        block = self._free.pop()
        self.holders[block] = 1
        return block

    def give(self, blocks: Iterable[int]) -> None:
        """Each goes back to the pool when nobody else holds it."""
        for block in blocks:
            if not self.holders[block]:
                raise ValueError(f"nobody holds block {block}")
            self.holders[block] -= 1
            if not self.holders[block]:
                self._free.append(block)
                if (prefix := self._prefix.pop(block, None)) is not None:
                    del self._known[prefix]

    def publish(self, prefix: Prefix, block: int) -> None:
        """The block is full: a sequence with the same tokens up to its end may share it."""
        if prefix not in self._known:
            self._known[prefix] = block
            self._prefix[block] = prefix

    def share(self, prefix: Prefix) -> int | None:
        """One more holder of the block that ends this prefix, if there is one."""
        block = self._known.get(prefix)
        if block is not None:
            self.holders[block] += 1
        return block
