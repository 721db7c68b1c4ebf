"""Who asks what, and when; what a round of serving came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from native.models.transformer.shape import BLOCK, CONTEXT, encode
from native.speed.inference_server.serve import Glance, Request, Served

PREAMBLE = "Underhood is a book about computers. It goes on like this:\n"  # each prompt begins with it
OPENINGS = (
    "The cache ", "A pointer is ", "Each thread ", "The compiler ", "What does a gradient ", "In memory, ",
    "The number of steps ", "A matrix ", "To multiply two ", "Every run of the ", "When the loop ",
    "The first layer ", "A tape ", "If the table is full, ", "The processor ", "Why is the second ",
    "Rounding ", "The same bits ",
)  # fmt: skip
CLASSES = ("short", "long")
WANTED = ((12, 40), (80, 140))  # tokens of an answer, from and to
LONG = 0.4  # of the requests
OWN = 80  # tokens that the reader's own prompt is answered with


@dataclass(frozen=True)
class Asked:
    requests: list[Request]
    classes: NDArray[np.uint8]
    """[requests] place in ``CLASSES``."""


def ask(prompt: str, readers: int, gap: float, seed: int) -> Asked:
    """The reader's own prompt first, then others, on average ``gap`` seconds apart."""
    random = np.random.default_rng(seed)
    arrivals = np.cumsum(random.exponential(1, readers)) * gap
    classes = (random.random(readers) < LONG).astype(np.uint8)
    classes[0] = 1
    requests = []
    for number, at in enumerate(arrivals.tolist()):
        opening = prompt if number == 0 else str(random.choice(OPENINGS))
        low, high = WANTED[classes[number]]
        wanted = OWN if number == 0 else int(random.integers(low, high + 1))
        tokens = encode(PREAMBLE + opening)
        requests.append(Request(tokens, min(wanted, CONTEXT - len(tokens)), at - float(arrivals[0])))
    return Asked(requests, classes)


@dataclass(frozen=True)
class Round:
    """All requests, served once in one way."""

    served: list[Served]
    glances: list[Glance]

    @property
    def seconds(self) -> float:
        return self.glances[-1].at

    @property
    def speed(self) -> float:
        """Tokens of answers in a second."""
        return sum(len(each.given) for each in self.served) / self.seconds

    def first(self) -> NDArray[np.float64]:
        """[requests] seconds from the arrival to the first token."""
        return np.array([each.given[0] - each.request.arrival for each in self.served])

    def between(self, number: int) -> NDArray[np.float64]:
        """[tokens - 1] seconds between the tokens of one answer."""
        return np.diff(self.served[number].given)

    def waste(self) -> tuple[float, float]:
        """Shares over all steps: of lanes that computed nothing, of held positions that were empty."""
        busy = lanes = filled = held = 0
        for glance in self.glances:
            lanes += len(glance.lanes)
            blocks: dict[int, int] = {}
            for lane in glance.lanes:
                if lane:
                    number, _, computed, table = lane
                    busy += glance.at <= self.served[number].given[-1]
                    for place, block in enumerate(table):
                        blocks[block] = min(max(computed - place * BLOCK, 0), BLOCK)
            held += len(blocks) * BLOCK
            filled += sum(blocks.values())
        return 1 - busy / lanes, 1 - filled / held if held else 0.0


def percentiles(seconds: Sequence[NDArray[np.float64]]) -> tuple[float, float]:
    """Half took no longer, and 99 of 100, in seconds; NaN where there are none."""
    everything = np.concatenate([*seconds, np.empty(0)])
    if not len(everything):
        return float("nan"), float("nan")
    half, most = np.percentile(everything, [50, 99])
    return float(half), float(most)
