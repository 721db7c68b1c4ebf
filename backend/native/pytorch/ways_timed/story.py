"""The order of the pictures: each way is made, then all have their turns, and at last what they were worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from labs.contract import Sentence, say
from torch import Tensor

from native.models.timing import clocked, enough
from native.models.torch_threads import one_thread
from native.pytorch.ways_timed import works
from native.pytorch.ways_timed.made import Made
from native.pytorch.ways_timed.pictures import Way

if TYPE_CHECKING:
    from native.pytorch.ways_timed import Params

NUMBERS = {"4 K": 1 << 12, "64 K": 1 << 16, "1 M": 1 << 20}
ROUND = 2e-3  # seconds that a way calls in a round, as far as one call allows
ROUNDS = 5  # of each turn, whose fastest counts: another program may have taken the processor in the others
KIB = 1024
LONG = 5e-2  # seconds of a call that has one round: there is no time for more


def story(params: Params) -> Iterator[dict[str, Any]]:
    with one_thread(), torch.no_grad():
        yield from Story(params).tell()


class Story:
    def __init__(self, params: Params) -> None:
        self.params = params
        self.x = works.given(params.work, NUMBERS[params.size])
        self.made: list[Made] = []
        self.errors: list[float] = []
        self.turns = np.zeros((0, params.repetitions), np.float32)

    def tell(self) -> Iterator[dict[str, Any]]:
        right = works.exact(self.params.work, self.x)
        for each in self.ways():
            self.made.append(each)
            self.errors.append(float((each.call(self.x) - right).abs().max() / right.abs().max()))
            self.turns = np.full((len(self.made), self.params.repetitions), np.nan, np.float32)
            yield self.picture("made", each, self.told())
        calls = [repeated(each.call, self.x) for each in self.made]
        counts = [enough(each, ROUND) for each in calls]
        rounds = 1 if max(clocked(each, 1) for each in calls) > LONG else ROUNDS
        for turn in range(self.params.repetitions):
            self.turns = self.turns.copy()
            for way, (work, count) in enumerate(zip(calls, counts, strict=True)):
                self.turns[way, turn] = min(clocked(work, count) for _ in range(rounds)) / count
            first = self.made[int(self.turns[:, turn].argmin())]
            words = "In turn {} of {} the fastest way is “{}”."
            yield self.picture("turn", first, say(words, turn + 1, self.params.repetitions, first.says))
        yield self.worth()

    def ways(self) -> Iterator[Made]:
        params = self.params
        return works.ways(params.work, self.x, params.inductor, params.segments)

    def worth(self) -> dict[str, Any]:
        gain = np.median(self.turns[0] / self.turns, 1)
        first, last = self.made[0], self.made[-1]
        if last.name == "yours":
            words = "“{}” takes {:.3g} ms and {:,.0f} KiB, “{}” {:.3g} ms and {:,.0f} KiB: {:.3g} times as long."
            ms = 1e3 * np.median(self.turns, 1)
            text = say(
                words, last.says, ms[-1], last.peak / KIB, first.says, ms[0], first.peak / KIB, 1 / gain[-1],
            )  # fmt: skip
            return self.picture("worth", last, text)
        best = int(gain.argmax())
        words = "The fastest way is “{}”: {:.3g} times as fast as “{}”."
        return self.picture("worth", self.made[best], say(words, self.made[best].says, gain[best], first.says))

    def told(self) -> Sentence:
        each, error = self.made[-1], self.errors[-1]
        if each.seconds:
            words = "“{}” is ready after {:.3g} s, and is off by at most {:.1e} of the largest result."
            return say(words, each.says, each.seconds, error)
        return say("“{}” is off by at most {:.1e} of the largest result.", each.says, error)

    def picture(self, stage: str, now: Made, text: Sentence) -> dict[str, Any]:
        known = self.turns[:, ~np.isnan(self.turns[0])]
        return {
            "text": text,
            "stage": stage,
            "ways": [
                Way(each.name, each.says, each.does, each.seconds, error)
                for each, error in zip(self.made, self.errors, strict=True)
            ],
            "now": now.name,
            "turns": self.turns,
            "took": quartiles(known),
            "gain": quartiles(known[:1] / known),
            "peak": [each.peak for each in self.made],
            "numbers": self.x.numel(),
        }


def quartiles(turns: Any) -> Any:
    """[ways, 3]; NaN where there are no turns."""
    if not turns.shape[1]:
        return np.full((len(turns), 3), np.nan, np.float32)
    return np.percentile(turns, (25, 50, 75), axis=1).T.astype(np.float32)


def repeated(call: Callable[[Tensor], Tensor], x: Tensor) -> Callable[[int], None]:
    def many(count: int) -> None:
        for _ in range(count):
            call(x)

    return many
