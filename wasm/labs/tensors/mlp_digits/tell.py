"""What a picture of the training says in words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from labs.contract import Sentence, say
from labs.tensors.mlp_digits.training import Moment


def tell(moment: Moment, right: int, leaked_right: int, chances: NDArray[np.float32]) -> Sentence:
    look, held_out, leaked = moment.looks[-1], len(moment.held_out), int(moment.leaked.sum())
    when = "Before the first step" if not moment.step else say("After step {:,} of {:,}", moment.step, moment.steps)
    leak = (
        say(
            " (of those that leaked {} of {}, of the others {} of {})",
            leaked_right,
            leaked,
            right - leaked_right,
            held_out - leaked,
        )
        if leaked
        else ""
    )
    return say(
        "{} the network reads {} of {} held-out digits right{}; its mean loss is "
        "{:.3g} on them and {:.3g} on those it learns from, and it takes the "
        "drawing for a {} ({:.1%}).",
        when,
        right,
        held_out,
        leak,
        look.held_out_loss,
        look.train_loss,
        chances.argmax(),
        chances.max(),
    )
