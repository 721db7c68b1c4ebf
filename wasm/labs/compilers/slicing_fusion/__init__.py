"""Slicing fusion: a producer is pulled into the tiles of its consumer, but only the slice that each tile reads.

Each index of a small loop program is judged: affine or not. From affine ones the slice of the producer that a tile
needs is computed, with what neighbouring tiles compute again. Fusion must be legal, keep parallel and vector loops,
add little work, and make the array between unnecessary; refused ones can be forced, to see what goes wrong.

Reading order: `grammar` reads a `program`, `indices` says of each index whether it is affine, `spaces` lists what
each nest reads and writes, `slices` finds what each tile needs and `regions` says it as a formula, `execute` runs
both orders and compares, `parallel` finds which loops carry a dependence; `known` holds all that, and `judge`
weighs a fusion by four criteria. `shapes` does so for many sizes of a tile, `tell` puts it into words, and
`paint` makes a `picture` of each step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.compilers.slicing_fusion import grammar
from labs.compilers.slicing_fusion.examples import EXAMPLES
from labs.compilers.slicing_fusion.judge import Judge, Limits
from labs.compilers.slicing_fusion.known import Known
from labs.compilers.slicing_fusion.paint import Painter
from labs.compilers.slicing_fusion.picture import Picture
from labs.compilers.slicing_fusion.program import ProgramError
from labs.compilers.slicing_fusion.slices import TILES, Way, tile_of
from labs.compilers.slicing_fusion.spaces import build
from labs.contract import Interval, Label, LabError, Text

POSTER = 5


@dataclass(frozen=True)
class Params:
    program: Annotated[
        str,
        Text(1500, language="loops", examples=EXAMPLES),
        Label("Program", help="One loop nest per line; the others are pulled into the tiles of the last."),
    ] = EXAMPLES["neighbours"]
    tile: Annotated[
        int,
        Interval(ge=1, le=64),
        Label("Tile", unit="iterations", help="Of the last nest's first loop.", main=True),
    ] = 8
    across: Annotated[
        int,
        Interval(ge=1, le=64),
        Label("Tile across", unit="iterations", help="Of its second loop, if it has one."),
    ] = 8
    keep: Annotated[
        bool, Label("Keep", help="What an earlier tile has computed is kept, and not computed again.")
    ] = False
    tolerance: Annotated[
        int, Interval(ge=0, le=300), Label("Work done again", unit="% at most", group="Criteria")
    ] = 30
    lanes: Annotated[Literal[4, 8, 16], Label("Vector", unit="numbers", group="Criteria")] = 8
    fast: Annotated[int, Interval(ge=1, le=1024), Label("Fast memory", unit="numbers", group="Criteria")] = 128
    force: Annotated[bool, Label("Fuse what is refused", group="Mistakes", main=True)] = False
    merge: Annotated[
        bool,
        Label(
            "Merge the loops as they are", group="Mistakes", help="Run equal iterations together, without slices."
        ),
    ] = False
    store: Annotated[
        bool,
        Label("Store what is fused", group="Mistakes", help="Also in its array, although nobody reads it there."),
    ] = False


def run(params: Params) -> Iterator[Picture]:
    try:
        world = build(grammar.read(params.program))
    except ProgramError as error:
        raise LabError(f"{error}.") from None
    way = Way((params.tile, params.across), params.keep, params.merge, params.store)
    grid = tile_of(world.spaces[-1], way.sizes)[1]
    tiles = grid[0] * (grid[1] if len(grid) > 1 else 1)
    if tiles > TILES:
        raise LabError(f"These are {tiles:,} tiles, and {TILES} are the most; make a tile larger.")
    known = Known(world, params.lanes)
    limits = Limits(params.tolerance / 100, params.lanes, params.fast)
    judge = Judge(known, way, limits)
    decision = judge.decide(params.force)
    if not decision.verdicts:
        name = world.spaces[-1].nest.array
        raise LabError(f"The last line, which makes {name}, reads nothing that an earlier line makes.")
    yield from Painter(known, judge, decision).pictures()
