"""A CUDA kernel on a tensor: which thread writes what, and what fails when a check is left out.

The kernels are CUDA C (`wasm/kernels/extension.cu`). On this processor a fiber stands for each thread, and every
read and write is listed; on a GPU the same source is compiled by NVRTC. The tensor is one of torch, and its memory
lies between two zones of canaries, so that a write beyond its end is seen and harms nobody.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from labs.contract import Event, Float32, Int32, Interval, Label, Uint8

from native.pytorch.cuda_extension.checks import Check
from native.pytorch.cuda_extension.plan import Kernel

if TYPE_CHECKING:
    from native.pytorch.cuda_extension.memory import Call

MOST_STEPS = 24  # with blocks in them
EXAMPLES = 4
POSTER = 5  # the block with threads that find no element


@dataclass(frozen=True)
class Params:
    kernel: Annotated[
        Kernel, Label("Kernel", help="2x + 1 with a thread for each number or in a loop; or the sum of each row.")
    ] = "scale_shift"
    tensor: Annotated[Literal["x", "x.T", "x.double()"], Label("Called on")] = "x"
    rows: Annotated[int, Interval(ge=1, le=4), Label("Rows of x")] = 4
    columns: Annotated[int, Interval(ge=1, le=1025), Label("Columns of x", main=True)] = 25
    threads: Annotated[int, Interval(ge=1, le=1056), Label("Threads in a block", main=True)] = 32
    no_guard: Annotated[bool, Label("No if (i < n)", group="Mistakes")] = False
    round_down: Annotated[
        bool, Label("n / threads blocks", help="An integer division, rounded down.", group="Mistakes")
    ] = False
    no_contiguous: Annotated[
        bool, Label("No contiguous()", help="Choose x.T under “Called on” to see it.", group="Mistakes")
    ] = False
    no_dtype: Annotated[
        bool, Label("No type check", help="Choose x.double() under “Called on” to see it.", group="Mistakes")
    ] = False
    other_stream: Annotated[
        bool,
        Label(
            "Another stream",
            help="A model: the kernel starts when half of x is there. The other half is still zero.",
            group="Mistakes",
        ),
    ] = False
    no_error_check: Annotated[
        bool, Label("No check after the launch", help="Choose more than 1,024 threads to see it.", group="Mistakes")
    ] = False
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed")] = 0
    device: Annotated[Literal["cpu", "cuda"], Label("Run on")] = "cpu"


@dataclass(frozen=True, kw_only=True)
class Launch(Event):
    """Some blocks more have run, or the call is over."""

    kind: Literal["launch"] = "launch"
    stage: Literal["launch", "blocks", "result", "refused"]
    call: str
    """The launch, as CUDA C"""
    n: int
    """Elements of the tensor"""
    blocks: int
    threads_per_block: int
    first: int
    """The first of the blocks that ran in this step; -1 where none did"""
    last: int
    """The last of those blocks; -1 where none ran"""
    width: int
    """Cells in a row of the picture"""
    threads: Uint8
    """[blocks x threads] 0 waits, 1 worked on elements, 2 found none, 3 went beyond its elements"""
    x: Uint8
    """[cells of 32 bits] 0 a canary, 1 not read, 2 read, 3 read by another row's block, 4 a canary that was read"""
    y: Uint8
    """[cells of 32 bits] 0 a canary, 1 not written, 2 written, 3 wrong at the end, 4 a canary that was written"""
    writer: Int32
    """[cells of y] the thread that wrote last, counted through all blocks; -1 where none did"""
    before: int
    """Canaries in front of x, and as many in front of y"""
    idle: int
    """Threads that ran and found no element"""
    missed: int
    """Elements of y that were never written; known at the end"""
    damaged: int
    """Canaries beside y that were overwritten; known at the end"""
    looked: int
    """Canaries beside x that were read as numbers; known at the end"""
    wrong: int
    """Elements of y that differ from torch's; known at the end"""
    wrong_at: Int32
    """[examples] the first of those"""
    wrong_is: Float32
    """[examples] NaN where it was never written"""
    wrong_should: Float32
    """[examples] by torch, in float64"""
    checks: list[Check]
    error: str
    """What the caller is told instead of a result"""
    gpu: str
    """The GPU that ran the same call; empty if none was asked for"""
    agrees: bool
    """Every cell of y, canaries included, is the same on that GPU"""


def run(params: Params) -> Iterator[Launch]:
    from native.pytorch.cuda_extension import gpu, memory
    from native.pytorch.cuda_extension.checks import checks, error
    from native.pytorch.cuda_extension.tell import ran, refused, result

    card = gpu.name() if params.device == "cuda" else ""
    call = memory.prepare(params)
    event = replace(begin(params, call), checks=checks(params, call.plan, call.tensor), gpu=card)
    yield event
    message = error(event.checks)
    refusal = replace(event, stage="refused", error=message, text=refused(message))
    if any(check.name == "type" and check.state == "stopped the call" for check in event.checks):
        yield refusal
        return
    if not (params.no_contiguous or call.tensor.is_contiguous()):
        memory.copy(call)
    started = memory.launch(params, call)
    if message:
        yield refusal
        return
    together = max(1, -(-call.plan.blocks // MOST_STEPS))
    for first in range(0, call.plan.blocks if started else 0, together):
        last = min(first + together, call.plan.blocks) - 1
        event = show(params, call, last + 1, replace(event, stage="blocks", first=first, last=last))
        event = replace(event, text=ran(event))
        yield event
    event = finished(params, call, event)
    if card:
        event = replace(event, agrees=np.array_equal(gpu.ran(params, call), call.y.cells, equal_nan=True))
    yield replace(event, text=result(event))


def begin(params: Params, call: Call) -> Launch:
    from native.pytorch.cuda_extension.memory import size
    from native.pytorch.cuda_extension.pictures import picture
    from native.pytorch.cuda_extension.plan import width
    from native.pytorch.cuda_extension.tell import prepared

    planned = call.plan
    first = picture(params, call, 0, over=False)
    return Launch(
        text=prepared(params, planned),
        stage="launch",
        call=f"{params.kernel}<<<{planned.blocks}, {planned.threads}>>>({size(params, planned)}, x, y)",
        n=planned.n,
        blocks=planned.blocks,
        threads_per_block=planned.threads,
        first=-1,
        last=-1,
        width=width(planned),
        threads=first.threads,
        x=first.x,
        y=first.y,
        writer=first.writer,
        before=call.x.where.before,
        idle=0,
        missed=0,
        damaged=0,
        looked=0,
        wrong=0,
        wrong_at=np.empty(0, np.int32),
        wrong_is=np.empty(0, np.float32),
        wrong_should=np.empty(0, np.float32),
        checks=[],
        error="",
        gpu="",
        agrees=False,
    )


def show(params: Params, call: Call, blocks: int, event: Launch, over: bool = False) -> Launch:
    from native.pytorch.cuda_extension.pictures import IDLE, picture

    now = picture(params, call, blocks, over)
    idle = int((now.threads == IDLE).sum())
    return replace(event, threads=now.threads, x=now.x, y=now.y, writer=now.writer, idle=idle)


def finished(params: Params, call: Call, event: Launch) -> Launch:
    from native.pytorch.cuda_extension.pictures import outcome

    found = outcome(call)
    some = found.wrong[:EXAMPLES]
    ran = call.plan.blocks if call.plan.starts else 0
    return replace(
        show(params, call, ran, event, over=True),
        stage="result",
        first=-1,
        last=-1,
        missed=found.missed,
        damaged=found.damaged,
        looked=found.looked,
        wrong=len(found.wrong),
        wrong_at=some,
        wrong_is=call.y.numbers[some],
        wrong_should=call.expected[some].astype(np.float32),
    )
