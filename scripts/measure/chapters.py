"""How soon each lab of PyTorch internals shows its first picture on a server, which has torch preloaded."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from typing import Any

from labs.discover import Lab, find
from underhood.near import one_setting_away

from measure.engine import first_event
from measure.serving import Server
from measure.stats import Result

BAR_MS = 150.0
RUNS = 3


def chapters(server: Server) -> list[Result]:
    labs = [each for each in find().values() if each.id.startswith("pytorch/") and "cpu" in each.runs_on]
    took = {lab.id: tuple(first_event(server, lab.id, params) for params in moves(lab)) for lab in labs}
    return [
        Result(f"{id}: POST to first event", times, "ms", held="median", bar=BAR_MS) for id, times in took.items()
    ]


def moves(lab: Lab) -> list[dict[str, Any]]:
    """The defaults, and what is one setting away from them: the same run again would be answered from its log."""
    others = islice(one_setting_away(lab), RUNS - 1)
    return [asdict(params) for params in (lab.params(), *(each for _, each in others))]
