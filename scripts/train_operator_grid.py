"""Train the Fourier neural operators that learning/operator_error shows, and write what came out:

    .venv/bin/python scripts/train_operator_grid.py

A network for each number of waves, width, length of training and seed; all else is as in learning/fourier_operator.
Both files are checked in, with the machine and the time that all of it took, so that nobody need train for minutes.
"""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from labs.learning.operator_error import grid
from native.learning.fourier_operator.network import Operator, leaps
from native.learning.fourier_operator.race import Field
from native.learning.fourier_operator.training import Course, begun, pairs, train
from native.models.torch_threads import one_thread
from numpy.typing import NDArray
from underhood.machine.provenance import machine

MODES = (2, 4, 8, 16)
WIDTHS = (4, 8, 16, 32)
STEPS = (50, 150, 450)
SEEDS = (0, 1, 2)
VISCOSITY = 0.01
LEAPS = 4
RESOLUTION = 64
SAMPLES = 128
DRAWN = 0  # of the fields that no network has seen, the one whose answers are drawn


def course(modes: int, width: int, steps: int, seed: int) -> Course:
    return Course("burgers", VISCOSITY, VISCOSITY, 1 / LEAPS, width, modes, RESOLUTION, SAMPLES, steps, seed)


def trained(of: Course, known: Any) -> tuple[Operator, float]:
    """The network, and the seconds that its training took."""
    network, begin = begun(of), time.perf_counter()
    for _ in train(network, known, of):
        pass
    return network, time.perf_counter() - begin


def answers(network: Operator, field: Field) -> NDArray[np.float32]:
    """[fields, points] at time 1."""
    return leaps(network, field.at(RESOLUTION), VISCOSITY, LEAPS)


def main() -> int:
    shape = (len(STEPS), len(SEEDS), len(WIDTHS), len(MODES))
    errors, seconds, learned = np.zeros(shape), np.zeros(shape), np.zeros(shape[2:], int)
    drawn = np.zeros((*shape, RESOLUTION), np.float16)
    with one_thread():
        field = Field("burgers", VISCOSITY, 32)
        known = {seed: pairs(course(1, 1, 1, seed), np.random.default_rng(seed)) for seed in SEEDS}
        for at in np.ndindex(shape):
            steps, seed, width, modes = at
            of = course(MODES[modes], WIDTHS[width], STEPS[steps], SEEDS[seed])
            network, seconds[at] = trained(of, known[of.seed])
            found = answers(network, field)
            errors[at], drawn[at] = field.error(found), found[DRAWN]
            learned[width, modes] = sum(part.numel() for part in network.parameters())
            print(
                f"{of.modes} waves, width {of.width}, {of.steps} steps, seed {of.seed}: {errors[at]:.2%}",
                flush=True,
            )
    kept = {
        "machine": machine(),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "torch": version("torch"),
        "modes": MODES,
        "widths": WIDTHS,
        "steps": STEPS,
        "seeds": SEEDS,
        "learned": learned.tolist(),
        "errors": np.vectorize(lambda value: float(f"{value:.5g}"))(errors).tolist(),
        "seconds": round(float(seconds.sum()), 1),
    }
    room = Path(grid.__file__).parent
    (room / grid.ERRORS).write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    median = np.argsort(errors, axis=1)[:, [len(SEEDS) // 2], :, :, None]
    np.savez_compressed(
        room / grid.ANSWERS,
        exact=field.right[DRAWN, :: field.right.shape[1] // RESOLUTION].astype(np.float16),
        network=np.take_along_axis(drawn, median, axis=1)[:, 0],
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
