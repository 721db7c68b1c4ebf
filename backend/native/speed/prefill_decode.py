"""Prefill and decode on the roofline: what a step of a transformer does per byte.

A step computes some tokens at once: the next token of as many answers (decode), or so many tokens of one prompt
(prefill). Both read every weight once. An answer also reads the keys and values of its own past, which it shares
with nobody. The roofs of one thread are measured before and after the steps, memory in turns with them, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import Annotated, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, ImpossibleError, Interval, Label, Sentence, say
from labs.models.timing import QUARTILES

from native.models.aligned import aligned
from native.models.products import peak
from native.models.roofline_kernel import reading, stride
from native.models.timing import Timing, together
from native.models.transformer import weights
from native.models.transformer.shape import BLOCK, LAYERS, WIDTH
from native.models.transformer.step_kernel import NOWHERE_NEAR, Machine, Weights, packed

MEASURES = True
BATCHES = (1, 2, 4, 8, 16, 32, 64)
PHASES = ("decode", "prefill")
POSTER = 5
PATIENCE = 0.12  # seconds for all repetitions of a step
SHORT = 30  # repetitions of a roof: the best of many short ones was disturbed by nobody
POSITION = 4 * 2 * WIDTH * LAYERS  # bytes of a token's keys and values
SURELY = 1.5  # times its roof: more than that no noise explains
Rows = list[tuple[int, int, int, bool]]


@dataclass(frozen=True)
class Params:
    past: Annotated[
        int,
        Interval(ge=16, le=240),
        Label(
            "Context of an answer",
            unit="tokens",
            help="Each answer reads the keys and values of its context.",
            main=True,
        ),
    ] = 160
    weights: Annotated[
        Literal["memory", "cache"],
        Label("Weights in", help="“memory”: each step reads another copy, so that no cache helps.", main=True),
    ] = "memory"
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 9


@dataclass(frozen=True, kw_only=True)
class Step(Event):
    """Steps with so many tokens, and with fewer."""

    kind: Literal["step"] = "step"
    tokens: int
    """Computed at once."""
    past: int
    """Tokens whose keys and values each answer reads."""
    peak: float
    """GFLOP/s of multiply-adds in registers"""
    bandwidth: float
    """GB/s read from where the weights are, at best"""
    ridge: float
    """Operations for each byte from which on the peak is the lower roof"""
    limit: float
    """Operations for each byte that decode comes near with more and more answers, and never exceeds"""
    batches: list[str]
    """Tokens computed at once, from the fewest"""
    phases: tuple[str, ...]
    intensity: Annotated[Float32, Axes(phase="phases", batch="batches")]
    """[2, batches] operations for each byte of weights, keys and values"""
    speed: Annotated[Float32, Axes(phase="phases", batch="batches", quartile=QUARTILES)]
    """[2, batches, 3] GFLOP/s that three, two and one quarter of the repetitions reached"""
    took: Annotated[Float32, Axes(phase="phases", batch="batches", quartile=QUARTILES)]
    """[2, batches, 3] milliseconds of a step"""
    share: Annotated[Float32, Axes(phase="phases", batch="batches")]
    """[2, batches] speed as a share of the lower roof above it"""
    gain: Annotated[Float32, Axes(phase="phases", batch="batches")]
    """[2, batches] so many times as many tokens a second as one token in a step"""


def run(params: Params) -> Iterator[Step]:
    cached = params.weights == "cache"
    model = packed(weights.matrices(weights.read()), cached=cached)
    far = aligned((model.read if cached else NOWHERE_NEAR) // 4 // stride() * stride())
    far[:] = 0.5  # memory that was never written is not there
    work, operations = peak()
    steps = [start(model, phase, many, params.past, cached) for phase in PHASES for many in BATCHES]
    roofs = work, reading(far)
    before = together(roofs, SHORT, PATIENCE)
    read, *taken = together((roofs[1], *steps), params.repetitions, PATIENCE)
    full, shortest = (
        min(each.least for each in pair) for pair in zip(before, together(roofs, SHORT, PATIENCE), strict=True)
    )
    board = Board(params, model, operations / full / 1e9, far.nbytes / min(shortest, read.least) / 1e9, taken)
    for place in range(len(BATCHES)):
        yield board.picture(place)


def start(model: Weights, phase: str, many: int, past: int, cached: bool) -> Callable[[int], None]:
    """So many steps of a phase with so many tokens. Where weights come from memory, so do keys and values: the
    next step has other sequences.
    """
    lanes, length = (many, past + 1) if phase == "decode" else (1, many)
    each = lanes * -(-length // BLOCK)
    sets = 1 if cached else -(-NOWHERE_NEAR // (each * BLOCK * POSITION))
    machine = Machine(model, sets * each, sets * lanes)
    machine.cache[:] = 0.01
    machine.tables[:, : each // lanes] = np.arange(sets * each).reshape(sets * lanes, -1)

    def rows(first: int) -> Rows:
        if phase == "decode":
            return [(ord("a"), past, first + lane, True) for lane in range(many)]
        return [(ord("a"), at, first, at == many - 1) for at in range(many)]

    turns = cycle([rows(first) for first in range(0, sets * lanes, lanes)])

    def work(rounds: int) -> None:
        for _ in range(rounds):
            machine.step(next(turns))

    return work


def counted(model: Weights, phase: str, many: int, past: int) -> tuple[int, int]:
    """Operations of a step, and bytes that it has to read or write at least once, by the shapes alone."""
    layers, head = model.layers.nbytes // len(model.layers) // 4, model.head.nbytes // 4
    if phase == "decode":
        looks, asked, positions = many * (past + 1), many, many * (past + 1)
    else:
        looks, asked, positions = many * (many + 1) // 2, 1, many
    attention = 2 * 2 * WIDTH * LAYERS * looks  # a product with each key, and one with each value
    return 2 * (many * layers + asked * head) + attention, model.read + positions * POSITION


class Board:
    """What the steps came to."""

    def __init__(self, params: Params, model: Weights, peak: float, bandwidth: float, taken: list[Timing]) -> None:
        self.params, self.peak, self.bandwidth = params, peak, bandwidth
        shape = (len(PHASES), len(BATCHES))
        counts = np.array([counted(model, phase, n, params.past) for phase in PHASES for n in BATCHES], float)
        operations, moved = counts.T.reshape(2, *shape)
        self.took = np.array([(each.low, each.median, each.high) for each in taken]).reshape(*shape, 3)
        self.intensity = operations / moved
        self.speed = operations[..., None] / self.took[..., ::-1] / 1e9
        self.share = self.speed[..., 1] / np.minimum(peak, self.intensity * bandwidth)
        self.gain = BATCHES * self.took[:, :1, 1] / self.took[..., 1]
        one = np.subtract(counted(model, "decode", 2, params.past), counted(model, "decode", 1, params.past))
        self.limit = float(one[0] / one[1])
        if (most := self.share.max()) > SURELY:
            raise ImpossibleError(f"A step came to {most:.3g} times the roof above it, which cannot be.")

    def picture(self, place: int) -> Step:
        return Step(
            text=self.telling(place),
            tokens=BATCHES[place],
            past=self.params.past,
            peak=self.peak,
            bandwidth=self.bandwidth,
            ridge=self.peak / self.bandwidth,
            limit=self.limit,
            batches=[str(many) for many in BATCHES],
            phases=PHASES,
            **{name: getattr(self, name).astype(np.float32) for name in ("intensity", "speed", "share", "gain")},
            took=(1e3 * self.took).astype(np.float32),
        )

    def telling(self, place: int) -> Sentence:
        known, took = self.intensity[:, place], 1e3 * self.took[:, place, 1]
        return say(
            "{} at once: decode does {:.3g} operations per byte in {:.3g} ms, prefill {:.3g} in {:.3g} ms.",
            *(BATCHES[place], known[0], took[0], known[1], took[1]),
        )
