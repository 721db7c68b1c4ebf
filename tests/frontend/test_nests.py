"""Loops are drawn whole: each loop and each access once, and a loop keeps its place when it becomes a jump."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from in_node import told

RUNS = sorted((Path(__file__).parents[2] / "content/recordings/compilers/mlir_lowering").glob("*.json"))
EACH = pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)


def stages(path: Path) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each event with what is drawn of it."""
    events = [each for each in json.loads(path.read_text())["events"] if each["kind"] == "lowered"]
    return list(zip(events, told("nests.mjs", events), strict=True))


@EACH
def test_every_loop_is_a_box_within_the_loop_around_it(path: Path) -> None:
    for event, drawn in stages(path):
        boxes = [box for nest in drawn["nests"] for box in nest["boxes"]]
        assert [box["row"] for box in boxes] == event["loops"]
        at = {box["key"]: box for box in boxes}
        assert len(at) == len(boxes)
        for key, box in at.items():
            outer = at.get(key.rpartition(".")[0])
            assert (outer is None) == (box["depth"] == 0)
            if outer:
                assert outer["from"] <= box["from"] < box["to"] <= outer["to"]


@EACH
def test_every_access_is_drawn(path: Path) -> None:
    for event, drawn in stages(path):
        touches = [touch for nest in drawn["nests"] for box in nest["boxes"] for touch in box["touches"]]
        for what in ("reads", "writes"):
            assert sum(touch[what] for touch in touches) == sum(len(row[what]) for row in event["loops"])
        assert len({touch["key"] for touch in touches}) == len(touches)
        assert all(0 <= touch[side]["share"] <= 1 for touch in touches for side in ("across", "down"))


@EACH
def test_a_loop_keeps_its_place_when_it_becomes_a_jump_back(path: Path) -> None:
    for (_, before), (event, drawn) in pairwise(stages(path)):
        if event["stage"] == "cf":
            boxes = [box for nest in before["nests"] for box in nest["boxes"] if box["row"]["trips"]]
            assert [bracket["key"] for bracket in drawn["jumps"]["back"]] == own_loops(boxes)


def own_loops(boxes: list[dict[str, Any]]) -> list[str]:
    """Keys of the loops that become jumps: OpenMP keeps those that threads share, and what was inside moves out."""
    shared = [box["key"] for box in boxes if box["row"]["kind"] == "parallel"]
    places: list[int] = []
    keys = []
    for box in boxes:
        if box["key"] in shared:
            continue
        depth = box["depth"] - sum(box["key"].startswith(f"{outer}.") for outer in shared)
        places = [*places[:depth], places[depth] + 1 if len(places) > depth else 0]
        keys.append(".".join(map(str, places)))
    return keys
