"""Two logs of one run are the same, and everything that a reader could notice is a difference."""

from typing import Any

import numpy as np
import pytest
from labs.contract import pack
from underhood.author.compare_logs import first_difference


def log(**change: Any) -> list[Any]:
    event = {
        "kind": "picture",
        "text": "The error is 0.5.",
        "error": 0.5,
        "count": 3,
        "on": True,
        "none": None,
        "cells": [{"name": "a", "value": 1.0}],
        "floats": np.array([[1.0, np.nan], [3.0, 4.0]], np.float32),
        "codes": np.array([1, 2, 3], np.int32),
    }
    opening = {"kind": "started", "attempt": 1, "provenance": {"at": "2026-01-01T00:00:00Z"}}
    return [pack(opening), pack(event | change), {"kind": "end", "status": "ok", "reason": ""}]


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"error": 0.5 + 1e-8},
        {"cells": [{"name": "a", "value": 1.0 - 1e-8}]},
        {"floats": np.array([[1 + 1e-7, np.nan], [3, 4]], np.float32)},
    ],
)
def test_rounding_is_no_difference(change: dict[str, Any]) -> None:
    assert first_difference(log(), log(**change)) is None


def test_provenance_is_not_compared() -> None:
    other = log()
    other[0]["provenance"] = {"at": "1999-01-01T00:00:00Z", "machine": "another"}
    assert first_difference(log(), other) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"text": "The error is 0.6."}, "event 1 (picture), text was 'The error is 0.5.' and is now"),
        ({"error": 0.501}, "event 1 (picture), error was 0.5 and is now 0.501"),
        ({"error": 1}, "event 1 (picture), error was 0.5 and is now 1"),
        ({"error": None}, "error was 0.5 and is now None"),
        ({"none": 0.0}, "none was None and is now 0.0"),
        ({"count": 4}, "count was 3 and is now 4"),
        ({"count": True}, "count was 3 and is now True"),
        ({"on": 1}, "on was True and is now 1"),
        ({"cells": []}, "cells had 1 items and now has 0"),
        ({"cells": [{"name": "b", "value": 1.0}]}, "cells[0], name was 'a' and is now 'b'"),
        ({"cells": [{"name": "a"}]}, "cells[0] lost value and gained nothing"),
        ({"extra": 1}, "lost nothing and gained extra"),
        ({"floats": np.array([[1, np.nan], [3, 4.1]], np.float32)}, "floats[1, 1] was 4.0 and is now 4.0999"),
        ({"floats": np.array([[1, 2], [3, 4]], np.float32)}, "floats[0, 1] was nan and is now 2.0"),
        ({"floats": np.array([1, 2], np.float32)}, "floats was float32[2, 2] and is now float32[2]"),
        ({"codes": np.array([1, 2, 4], np.int32)}, "codes[2] was 3 and is now 4"),
        ({"codes": np.array([1, 2, 3], np.uint8)}, "codes was int32[3] and is now uint8[3]"),
    ],
)
def test_the_first_difference_is_named(change: dict[str, Any], words: str) -> None:
    assert words in (first_difference(log(), log(**change)) or "")


def test_a_missing_event_is_a_difference() -> None:
    assert first_difference(log(), log()[:-1]) == "there were 3 events and now there are 2"


def test_the_tolerance_is_the_callers() -> None:
    assert first_difference(log(), log(error=0.5004), rel=1e-3) is None
