"""The pictures of what a warp asks of memory, which two labs show: alone, and before they measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, Uint8, say
from labs.models.warps import SECTOR, WAYS, WORD, Read, from_global, from_shared, sectors, traffic, wavefronts


@dataclass(frozen=True)
class Product:
    """What is multiplied."""

    n: Annotated[
        int, Interval(ge=256, le=16384), Label("Rows and columns", help="Try one that is not a multiple of 4 or 8.")
    ] = 4096
    tile: Annotated[
        Literal[8, 16, 32],
        Label("Side of a tile", help="For the kernel called shared; its block has tile × tile threads."),
    ] = 32


@dataclass(frozen=True, kw_only=True)
class Access(Event):
    """One instruction by which the 32 threads of a warp read, and what is moved for it."""

    kind: Literal["access"] = "access"
    stage: str
    """The way that is shown, or was measured just now."""
    line: str
    """Where the kernel reads."""
    matrix: str
    shared: bool
    """Whether it reads shared memory; else global memory."""
    row: Int32
    """[32] row of the first number that each lane wants, in the matrix or in its tile"""
    column: Int32
    """[32] and its column"""
    bytes: int
    """that each lane wants"""
    moved: Uint8
    """[sectors, 8] or [wavefronts, 32] how many lanes want each 4-byte word of what is moved"""
    sector: Int32
    """[sectors] which 32 bytes of the matrix they are; empty for shared memory"""
    share: float
    """of the bytes that are moved are wanted; for shared memory, of the words that its banks could give"""
    names: list[str]
    traffic: Annotated[Float32, Axes(way="names")]
    """[ways] bytes from global memory for each multiply-add; NaN for ways that were not shown yet"""
    n: int
    tile: int


def pictures(product: Product) -> Iterator[Access]:
    """What the first warp reads first, by every kernel of ours, for n × n matrices."""
    n, tile = product.n, product.tile
    known = np.full(len(WAYS), np.nan, np.float32)
    for place, way in enumerate(WAYS):
        known[place] = traffic(way, n, tile)
        reads = [*from_global(way, n, tile, 0), *from_shared(way, tile, 0)]
        firsts: dict[tuple[str, bool], Read] = {}
        for read in reads:
            firsts.setdefault((read.matrix, read.shared), read)
        for read in firsts.values():
            yield picture(way, read, known.copy(), n, tile)


def picture(way: str, read: Read, known: Float32, n: int, tile: int) -> Access:
    if read.shared:
        which, moved = np.zeros(0, np.int64), wavefronts(read)
    else:
        which, moved = sectors(read)
    share = float((moved > 0).mean())
    return Access(
        text=said(way, read, len(moved), share),
        stage=way,
        line=read.line,
        matrix=read.matrix,
        shared=read.shared,
        row=read.row.astype(np.int32),
        column=read.column.astype(np.int32),
        bytes=read.bytes,
        moved=moved,
        sector=which.astype(np.int32),
        share=share,
        names=list(WAYS),
        traffic=known,
        n=n,
        tile=tile,
    )


def said(way: str, read: Read, count: int, share: float) -> Sentence:
    wanted = len(np.unique(read.words)) * WORD
    if read.shared:
        least = -(-wanted // 128)
        turns = "turn" if count == 1 else "turns"
        rest = (
            "there are no bank conflicts"
            if count <= max(least, read.bytes // WORD)
            else "bank conflicts make lanes wait"
        )
        return say(
            "{} reads {:,} bytes of shared memory for {} in {} {}: {}.", way, wanted, read.line, count, turns, rest
        )
    of = "sector" if count == 1 else "sectors"
    return say(
        "{} wants {:,} bytes for {}: they lie in {} {}, so {:,} bytes are moved and {:.0f} % of them are used.",
        way,
        wanted,
        read.line,
        count,
        of,
        count * SECTOR,
        100 * share,
    )
