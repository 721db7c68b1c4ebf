"""The search for a tile: rows, then columns, then depth, and no branch that cannot hold a better one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from labs.models.fusing.loops import Kernel

from native.compilers.gpu_kernel_stages import pictures
from native.compilers.gpu_kernel_stages.gpus import Gpu
from native.compilers.gpu_kernel_stages.price import at_least, price
from native.compilers.gpu_kernel_stages.tiles import Space, Tile

State = Literal["open", "cut", "tried", "best"]


@dataclass
class Branch:
    """A choice: of rows; of columns, below them; of depth, and with it a whole tile."""

    parent: int
    """Its place in the list; −1 for rows"""
    size: int
    tiles: list[Tile]
    bound: float
    """Seconds that none of its tiles can do in"""
    state: State = "open"
    seconds: float = float("nan")
    """Predicted for the tile"""
    children: list[int] = field(default_factory=list)


@dataclass
class Search:
    kernel: Kernel
    where: Space
    gpu: Gpu
    branches: list[Branch] = field(default_factory=list)
    best: Tile | None = None
    seconds: float = float("inf")

    def __post_init__(self) -> None:
        self.grow(self.where.tiles(), 0, -1)

    def grow(self, tiles: list[Tile], level: int, parent: int) -> list[int]:
        places = []
        for size in sorted({tile[level] for tile in tiles}):
            mine = [tile for tile in tiles if tile[level] == size]
            bound = min(at_least(self.where, tile, self.gpu) for tile in mine)
            places.append(len(self.branches))
            self.branches.append(Branch(parent, size, mine, bound))
            if level < 2:
                at = places[-1]
                self.branches[at].children = self.grow(mine, level + 1, at)
        return places

    def run(self) -> Iterator[Branch]:
        """After each choice of rows, that branch."""
        roots = [at for at, each in enumerate(self.branches) if each.parent < 0]
        for at in sorted(roots, key=lambda at: self.branches[at].bound):
            self.visit(at)
            yield self.branches[at]

    def visit(self, at: int) -> None:
        branch = self.branches[at]
        if branch.bound >= self.seconds:
            branch.state = "cut"
            return
        branch.state = "tried"
        for child in sorted(branch.children, key=lambda child: self.branches[child].bound):
            self.visit(child)
        if not branch.children:
            (tile,) = branch.tiles
            branch.seconds = price(self.kernel, tile, self.gpu).seconds
            if branch.seconds < self.seconds:
                for each in self.branches:
                    each.state = "tried" if each.state == "best" else each.state
                self.seconds, self.best = branch.seconds, tile
                while at >= 0:
                    self.branches[at].state = "best"
                    at = self.branches[at].parent

    def tile(self) -> Tile:
        for _ in self.run():
            pass
        assert self.best
        return self.best


def branches(search: Search, taken: Mapping[Tile, float] | None = None) -> list[pictures.Branch]:
    levels = ("rows", "columns", "depth")
    found = []
    for at, it in enumerate(search.branches):
        level, up = 0, it.parent
        while up >= 0:
            level, up = level + 1, search.branches[up].parent
        leaf = not it.children
        found.append(
            pictures.Branch(
                at, it.parent, levels[level], it.size, it.state, it.bound,  # type: ignore[arg-type]
                it.seconds if leaf and it.state in ("tried", "best") else None,
                (taken or {}).get(it.tiles[0]) if leaf else None,
            )
        )  # fmt: skip
    return found
