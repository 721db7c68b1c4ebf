"""An inference server: one at a time, static batches, continuous batching, and a paged cache.

A small transformer, trained on the articles of this book, continues the prompts of several readers, and yours. The
requests are served in four ways, each several times over, on the clock of this server. What is shown is the
quickest round of the way that you choose, step by step, with the tokens that were really produced.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Int32, Interval, Label, Sentence, Text, Uint8, say

from native.models.transformer import weights
from native.models.transformer.shape import BLOCKS, CONTEXT, VOCABULARY
from native.models.transformer.step_kernel import packed
from native.speed.inference_server import pictures
from native.speed.inference_server.serve import Server, Way, serve
from native.speed.inference_server.workload import CLASSES, Asked, Round, ask, percentiles

MEASURES = True
POSTER = 8
ROUNDS = 5
WAYS = ("single", "static", "continuous", "paged")
PERCENTILES = ("p50", "p99")


@dataclass(frozen=True)
class Params:
    way: Annotated[
        Literal["single", "static", "continuous", "paged"],
        Label(
            "Served",
            help="One at a time, in static batches, by continuous batching, and with a paged cache.",
            main=True,
        ),
    ] = "paged"
    prompt: Annotated[
        str, Text(100), Label("Your prompt", help="The model continues it, one character at a time.", main=True)
    ] = "A computer is "
    readers: Annotated[int, Interval(ge=1, le=32), Label("Readers", group="Requests")] = 16
    gap: Annotated[
        int,
        Interval(ge=0, le=5000),
        Label("A request every", unit="µs", help="On average; 0 is all at once.", group="Requests"),
    ] = 100
    blocks: Annotated[
        int,
        Interval(ge=16, le=256),
        Label("Memory", unit="blocks", help="Of 16 positions each, for keys and values.", group="Server"),
    ] = 96
    lanes: Annotated[
        int,
        Interval(ge=1, le=16),
        Label("Lanes", help="Answers written at once, as far as the memory allows.", group="Server"),
    ] = 12
    rows: Annotated[
        int,
        Interval(ge=4, le=128),
        Label("Tokens in a step", help="One for each answer; the rest are for prompts.", group="Server"),
    ] = 12
    weights: Annotated[
        Literal["memory", "cache"],
        Label(
            "Weights in",
            help="“memory”: each step reads another copy, as if the weights did not fit in the cache.",
            group="Server",
        ),
    ] = "memory"
    temperature: Annotated[
        float,
        Interval(ge=0, le=2),
        Label("Temperature", help="At 0, the model always takes the likeliest character.", group="Requests"),
    ] = 0.6
    seed: Annotated[int, Interval(ge=0, le=2**31 - 1), Label("Seed", group="Requests")] = 0


@dataclass(frozen=True, kw_only=True)
class Serving(Event):
    """How things stand after a step of the server."""

    kind: Literal["serving"] = "serving"
    stage: Literal["serving", "served"]
    way: Literal["single", "static", "continuous", "paged"]
    lane_count: int
    clock: float
    """Milliseconds since the start."""
    span: float
    """Milliseconds that all of it takes."""
    step: int
    steps: int
    rows: int
    """Tokens that this step computed, of prompts and of answers."""
    prompt: str
    """The reader's own."""
    answer: str
    """To the reader's own prompt, so far."""
    classes: Uint8
    """[requests] 0 a short answer, 1 a long one"""
    prompts: Int32
    """[requests] tokens of the prompt"""
    wanted: Int32
    """[requests] tokens of the answer, in the end"""
    computed: Int32
    """[requests] tokens whose keys and values are in the cache now"""
    answered: Int32
    """[requests] tokens of the answer so far"""
    state: Uint8
    """[requests] 0 not yet here, 1 waits, 2 its prompt is computed, 3 its answer, 4 done"""
    lanes: Int32
    """[requests] its lane; -1 if it has none"""
    tails: list[str]
    """[requests] the end of its prompt and answer so far"""
    stay_request: Uint8
    """[stays] whose"""
    stay_lane: Uint8
    """[stays] where"""
    stays: Annotated[Float32, Axes(stay=None, moment=("begin", "first token", "end"))]
    """[stays, 3] milliseconds"""
    owner: Int32
    """[blocks] the request that holds it, the first if several do; -1 if nobody does"""
    holders: Uint8
    """[blocks] requests that hold it"""
    filled: Uint8
    """[blocks] positions with keys and values, of 16"""
    ways: tuple[str, ...]
    speed: Annotated[Float32, Axes(way="ways")]
    """[ways] tokens of answers in a second"""
    gain: Annotated[Float32, Axes(way="ways")]
    """[ways] so many times as many tokens a second as one at a time"""
    first: Annotated[Float32, Axes(way="ways", request=CLASSES, percentile=PERCENTILES)]
    """[ways, 2, 2] seconds from arrival to the first token; NaN if nobody asked"""
    between: Annotated[Float32, Axes(way="ways", request=CLASSES, percentile=PERCENTILES)]
    """[ways, 2, 2] seconds between two tokens of an answer"""
    gaps: Annotated[Float32, Axes(way="ways", percentile=PERCENTILES)]
    """[ways, 2] seconds between two tokens, of all answers"""
    idle: Annotated[Float32, Axes(way="ways")]
    """[ways] share of the lanes that had nothing to do, over all steps"""
    unused: Annotated[Float32, Axes(way="ways")]
    """[ways] share of the positions in held blocks that were empty, over all steps"""


def run(params: Params) -> Iterator[Serving]:
    reserved = min(params.lanes, params.blocks // BLOCKS)  # lanes, where each keeps memory for the longest
    ways = (
        Way("single", 1, refill=True, paged=False, shared=False, rows=params.rows),
        Way("static", reserved, refill=False, paged=False, shared=False, rows=params.rows),
        Way("continuous", reserved, refill=True, paged=False, shared=False, rows=params.rows),
        Way("paged", params.lanes, refill=True, paged=True, shared=True, rows=params.rows),
    )
    asked = ask(params.prompt, params.readers, params.gap * 1e-6, params.seed)
    model = packed(weights.matrices(weights.read()), cached=params.weights == "cache")
    noise = np.random.default_rng(params.seed).gumbel(size=(CONTEXT, VOCABULARY))
    dice = (params.temperature * noise).astype(np.float32)
    rounds: list[list[Round]] = [[] for _ in ways]
    for _ in range(ROUNDS):  # in turns: what slows the machine for a while slows all of them
        for way, done in zip(ways, rounds, strict=True):
            done.append(Round(*serve(asked.requests, Server(way, model, params.blocks, dice))))
    quickest = [min(done, key=lambda each: each.seconds) for done in rounds]
    chosen = quickest[WAYS.index(params.way)]
    results = compare(asked, quickest)
    shown = pictures.moments(chosen.glances)
    for step in shown:
        last = step == shown[-1]
        picture = pictures.show(asked, chosen, step, params.blocks)
        yield Serving(
            text=told(params, results["speed"]) if last else telling(picture),
            stage="served" if last else "serving",
            way=params.way,
            lane_count=ways[WAYS.index(params.way)].lanes,
            span=1e3 * chosen.seconds,
            steps=len(chosen.glances),
            prompt=params.prompt,
            classes=asked.classes,
            prompts=np.array([len(each.prompt) for each in asked.requests], np.int32),
            wanted=np.array([each.wanted for each in asked.requests], np.int32),
            ways=WAYS,
            **picture,
            **results,
        )


def compare(asked: Asked, rounds: list[Round]) -> dict[str, Any]:
    """What the quickest round of each way came to."""

    def of_class(which: int) -> list[int]:
        return np.flatnonzero(asked.classes == which).tolist()

    both = [of_class(0), of_class(1)]
    everyone = range(len(asked.requests))
    waste = [done.waste() for done in rounds]
    found: dict[str, Any] = {
        "speed": [done.speed for done in rounds],
        "first": [[percentiles([done.first()[each]]) for each in both] for done in rounds],
        "between": [[percentiles([done.between(n) for n in each]) for each in both] for done in rounds],
        "gaps": [percentiles([done.between(n) for n in everyone]) for done in rounds],
        "idle": [idle for idle, _ in waste],
        "unused": [unused for _, unused in waste],
    }
    found["gain"] = np.array(found["speed"]) / found["speed"][0]
    return {name: np.array(values, np.float32) for name, values in found.items()}


def telling(picture: dict[str, object]) -> Sentence:
    state, holders = np.asarray(picture["state"]), np.asarray(picture["holders"])
    return say(
        "After {:.1f} ms: {} of {} requests done, {} in service, {} waiting; {} of {} blocks held, {} shared.",
        *(picture["clock"], (state == 4).sum(), len(state), np.isin(state, (2, 3)).sum(), (state == 1).sum()),
        *((holders > 0).sum(), len(holders), (holders > 1).sum()),
    )


def told(params: Params, speed: Float32) -> Sentence:
    way = WAYS.index(params.way)
    done = say("The only request is done") if params.readers == 1 else say("All {} are done", params.readers)
    return say(
        "{}: {:,.0f} tokens a second, {:.1f} times as many as one at a time.",
        *(done, speed[way], speed[way] / speed[0]),
    )
