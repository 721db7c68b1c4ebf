"""Ring all-reduce: every process ends with the sum of all arrays, and no link carries more than its share.

Each process has an array, cut into as many chunks as there are processes. In the first round of the ring a sum of
each chunk goes from process to process and grows; in the second its copies do. A tree, and a single process that
adds up everything, do the same in other steps with other bytes. The order of every sum is that of gloo's ring.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, Uint8, say
from labs.pytorch.ring_all_reduce.rounds import WAYS, Message, bounds, formulas, rounds

POSTER = 4


@dataclass(frozen=True)
class Params:
    processes: Annotated[int, Interval(ge=2, le=8), Label("Processes", main=True)] = 4
    way: Annotated[
        Literal["ring", "tree", "star"],
        Label(
            "Algorithm",
            help="Star: the first process adds everything up, and sends the sum to each of the others.",
            main=True,
        ),
    ] = "ring"
    numbers: Annotated[int, Interval(ge=1, le=64), Label("Numbers", help="In the array of each process.")] = 16
    seed: Annotated[int, Interval(ge=0, le=999), Label("Seed")] = 0


@dataclass(frozen=True, kw_only=True)
class State(Event):
    """All processes after a step. In a step each sends at most one message, and receives at most one."""

    kind: Literal["state"] = "state"
    stage: Literal["start", "reduce", "spread", "done"]
    step: int
    steps: int
    """In all"""
    messages: list[Message]
    """That arrived in this step"""
    chunks: Int32
    """[chunks + 1] where each begins in the array, and where the last one ends"""
    holds: Annotated[Uint8, Axes(process=None, chunk=None)]
    """[processes, chunks] whose numbers have been added to each: bit k for process k"""
    values: Annotated[Float32, Axes(process=None, number=None)]
    """[processes, numbers] the array of each process as it is now"""
    sent: Annotated[Int32, Axes(process=None)]
    """[processes] bytes that each sent so far"""
    received: Annotated[Int32, Axes(process=None)]
    """[processes] bytes that each received so far"""
    ways: list[str]
    needs: Annotated[Int32, Axes(way=WAYS)]
    """[ways] steps"""
    in_a_row: Annotated[Int32, Axes(way=WAYS)]
    """[ways] bytes that follow one another: of the longest message in each step, added up"""
    formula: Annotated[Float32, Axes(way=WAYS)]
    """[ways] the same in closed form, for chunks of equal size"""
    whole: int
    """Bytes in the array of one process"""
    agree: bool
    """Whether all processes have the same bits"""
    differ: Int32
    """[numbers that differ] their places: where the first process has other bits than `in_turn`"""
    in_turn: Float32
    """[numbers] the sum from the first process to the last"""


def run(params: Params) -> Iterator[State]:
    count, cuts = params.processes, bounds(params.numbers, params.processes)
    values = given(params)
    in_turn = values[0].copy()
    for row in values[1:]:
        in_turn += row
    holds = np.repeat((1 << np.arange(count, dtype=np.uint8))[:, None], count, axis=1)
    sent, received = np.zeros(count, np.int32), np.zeros(count, np.int32)
    every = {way: list(rounds(way, count, cuts)) for way in WAYS}
    course = every[params.way]
    ways = list(WAYS)
    needs = np.array([len(every[way]) for way in WAYS], np.int32)
    in_a_row = np.array([sum(longest(each) for each in every[way]) for way in WAYS], np.int32)

    def picture(text: Sentence, stage: Literal["start", "reduce", "spread", "done"], step: int) -> State:
        return State(
            text=text,
            stage=stage,
            step=step,
            steps=len(course),
            messages=course[step - 1] if step > 0 and stage != "done" else [],
            chunks=np.array(cuts, np.int32),
            holds=holds.copy(),
            values=values.copy(),
            sent=sent.copy(),
            received=received.copy(),
            ways=ways,
            needs=needs,
            in_a_row=in_a_row,
            formula=formulas(count, 4 * params.numbers),
            whole=4 * params.numbers,
            agree=bool((values.view(np.uint32) == values[0].view(np.uint32)).all()),
            differ=differing(values[0], in_turn),
            in_turn=in_turn,
        )

    yield picture(say("Each of {} processes has {} numbers of its own.", count, params.numbers), "start", 0)
    for step, messages in enumerate(course, 1):
        before = values.copy(), holds.copy()  # all messages of a step are on their way at the same time
        for each in messages:
            chunks = range(count) if each.chunk < 0 else (each.chunk,)
            for chunk in chunks:
                part = slice(cuts[chunk], cuts[chunk + 1])
                arrives, of = before[0][each.source, part], before[1][each.source, chunk]
                if each.adds:
                    values[each.target, part] += arrives
                    holds[each.target, chunk] |= of
                else:
                    values[each.target, part] = arrives
                    holds[each.target, chunk] = of
            sent[each.source] += each.bytes
            received[each.target] += each.bytes
        adds = messages[0].adds
        yield picture(told(params.way, step, messages, adds), "reduce" if adds else "spread", step)
    words = say(
        "Every process has the sum after {} steps and {} bytes in a row",
        len(course),
        in_a_row[ways.index(params.way)],
    )
    others = len(differing(values[0], in_turn))
    words = say(
        "{}, and {} of {} numbers have other bits than a sum from first to last.",
        words,
        others,
        params.numbers,
    )
    yield picture(words, "done", len(course))


def given(params: Params) -> Float32:
    """[processes, numbers] what each has at the start."""
    random = np.random.default_rng(params.seed)
    return random.standard_normal((params.processes, params.numbers)).astype(np.float32)


def differing(found: Float32, in_turn: Float32) -> Int32:
    return np.flatnonzero(found.view(np.uint32) != in_turn.view(np.uint32)).astype(np.int32)


def longest(messages: list[Message]) -> int:
    return max(each.bytes for each in messages)


def told(way: str, step: int, messages: list[Message], adds: bool) -> Sentence:
    first = messages[0]
    if way == "ring":
        what = say("adds it to its own") if adds else say("keeps it")
        return say("Step {}: each process sends a chunk to the process before it, which {}.", step, what)
    if len(messages) > 1:
        what = say("add them up") if adds else say("keep the sum")
        return say(
            "Step {}: {} processes send their whole arrays at once to others, which {}.", step, len(messages), what
        )
    what = say("adds it up") if adds else say("keeps the sum")
    words = "Step {}: process {} sends its whole array to process {}, which {}."
    return say(words, step, first.source + 1, first.target + 1, what)
