"""Train the Fourier neural operators that learning/operator_rollout runs in the browser, and write their weights:

    .venv/bin/python scripts/train_fourier_operators.py

A network for each equation and number of modes, each in less than a minute on one quiet core. The file is checked
in, so that nobody has to train before reading. The weights are kept in half precision.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, get_args

import numpy as np
from labs.learning.operator_rollout import network as kept
from labs.models.fields import Equation
from native.learning.fourier_operator.training import Course, begun, pairs, train
from native.models.torch_threads import one_thread
from numpy.typing import NDArray

STEPS = 2000
SAMPLES = 256


def course(equation: Equation, modes: int, steps: int = STEPS, samples: int = SAMPLES) -> Course:
    return Course(
        equation=equation,
        low=kept.LOW,
        high=kept.HIGH,
        leap=kept.LEAP,
        width=kept.WIDTH,
        modes=modes,
        resolution=kept.RESOLUTION,
        samples=samples,
        steps=steps,
        seed=0,
    )


def trained(of: Course) -> tuple[dict[str, NDArray[Any]], float]:
    """The weights in half precision, and the mean loss of the last twenty steps."""
    network = begun(of)
    with one_thread():
        losses = [*train(network, pairs(of, np.random.default_rng(of.seed)), of)]
    return {name: value.numpy().astype(np.float16) for name, value in network.state_dict().items()}, float(
        np.mean(losses[-20:])
    )


def main() -> int:
    everything = {}
    for equation in get_args(Equation):
        for modes in get_args(kept.Modes):
            weights, loss = trained(course(equation, modes))
            print(f"{equation}, {modes} modes: {loss:.2%}", flush=True)
            everything |= {f"{equation}.{modes}.{name}": value for name, value in weights.items()}
    np.savez_compressed(Path(str(kept.__file__)).parent / kept.FILE, **everything)
    return 0


if __name__ == "__main__":
    sys.exit(main())
