"""A training run on an allocator, request by request: what a figure shows of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Int32, Sentence, Uint8, say
from labs.models.allocator.blocks import MIB, Did, Memory
from labs.models.allocator.pictures import Since, arrays, free_blocks, mib, told, waiting
from labs.models.allocator.traces import Request

PICTURES = 36
"""About so many show requests that free blocks served; one more for each time that the device was asked."""
SERIES = ("allocated", "reserved")


@dataclass(frozen=True, kw_only=True)
class State(Event):
    """The device after some requests. Starts and sizes of blocks are in units of 512 bytes."""

    kind: Literal["state"] = "state"
    stage: str
    """weights, step 1, step 2, …, out of memory, end"""
    phase: str
    """batch, forward, backward or update"""
    tokens: int
    """How long the sequences of this step are; 0 before the first"""
    segments: list[str]
    """[segments] small, expandable, or the size in MiB of a segment of the large pool"""
    streams: Uint8
    """[segments] the stream that each belongs to"""
    segment_sizes: Int32
    """[segments] what of them is mapped"""
    segment_of: Uint8
    """[blocks] the segment in which each lies"""
    starts: Int32
    """[blocks] addresses"""
    sizes: Int32
    """[blocks] rounded up"""
    state: Uint8
    """[blocks] 0 free, 1 in use, 2 freed and waiting for another stream"""
    group: Uint8
    """[blocks] 0 weights, 1 batch, 2 activations, 3 gradients of activations, 4 gradients of weights"""
    owners: list[str]
    """[blocks] the operator that made what is in it; empty where it is free"""
    taken: int
    """The start of the block that the last request got; -1 if it got none"""
    wanted: float
    """MiB that the last request asked for"""
    device: float
    """MiB that the device has"""
    allocated: float
    """MiB in blocks in use"""
    reserved: float
    """MiB in all segments"""
    unallocated: float
    """MiB reserved, but not allocated"""
    unreserved: float
    """MiB that the device still has"""
    largest: float
    """MiB in the largest free block"""
    waiting: float
    """MiB in blocks that wait for another stream"""
    peak: float
    """MiB, the most that was allocated so far"""
    peak_reserved: float
    """MiB, the most that was reserved so far"""
    requests: int
    """Requests and frees so far"""
    device_calls: int
    """How often the device was asked for memory, with success, so far"""
    returned: float
    """MiB that were given back to the device so far"""
    message: str
    """What PyTorch says if a request fails"""
    at: Int32
    """[pictures so far] requests and frees by then"""
    over_time: Annotated[Float32, Axes(picture=None, series=SERIES)]
    """[pictures so far, 2] MiB allocated and reserved"""
    total_requests: int
    """Requests and frees in the whole run, if nothing fails"""


@dataclass
class _Counts:
    """What a run keeps count of between pictures."""

    requests: int = 0
    device_calls: int = 0
    returned: int = 0
    peak: int = 0
    peak_reserved: int = 0


def course(allocator: Memory, memory: int, of: list[int], requests: list[Request]) -> Iterator[State]:
    """On a device of so many MiB, with steps of these lengths."""
    living: dict[int, Request] = {}
    counts, since = _Counts(), Since()
    at, over_time = list[int](), list[tuple[float, float]]()

    def picture(text: Sentence, stage: str, request: Request, failed: str = "") -> State:
        segments = allocator.segments
        allocated, reserved = allocator.allocated / MIB, allocator.reserved / MIB
        at.append(counts.requests)
        over_time.append((allocated, reserved))
        step = int(request.stage.removeprefix("step ")) if request.stage.startswith("step") else 0
        return State(
            text=text,
            stage=stage,
            phase=request.phase,
            tokens=of[step - 1] if step else 0,
            **arrays(segments, living),
            taken=since.taken,
            wanted=since.last.size / MIB,
            device=float(memory),
            allocated=allocated,
            reserved=reserved,
            unallocated=reserved - allocated,
            unreserved=memory - reserved,
            largest=max(free_blocks(segments), default=0) / MIB,
            waiting=waiting(segments) / MIB,
            peak=counts.peak / MIB,
            peak_reserved=counts.peak_reserved / MIB,
            requests=counts.requests,
            device_calls=counts.device_calls,
            returned=counts.returned / MIB,
            message=failed,
            at=np.array(at, np.int32),
            over_time=np.array(over_time, np.float32).reshape(-1, 2),
            total_requests=len(requests),
        )

    yield picture(
        say("The device has {} MiB, and PyTorch has reserved none of them yet.", memory), "weights", requests[0]
    )
    every = -(-len(requests) // PICTURES)
    for n, request in enumerate(requests):
        did = serve(allocator, request)
        counts.requests += 1
        counts.device_calls += bool(did.got)
        counts.returned += did.returned
        counts.peak = max(counts.peak, allocator.allocated)
        counts.peak_reserved = max(counts.peak_reserved, allocator.reserved)
        since.add(request, did)
        if request.size and not did.block:
            free = free_blocks(allocator.segments)
            text = told(since, True, max(free, default=0), sum(free))
            yield picture(text, "out of memory", request, allocator.says(request.size))
            return
        if request.size:
            living[request.owner] = request
        else:
            living.pop(request.owner, None)
        following = requests[n + 1] if n + 1 < len(requests) else None
        turn = following is None or (following.stage, following.phase) != (request.stage, request.phase)
        count = since.served + since.freed
        if did.got or did.returned or count >= every or (turn and count > every // 3):
            yield picture(told(since, False, 0, 0), request.stage, request)
            since = Since()
    text = say(
        "The run is over after {} steps: at most {} MiB were in use, and {} MiB reserved.",
        len(of),
        mib(counts.peak),
        mib(counts.peak_reserved),
    )
    yield picture(text, "end", requests[-1])


def serve(allocator: Memory, request: Request) -> Did:
    if not request.size:
        return allocator.free(request.owner)
    did = allocator.malloc(request.size, request.owner, request.stream)
    if did.block and request.shared:
        allocator.record_stream(request.owner, 0)
    return did
