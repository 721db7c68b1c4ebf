"""What the model of streams says of a program, on a GPU: who waits for whom, and which tensors share memory."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from labs.models.streams.examples import EXAMPLES
from native.pytorch.streams_measured import Measured, Params, run

SLACK = 40  # µs by which the two clocks and the stamps may be off


def last(program: str, **changes: Any) -> Measured:
    *_, event = run(Params(program=program, **changes))
    return event


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_stream_keeps_its_order(name: str) -> None:
    event = last(EXAMPLES[name], repetitions=3)
    for stream in event.streams:
        mine = [each for each in event.work if each.stream == stream]
        assert all(one.end <= other.start + 1 for one, other in pairwise(mine))
    kernels = [each for each in event.work if each.kind == "kernel"]
    assert all(each.end - each.start >= 9 for each in kernels)


def test_waits_are_kept_and_missing_ones_are_not() -> None:
    copy, kernel = last(EXAMPLES["with_wait"]).work
    assert kernel.start >= copy.end - 1
    copy, kernel = last(EXAMPLES["missing_wait"].replace("80", "2000")).work
    assert kernel.start < copy.end - 1000


def test_the_legacy_stream_waits_for_blocking_ones_alone() -> None:
    program = EXAMPLES["default_between"].replace("100", "1000").replace("40", "400")
    free, tied = last(program), last(program, streams="blocking")
    assert free.overlap > 20 and tied.overlap < 2
    assert last(program, streams="blocking", default_stream="per-thread").overlap > 20


def test_pageable_memory_makes_the_host_wait() -> None:
    long = {name: EXAMPLES[name].replace("80", "2000").replace("100", "2000") for name in ("prefetch", "pageable")}
    assert last(long["prefetch"]).end + 1000 < last(long["pageable"]).end
