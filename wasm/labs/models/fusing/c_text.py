"""Numbers and places as C writes them."""

from __future__ import annotations

import math
import re

from labs.models.fusing.loops import Area, Index


def number(value: float, dtype: str) -> str:
    if dtype == "bool":
        return str(int(value))
    if dtype in ("i64", "i32", "i8"):
        end = "INT64" if dtype == "i64" else "INT32"
        return str(int(value)) if math.isfinite(value) else f"{end}_MIN" if value < 0 else f"{end}_MAX"
    if not math.isfinite(value):
        return "NAN" if value != value else "-INFINITY" if value < 0 else "INFINITY"
    text = repr(float(value))
    return text if dtype == "f64" else text + "f"


def bracket(text: str) -> str:
    """Unless it is a name, a number, an element or a call."""
    return text if re.fullmatch(r"-?[\w.]+(e-\d+f?)?(\[[^][]*\])?|\w+\([^()]*\)", text) else f"({text})"


def place(index: Index) -> str:
    parts = [f"{stride} * {name}" if stride != 1 else name for name, stride in index.strides]
    if index.offset or not parts:
        parts.append(str(index.offset))
    return " + ".join(parts)


def at(area: Area, down: str, along: str) -> str:
    both = ((down, area.down), (along, area.along))
    steps = [f"{step} * {name}" if step != 1 else name for name, step in both if step]
    corner = place(area.start)
    return " + ".join([*([corner] if corner != "0" else []), *steps]) or "0"
