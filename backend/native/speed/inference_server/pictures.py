"""What a picture shows of a round: who waits, who has which lane and which blocks, and what was written so far."""

from __future__ import annotations

from typing import Any

import numpy as np

from native.models.transformer.shape import BLOCK, decode
from native.speed.inference_server.serve import Glance, Served
from native.speed.inference_server.workload import PREAMBLE, Asked, Round

PICTURES = 20
TAIL = 24  # characters of an answer that a lane shows


def moments(glances: list[Glance]) -> list[int]:
    """Steps to show, evenly spread; the last one is the last."""
    steps: list[int] = np.unique(np.linspace(0, len(glances) - 1, PICTURES).astype(int)).tolist()
    return steps


def show(asked: Asked, done: Round, step: int, blocks: int) -> dict[str, Any]:
    """The fields of ``Serving`` that say how things stand after a step."""
    glance = done.glances[step]
    many = len(asked.requests)
    computed, lanes = np.zeros(many, np.int32), np.full(many, -1, np.int32)
    owner, holders, filled = np.full(blocks, -1, np.int32), np.zeros(blocks, np.uint8), np.zeros(blocks, np.uint8)
    for lane, held in enumerate(glance.lanes):
        if held is None:
            continue
        number, _, known, table = held
        computed[number], lanes[number] = known, lane
        for place, block in enumerate(table):
            owner[block] = number if not holders[block] else owner[block]
            holders[block] += 1
            filled[block] = min(max(known - place * BLOCK, 0), BLOCK)
    answered = np.array([sum(at <= glance.at for at in each.given) for each in done.served], np.int32)
    state = np.array([_state(each, glance.at, lanes[each.number]) for each in done.served], np.uint8)
    return {
        "clock": 1e3 * glance.at,
        "step": step + 1,
        "rows": glance.rows,
        "computed": computed,
        "answered": answered,
        "state": state,
        "lanes": lanes,
        **_stays(done, step),
        "owner": owner,
        "holders": holders,
        "filled": filled,
        "tails": [_tail(each, int(tokens)) for each, tokens in zip(done.served, answered, strict=True)],
        "answer": _text(done.served[0], int(answered[0])),
    }


def _state(served: Served, at: float, lane: int) -> int:
    """As ``Serving.state`` says it."""
    if served.given[-1] <= at:
        return 4
    if lane >= 0:
        return 3 if served.given[0] <= at else 2
    return 1 if served.request.arrival <= at else 0


def _stays(done: Round, step: int) -> dict[str, Any]:
    """Every stay of a request in a lane, from its first step to its last, up to this one."""
    stays: dict[tuple[int, int], list[tuple[int, float, float]]] = {}
    before = 0.0
    for place, glance in enumerate(done.glances[: step + 1]):
        for lane, held in enumerate(glance.lanes):
            if held and done.served[held[0]].given[-1] >= glance.at:
                stay = stays.setdefault((lane, held[0]), [])
                if stay and stay[-1][0] == place - 1:
                    stay[-1] = (place, stay[-1][1], glance.at)
                else:
                    stay.append((place, before, glance.at))
        before = glance.at
    flat = [(lane, number, begin, end) for (lane, number), all_ in stays.items() for _, begin, end in all_]
    flat.sort(key=lambda each: each[2])
    first = [min(max(done.served[number].given[0], begin), end) for _, number, begin, end in flat]
    return {
        "stay_lane": np.array([lane for lane, *_ in flat], np.uint8),
        "stay_request": np.array([number for _, number, *_ in flat], np.uint8),
        "stays": np.array(
            [(begin, split, end) for (_, _, begin, end), split in zip(flat, first, strict=True)], np.float32
        ).reshape(-1, 3)
        * np.float32(1e3),
    }


def _text(served: Served, answered: int) -> str:
    """The answer so far."""
    begin = len(served.request.prompt)
    return decode(served.tokens[begin : begin + answered])


def _tail(served: Served, answered: int) -> str:
    """The end of what a lane has read and written, without what all prompts begin with."""
    begin = len(PREAMBLE)
    return decode(served.tokens[begin : len(served.request.prompt) + answered])[-TAIL:]
