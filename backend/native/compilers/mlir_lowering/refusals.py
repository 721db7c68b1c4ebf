"""Choices that cannot be, or that would make wrong numbers: refused before anything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labs.contract import LabError

if TYPE_CHECKING:
    from native.compilers.mlir_lowering import Params

MOST_BY_LOOPS = 512  # rows: each step of the other roads would take seconds


def refuse(params: Params) -> None:
    """Raise ``LabError`` where a choice cannot be, or would make wrong numbers."""
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
    if params.road != "schedule" and params.n > MOST_BY_LOOPS:
        raise LabError(
            f"By loops each step would take seconds for n = {params.n:,}: choose {MOST_BY_LOOPS} or less."
        )
