"""The model against PyTorch's allocator on an H200, request by request (scripts/record_allocator.py)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labs.models.allocator.blocks import MIB, SMALLEST
from labs.models.allocator.course import serve
from labs.models.allocator.traces import lengths, trace
from labs.pytorch.caching_allocator import Params, allocator
from labs.pytorch.caching_allocator.allocator import Allocator

RUNS = np.load(Path(__file__).with_name("on_an_h200.npz"))
CASES: list[dict[str, Any]] = json.loads(str(RUNS["cases"]))


def made(params: Params) -> Allocator:
    return Allocator(
        params.memory * MIB,
        params.expandable,
        None if params.max_split == "unlimited" else int(params.max_split) * MIB,
        0.0 if params.collect == "off" else float(params.collect),
    )


@pytest.mark.parametrize("n", range(len(CASES)), ids=lambda n: "-".join(map(str, CASES[n]["case"].values())))
def test_every_tensor_lies_where_pytorch_put_it(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allocator, "LAG", 0)  # the recorded runs wait for the device after each free
    params, found = Params(**CASES[n]["case"]), RUNS[f"found_{n}"]
    model, behind = made(params), dict[int, int]()
    of = lengths(params.length, params.steps, params.longest, params.seed)
    requests = list(trace(params.batch, of, params.streams))
    for request, (at, reserved, allocated) in zip(requests, found, strict=False):
        address = int(at) * SMALLEST
        if request.size and not params.expandable:
            model.top = address  # should it need a new segment, it begins where the driver said
        block = serve(model, request).block
        assert (model.reserved // MIB, model.allocated // SMALLEST) == (reserved, allocated)
        if request.size:
            assert block
            (segment,) = (each for each in model.segments if block in each.blocks)
            # A segment that grows keeps its distance from the real one; the others lie where the real ones do.
            distance = behind.setdefault(id(segment), address - block.start) if params.expandable else 0
            assert address - block.start == distance
    if CASES[n]["message"]:
        failed = requests[len(found)]
        assert not serve(model, failed).block
        ours = model.says(failed.size)
        assert CASES[n]["message"].partition("Of the")[2].strip() == ours.partition("Of the")[2].strip()
    else:
        assert len(found) == len(requests)


def test_the_recorded_runs_are_many_and_of_every_setting() -> None:
    assert "H200" in json.loads(str(RUNS["facts"]))["machine"]
    settings = {(case["case"].get("max_split"), case["case"].get("collect")) for case in CASES}
    assert settings == {
        (None, None),
        *((size, None) for size in ("24", "48", "64")),
        *((None, x) for x in ("0.5", "0.6", "0.8")),
    }
    assert any(case["case"].get("expandable") for case in CASES)
    assert sum(bool(case["message"]) for case in CASES) == 4
