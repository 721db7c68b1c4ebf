"""What Python says of small numbers, before and after somebody in its process has switched denormals off."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from native.tensors.fast_math.kernel import flushing

TINY = 5e-324
X, Y = 2.3e-308, 2.25e-308
LINES: dict[str, Callable[[], object]] = {
    "5e-324 > 0": lambda: TINY > 0,
    "2.3e-308 != 2.25e-308": lambda: X != Y,
    "2.3e-308 - 2.25e-308": lambda: X - Y,
    "np.float32(1e-40) * np.float32(1)": lambda: float(np.float32(1e-40) * np.float32(1)),
    "json.loads('1e-310') * 1": lambda: json.loads("1e-310") * 1.0,
}
IN_A_THREAD = "5e-324 > 0, in a thread that starts now"
BEFORE_THAT = "5e-324 > 0, in a thread that ran before"


def told() -> tuple[list[str], list[str], list[str]]:
    """Lines of Python, what each says as long as denormals count, and then."""
    positive = LINES["5e-324 > 0"]
    with ThreadPoolExecutor(1) as old:
        old.submit(positive).result()  # it has started

        def say_all() -> list[str]:
            values = [line() for line in LINES.values()]
            with ThreadPoolExecutor(1) as new:
                values += [new.submit(positive).result(), old.submit(positive).result()]
            return [*map(str, values)]

        before = say_all()
        with flushing():
            after = say_all()
    return [*LINES, IN_A_THREAD, BEFORE_THAT], before, after
