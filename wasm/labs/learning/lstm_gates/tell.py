"""What each picture shows, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from labs.contract import Sentence, say
from labs.models.recurrent import Step

NAMES: Mapping[str, str] = {"forget": "forget gates", "input": "input gates", "output": "output gates"}


def equation(stage: str, at: int, symbol: str, step: Step, held: Mapping[str, float]) -> Sentence:
    """Of a stage before the answer; ``at`` is counted from 0."""
    if stage in held:
        how = "closed" if held[stage] == 0 else "open"
        return say("Step {} reads {}: the {} are held {}, whatever is read.", at + 1, symbol, NAMES[stage], how)
    if stage == "forget":
        return say("Step {} reads {}: the forget gates keep {}.", at + 1, symbol, between(step.forget, share=True))
    if stage == "input":
        return say("The input gates let in {} of what is proposed.", between(step.input, share=True))
    if stage == "candidate":
        return say("The candidates propose to add {}.", between(step.candidate))
    if stage == "cell":
        most = int(np.argmax(np.abs(step.cell - step.before)))
        return say(
            "The cell state is what was kept plus what was let in: unit {} goes from {:.2f} to {:.2f}.",
            most + 1,
            step.before[most],
            step.cell[most],
        )
    if stage == "output":
        return say("The output gates show {} of the cell state.", between(step.output, share=True))
    return say("The hidden state is what the answer and the next step see: {}.", between(step.hidden))


def between(values: np.ndarray, share: bool = False) -> Sentence:
    low, high = float(values.min()), float(values.max())
    return say("{:.0%} to {:.0%}", low, high) if share else say("{:.2f} to {:.2f}", low, high)


def answer(at: int, said: str, wanted: str) -> Sentence:
    if not said:
        return say("Step {} asks for no answer: the cell is still reading.", at + 1)
    if not wanted:
        return say("The cell answers {}; the right answer is not known yet.", said)
    return say("The cell answers {}, and {} is right.", said, wanted)
