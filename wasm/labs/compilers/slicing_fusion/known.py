"""What is known of a program before anything is fused: its indices, its loops, and how it runs as it is written."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from labs.compilers.slicing_fusion import execute, parallel
from labs.compilers.slicing_fusion.indices import Index, Judge
from labs.compilers.slicing_fusion.spaces import World


class Known:
    def __init__(self, world: World, lanes: int) -> None:
        self.world = world
        self.last = len(world.spaces) - 1
        self.expected = execute.straight(world)
        self.indices: list[dict[int, list[Index]]] = []
        """By nest, and by access: of each of its indices."""
        for space in world.spaces:
            judge = Judge(world.program, space.nest)
            accesses = (space.nest.target, *space.nest.reads)
            self.indices.append({id(each): [judge.index(part) for part in each.parts] for each in accesses})
        self.at_once = [self._at_once(number) for number in range(self.last + 1)]
        """How many iterations of each nest may run at the same time."""
        self.vectors = [self._vectors(number, lanes) for number in range(self.last + 1)]
        """Whether the innermost loop of each can take vectors."""

    def apart(self, nests: Iterable[int]) -> int:
        """Operations of these nests as they are written."""
        spaces = self.world.spaces
        return sum(spaces[n].operations * len(spaces[n].at) for n in nests)

    def reads(self, number: int, array: str) -> bool:
        return any(name == array for name, _ in self.world.spaces[number].reads)

    def symbols(self) -> list[str]:
        """Those that are added to an index."""
        all_ = (index for nest in self.indices for access in nest.values() for index in access)
        return sorted({name for index in all_ for name in index.symbols})

    def undecidable(self, number: int, readers: set[int]) -> str:
        """Why the slice of a producer cannot be known; empty if it can."""
        array = self.world.spaces[number].nest.array
        for n in (number, *sorted(readers)):
            nest = self.world.spaces[n].nest
            for each in (nest.target, *nest.reads):
                if each.name == array:
                    for index in self.indices[n][id(each)]:
                        if not index.decidable:
                            return f"{each.text} is {index.kind}: {index.why}"
        return ""

    def _at_once(self, number: int) -> int:
        space = self.world.spaces[number]
        free = [dim for dim, carries in enumerate(parallel.of_nest(self.world, space)) if not carries]
        return math.prod([len(np.unique(space.at[:, dim])) for dim in free])

    def _vectors(self, number: int, lanes: int) -> bool:
        space = self.world.spaces[number]
        return (
            not parallel.of_nest(self.world, space)[-1]
            and parallel.strides([*self.indices[number].values()], space.nest.variables[-1])
            and len(np.unique(space.at[:, -1])) >= lanes
        )
