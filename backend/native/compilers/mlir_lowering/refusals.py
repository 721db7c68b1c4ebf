"""Choices that cannot be, or that would make wrong numbers: refused before anything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labs.contract import LabError

if TYPE_CHECKING:
    from native.compilers.mlir_lowering import Params
    from native.compilers.mlir_lowering.schedule import Plan

MOST_BY_LOOPS = 512  # rows: each step of the other roads would take seconds


def refuse(params: Params) -> None:
    """Raise ``LabError`` where a choice cannot be, or would make wrong numbers."""
    if params.road == "schedule":
        refuse_schedule(params.choice.plan)
        return
    tile, width = params.choice.tile, params.choice.width
    if params.road == "gpu" and tile > 32:
        raise LabError(
            f"A block has at most 1,024 threads, and {tile} × {tile} are more: choose tiles of 32 or less."
        )
    if params.road == "cpu" and 0 < tile < width:
        raise LabError(
            f"A vector of {width} would reach past its tile of {tile} and write into the next one, and MLIR's pass "
            f"does not look: choose at most {tile} lanes, or larger tiles."
        )
    if params.n > MOST_BY_LOOPS:
        raise LabError(
            f"By loops each step would take seconds for n = {params.n:,}: choose {MOST_BY_LOOPS} or less."
        )


def refuse_schedule(plan: Plan) -> None:
    """Raise ``LabError`` where a matrix product cannot be scheduled in this way."""
    if plan.depth and not plan.pack:
        raise LabError(
            "Tiles over k are scheduled for packed matrices, whose tiles are all of one size: switch packing on, "
            "or tiles over k off."
        )
    if plan.depth >= plan.n > 0:
        raise LabError(
            f"A tile of {plan.depth} steps over k holds the whole sum, which has {plan.n:,}: choose fewer steps, "
            "or no tiles over k."
        )
    side, words = (plan.sizes[0], "rows") if plan.rows_outside else (plan.sizes[1], "columns")
    if plan.threads > 1 and not plan.pack and plan.n % side:
        raise LabError(
            f"Without packing, threads share strips of {side} {words}, which have to fill all {plan.n:,} exactly: "
            "switch packing on, choose one thread, or another n."
        )
