"""Write what ``descent/one_line`` was told by PyTorch and by the clock, beside it.

    .venv/bin/python scripts/ask_the_line.py

``dispatch.json``: of each operator that a line may call its schema, and what is registered at each key of a tensor
that wants a gradient. ``clock.json``: the recorded run of ``descent/line_clock``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from labs.contract import unpack
from labs.descent.one_line.call import OPERATORS
from labs.descent.one_line.clock import TIMED

ROOT = Path(__file__).parents[1]
ROOM = ROOT / "wasm" / "labs" / "descent" / "one_line"
RECORDED = ROOT / "content" / "recordings" / "descent" / "line_clock" / "default.json"


def dispatch() -> dict[str, Any]:
    import torch
    from native.pytorch.dispatch_key import private

    tensor = torch.ones(2, requires_grad=True)
    keys = private.by_priority({*private.keys_of(tensor), *private.included()})
    excluded = private.excluded(keys)
    operators = {each for those in OPERATORS.values() for each in those}
    return {
        "torch": torch.__version__.split("+")[0],
        "operators": {each: row(each, keys, excluded) for each in sorted(operators)},
    }


def row(operator: str, keys: list[str], excluded: set[str]) -> dict[str, Any]:
    import torch
    from native.pytorch.dispatch_key import private

    table, stops = private.registrations(operator), []
    for key in keys:
        found = table.get(key)
        state = "excluded" if key in excluded else "falls through" if not found or found.fallthrough else "ran"
        stops.append([key, state, found.file if found and state == "ran" else ""])
        if state == "ran" and found and found.kind == "math kernel":
            break  # it is written with other operators, which are called from the top
    name, _, overload = operator.partition(".")
    return {"schema": str(torch._C._get_schema(name, overload)), "stops": stops}


def clock() -> dict[str, Any]:
    started, timed, _ = json.loads(RECORDED.read_text("utf-8"))["events"]
    made = started["provenance"]
    took = unpack(timed["took"])
    return {
        "line": TIMED,
        "layers": timed["layers"],
        "took": [round(float(each), 2) for each in took[:, 1]],
        "whole": round(float(unpack(timed["call"])[1]), 2),
        "machine": made["machine"],
        "at": made["at"][:10],
    }


def written(of: dict[str, Any]) -> str:
    return json.dumps(of, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    ROOM.joinpath("dispatch.json").write_text(written(dispatch()), "utf-8")
    ROOM.joinpath("clock.json").write_text(written(clock()), "utf-8")
