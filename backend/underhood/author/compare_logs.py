"""Says whether two logs show the same run: what a recording promises, and what a fresh run is held to.

Structure, whole numbers and sentences must be equal; floats may differ by what another CPU's rounding does.
Provenance is not compared: it says who computed, not what.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from labs.contract import unpack
from numpy.typing import NDArray


def first_difference(old: list[Any], new: list[Any], rel: float = 1e-6, abs: float = 1e-9) -> str | None:
    """The first difference between two logs as a sentence, or None. Events are plain JSON, as they travel."""
    for index, (before, after) in enumerate(zip(old, new, strict=False)):
        path = f"event {index} ({before.get('kind', '?')})"
        if found := _differ(path, _comparable(before), _comparable(after), rel, abs):
            return found
    if len(old) != len(new):
        return f"there were {len(old)} events and now there are {len(new)}"
    return None


def _comparable(event: dict[str, Any]) -> Any:
    return unpack({key: value for key, value in event.items() if key != "provenance"})


def _differ(path: str, old: Any, new: Any, rel: float, abs: float) -> str | None:
    if isinstance(old, np.ndarray) and isinstance(new, np.ndarray):
        return _arrays_differ(path, old, new, rel, abs)
    if isinstance(old, dict) and isinstance(new, dict):
        if old.keys() != new.keys():
            return f"{path} lost {_names(old.keys() - new.keys())} and gained {_names(new.keys() - old.keys())}"
        return _first(_differ(f"{path}, {key}", old[key], new[key], rel, abs) for key in old)
    if isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            return f"{path} had {len(old)} items and now has {len(new)}"
        pairs = enumerate(zip(old, new, strict=True))
        return _first(_differ(f"{path}[{i}]", before, after, rel, abs) for i, (before, after) in pairs)
    if isinstance(old, float) and isinstance(new, float):
        close = math.isclose(old, new, rel_tol=rel, abs_tol=abs)
    else:
        close = type(old) is type(new) and bool(old == new)
    return None if close else f"{path} was {old!r} and is now {new!r}"


def _arrays_differ(path: str, old: NDArray[Any], new: NDArray[Any], rel: float, abs: float) -> str | None:
    if old.dtype != new.dtype or old.shape != new.shape:
        return f"{path} was {old.dtype}{list(old.shape)} and is now {new.dtype}{list(new.shape)}"
    if old.dtype.kind == "f":
        close = np.isclose(old, new, rtol=rel, atol=abs, equal_nan=True)
    else:
        close = np.equal(old, new)
    if close.all():
        return None
    where = tuple(int(i) for i in np.argwhere(~close)[0])
    return f"{path}{list(where)} was {old[where].item()!r} and is now {new[where].item()!r}"


def _first(found: Iterable[str | None]) -> str | None:
    return next((difference for difference in found if difference), None)


def _names(keys: set[str]) -> str:
    return ", ".join(sorted(keys)) or "nothing"
