"""Write what ``descent/one_line`` was told by PyTorch and by the clock, beside what reads it.

    .venv/bin/python scripts/ask_the_line.py

``dispatch.json``: of each operator that a line may call its schema, and what is registered at each key of a tensor
that wants a gradient. ``clock.json``: the recorded run of ``descent/line_clock``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from labs.contract import unpack
from labs.models.one_line.call import OPERATORS
from labs.models.one_line.line import TIMED

ROOT = Path(__file__).parents[1]
LABS = ROOT / "wasm" / "labs"
DISPATCH = LABS / "models" / "one_line" / "dispatch.json"
CLOCK = LABS / "descent" / "one_line" / "clock.json"
RECORDED = ROOT / "content" / "recordings" / "descent" / "line_clock" / "default.json"


def dispatch() -> dict[str, Any]:
    import torch
    from native.descent.line_clock.asked import operators

    found = operators({each for those in OPERATORS.values() for each in those})
    rows = {
        name: {"schema": each.schema, "stops": [[stop.key, stop.state, stop.file] for stop in each.stops]}
        for name, each in found.items()
    }
    return {"torch": torch.__version__.split("+")[0], "operators": rows}


def clock() -> dict[str, Any]:
    started, timed, _ = json.loads(RECORDED.read_text("utf-8"))["events"]
    made = started["provenance"]
    took = unpack(timed["took"])
    return {
        "line": TIMED,
        "layers": timed["layers"],
        "took": [round(float(each), 2) for each in took[:, 1]],
        "whole": round(float(unpack(timed["call"])[1]), 2),
        "reached": round(timed["reached"], 6),
        "arithmetic_reached": round(timed["arithmetic_reached"], 4),
        "machine": made["machine"],
        "at": made["at"][:10],
    }


def written(of: dict[str, Any]) -> str:
    return json.dumps(of, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    DISPATCH.write_text(written(dispatch()), "utf-8")
    CLOCK.write_text(written(clock()), "utf-8")
