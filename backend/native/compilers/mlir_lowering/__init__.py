"""Lowering through MLIR: a PyTorch program on the path that PolyBlocks takes, pass by pass down to machine code.

The passes are MLIR's own, as they come in the torch-mlir wheel. A matrix product goes down by a schedule, a program
in MLIR's transform dialect that packs, tiles and vectorises it; any program may go by loops with affine bounds and
the passes that MLIR has for them. After each step it is also taken as it stands, lowered with nothing more made
faster, run, timed, and compared with float64. At the end of the schedule it takes turns with our own kernel and
PyTorch. A third road leads to kernels for a GPU, in PTX; nothing runs there.

Reading order: `programs` is what is lowered, `refusals` what cannot be, `road` says by which passes, `schedule`
by which transformations, `worker` takes it there in a process of its own, `bench` runs and times it on the way,
and in turns with others at its end, `ptx` makes code for a GPU of where it ends. `nest` reads loops and what
they access off the text, with `bounds` and `operands`; `count` says how often all of it happens, `jumps` what
became of loops, `changes` what a pass did to the lines. `pictures` shows it, and `tell` says it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Interval, Label

from native.compilers.mlir_lowering.board import Board
from native.compilers.mlir_lowering.pictures import Lowered
from native.compilers.mlir_lowering.refusals import refuse
from native.compilers.mlir_lowering.road import Choice, Target
from native.compilers.mlir_lowering.schedule import Plan, Tile, fitting

MEASURES = True
POSTER = 8
PRODUCTS = ("matmul_relu", "matmul_gelu")


@dataclass(frozen=True)
class Params:
    program: Annotated[
        Literal["matmul_relu", "matmul_gelu", "chain", "distance", "blur", "softmax", "layer_norm", "attention"],
        Label("Program", main=True),
    ] = "matmul_relu"
    n: Annotated[int, Interval(ge=16, le=1024), Label("n", help="Rows and columns; up to 512 by loops.")] = 256
    target: Annotated[
        Literal["schedule", "cpu", "gpu"],
        Label(
            "Path",
            help="For the processor by a schedule, if the program is one product, or by loops; or to a GPU's "
            "code, which is not run.",
        ),
    ] = "schedule"
    fuse_tensors: Annotated[bool, Label("Fuse on tensors", group="On every path")] = True
    registers: Annotated[
        Literal["fit", "6 × 16", "8 × 32", "14 × 32", "28 × 32"],
        Label(
            "Tile in registers",
            help="Rows × columns of the result; fit is what the registers of this processor hold.",
            group="On the path by a schedule",
            main=True,
        ),
    ] = "fit"
    order: Annotated[
        Literal["columns outside", "rows outside"], Label("Loops over tiles", group="On the path by a schedule")
    ] = "columns outside"
    keep: Annotated[
        bool,
        Label(
            "Keep the tile",
            help="In registers for all steps of k; otherwise each step reads and writes it.",
            group="On the path by a schedule",
        ),
    ] = True
    pack: Annotated[
        bool,
        Label(
            "Pack",
            help="Copy both matrices in strips, in the order in which tiles read them.",
            group="On the path by a schedule",
        ),
    ] = True
    depth: Annotated[
        Literal["off", "64", "128", "256", "512"],
        Label(
            "Tile over k",
            help="Steps of k that all tiles do before any goes on; off is all of them at once.",
            group="On the path by a schedule",
        ),
    ] = "off"
    threads: Annotated[
        int,
        Interval(ge=1, le=16),
        Label(
            "Threads",
            help="They share the tiles; PyTorch and our kernel get as many.",
            group="On the path by a schedule",
        ),
    ] = 1
    tile: Annotated[
        Literal["off", "8", "16", "32", "64", "128"],
        Label("Tiles", help="The side of a tile; for a GPU, of a block of threads.", group="On the paths by loops"),
    ] = "32"
    fusion: Annotated[
        Literal["off", "by cost", "maximal"],
        Label(
            "Fuse loops",
            help="Maximal ignores the cost. With either choice MLIR's pass may move a read past a write: "
            "a step whose results are wrong says so.",
            group="By loops for the processor",
        ),
    ] = "by cost"
    scalars: Annotated[bool, Label("Scalar replacement", group="By loops for the processor")] = True
    vectors: Annotated[
        Literal["off", "4", "8", "16"], Label("Lanes of a vector", group="By loops for the processor")
    ] = "8"

    @property
    def choice(self) -> Choice:
        tile, width, depth = (int("0" if each == "off" else each) for each in (self.tile, self.vectors, self.depth))
        outside = self.order == "rows outside"
        threads = self.threads if self.road == "schedule" else 1
        plan = Plan(self.held(), self.n, self.fuse_tensors, outside, self.pack, depth, threads)
        return Choice(self.road, self.fuse_tensors, self.fusion, self.scalars, tile, width, plan, self.keep)

    @property
    def road(self) -> Target:
        """The one asked for, if there is a schedule for the program."""
        return "cpu" if self.target == "schedule" and self.program not in PRODUCTS else self.target

    def held(self) -> Tile:
        if self.registers != "fit":
            rows, columns = map(int, self.registers.split(" × "))
            return Tile(rows, columns)
        return fitting()


def run(params: Params) -> Iterator[Lowered]:
    refuse(params)
    board = Board(params)
    yield board.given()
    from native.compilers.mlir_lowering.worker import Order, Worker  # which takes a moment

    for made in Worker(Order(params.program, params.n, params.choice)):
        yield board.picture(made)
