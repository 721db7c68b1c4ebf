"""The arrays of a batch of events share one buffer: the page sees in it what Python put there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from in_node import told
from labs import worker

TYPES = {"float32": "Float32Array", "float64": "Float64Array", "int32": "Int32Array", "uint8": "Uint8Array"}


@dataclass(frozen=True)
class Given:
    name: str
    arrays: list[Any]


def drawn(seed: int) -> list[Given]:
    """Of all types and of up to three axes, some of them of no length; the first has none but such."""
    rng = np.random.default_rng(seed)
    nothing = Given(
        "nothing", [np.empty(shape, dtype) for shape, dtype in zip([0, (3, 0), (0, 2), 0], TYPES, strict=True)]
    )
    events = [nothing]
    for number in range(6):
        shapes = [rng.integers(0, 5, rng.integers(1, 4)) for _ in range(5)]
        made = [(100 * rng.random(shape)).astype(rng.choice([*TYPES])) for shape in shapes]
        events.append(Given(f"event {number}", made))
    return events


def handed(events: list[Given]) -> Any:
    def coming() -> Iterator[Any]:
        yield from events

    _, text, arrays, status, _ = worker.steps(coming(), 1e4)
    assert status == "ok"
    return told("arrays.mjs", [text, bytes(arrays).hex()])


def expected(event: Given) -> dict[str, Any]:
    arrays = [
        {
            "dtype": each.dtype.name,
            "shape": list(each.shape),
            "data": [TYPES[each.dtype.name], *each.ravel().tolist()],
        }
        for each in event.arrays
    ]
    return {"name": event.name, "arrays": arrays}


@pytest.mark.parametrize("seed", range(4))
def test_the_page_has_what_python_gave(seed: int) -> None:
    events = drawn(seed)
    assert handed(events) == [expected(event) for event in events]
    assert handed(events[:1]) == [expected(events[0])], "of no byte at all"
