"""Every pass over a program's loops, each with a switch, and what each did."""

from __future__ import annotations

from dataclasses import dataclass, replace

from labs.models.fusing.columns import by_rows
from labs.models.fusing.cut import Change
from labs.models.fusing.loops import Kernel, Program
from labs.models.fusing.tile import tiled
from labs.models.fusing.vectorise import vectorised


@dataclass(frozen=True)
class Passes:
    rows_first: bool = True
    tile: int = 32
    """Side of a tile; 0 for none."""
    width: int = 64
    """Bytes of a vector; 0 for none."""
    unroll: int = 1
    columns: int = 1024
    """Sums of so many columns are kept at a time."""


def ordered(kernel: Kernel, passes: Passes) -> tuple[Kernel, list[Change]]:
    """The passes that say in which order memory is gone through."""
    changes: list[Change] = []
    if passes.rows_first:
        kernel, changes = by_rows(kernel, passes.columns)
    if passes.tile:
        kernel, more = tiled(kernel, passes.tile)
        changes += more
    return kernel, changes


def optimised(program: Program, passes: Passes) -> tuple[Program, list[Change]]:
    kernels: list[Kernel] = []
    changes: list[Change] = []
    for each in program.kernels:
        kernel, found = ordered(each, passes)
        changes += found
        if passes.width:
            kernel, found = vectorised(kernel, passes.width, passes.unroll)
            changes += found
        kernels.append(kernel)
    return replace(program, kernels=tuple(kernels)), changes
