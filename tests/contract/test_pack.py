"""Events on the wire: what is packed comes back equal, to the bit."""

import json
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from labs.contract import Event, Float32, pack, unpack

ARRAYS = hnp.arrays(
    st.sampled_from([np.float32, np.int32, np.uint8]),
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
)


@dataclass(frozen=True)
class Cell:
    name: str
    value: float | None


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    kind: Literal["picture"] = "picture"
    weights: Float32
    cells: tuple[Cell, ...] = ()
    counts: dict[int, np.int32] | None = None


def over_the_wire(value: Any) -> Any:
    return unpack(json.loads(json.dumps(pack(value), allow_nan=False)))


@given(ARRAYS)
def test_an_array_comes_back_to_the_bit(array: np.ndarray) -> None:
    back = over_the_wire(array)
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert back.tobytes() == array.tobytes()  # NaN and the sign of zero too


@pytest.mark.parametrize("view", [lambda a: a.T, lambda a: a[::2], lambda a: a[:, ::-1], lambda a: a.astype(">f4")])
def test_the_layout_in_memory_does_not_travel(view: Any) -> None:
    array = view(np.arange(12, dtype=np.float32).reshape(3, 4))
    np.testing.assert_array_equal(over_the_wire(array), array)


def test_an_event_comes_back_whole() -> None:
    event = Picture(
        text="Two cells.",
        weights=np.array([0.5, np.nan], np.float32),
        cells=(Cell("a", 1.5), Cell("b", None)),
        counts={3: np.int32(7)},
    )
    back = over_the_wire(event)
    assert back["kind"] == "picture"
    assert back["text"] == "Two cells."
    assert back["cells"] == [{"name": "a", "value": 1.5}, {"name": "b", "value": None}]
    assert back["counts"] == {"3": 7}
    np.testing.assert_array_equal(back["weights"], event.weights)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), np.float32("nan")])
def test_a_number_that_json_has_not_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="use None"):
        pack({"value": value})


def test_arrays_can_travel_another_way() -> None:
    kept: list[np.ndarray] = []

    def keep(array: np.ndarray) -> int:
        kept.append(array)
        return len(kept) - 1

    weights = np.zeros(3, np.float32)
    assert pack(Picture(text="", weights=weights), keep)["weights"] == 0
    assert kept[0] is weights
