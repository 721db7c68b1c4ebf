"""Kernels of OpenBLAS: the same product by NumPy, with the machine code for four generations of processors.

The library behind NumPy holds kernels for many processors and picks one when it is loaded, by what it takes the
processor for. Here each is asked for by name, in a process of its own, and held against the peak that was measured.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from labs.contract import Axes, Event, Float32, Interval, Label, LabError, Sentence, joined, say
from labs.models.timing import QUARTILES

from native.models.products import RUNGS, Choice, Operands, peak
from native.models.timing import timed

MEASURES = True
POSTER = 4  # half of the lanes idle
NEEDS = {
    "Nehalem": {"sse4_2"},
    "Sandybridge": {"avx"},
    "Haswell": {"avx2", "fma"},
    "SkylakeX": {"avx512f", "avx512bw", "avx512dq", "avx512vl"},
}
"""What a processor has to know, in the words of Linux."""
SAYS = {
    "Nehalem": "SSE, 4 numbers at once",
    "Sandybridge": "AVX, 8 at once",
    "Haswell": "AVX2, 8 at once, multiplied and added in one step",
    "SkylakeX": "AVX-512, 16 at once, multiplied and added in one step",
}
LANES = {"Nehalem": 4, "Sandybridge": 8, "Haswell": 8, "SkylakeX": 16}
"""Numbers in one of its vectors."""
FUSED = {"Haswell", "SkylakeX"}
"""Those with one instruction that multiplies and adds."""
WAYS = ("as it comes", *NEEDS, "ours, packed")
PATIENCE = 0.3

TIMES = """
import json, sys, time
import numpy as np
from threadpoolctl import threadpool_info
n, repetitions, patience = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
random = np.random.default_rng(0)
a, b = (random.uniform(-1, 1, (n, n)).astype(np.float32) for _ in range(2))
c = np.empty_like(a)
def clocked(rounds):
    begun = time.perf_counter()
    for _ in range(rounds):
        np.matmul(a, b, out=c)
    return time.perf_counter() - begun
clocked(1)
rounds = max(1, int(patience / repetitions / max(clocked(1), 1e-6)))
seconds = [clocked(rounds) / rounds for _ in range(repetitions)]
exact = a.astype(np.float64) @ b
names = [each["architecture"] for each in threadpool_info() if each["internal_api"] == "openblas"]
error = float(np.abs(c - exact).max() / np.abs(exact).max())
print(json.dumps({"seconds": seconds, "error": error, "names": names}))
"""


@dataclass(frozen=True)
class Params:
    n: Annotated[int, Interval(ge=64, le=2048), Label("Rows and columns")] = 1000
    repetitions: Annotated[int, Interval(ge=3, le=31), Label("Repetitions")] = 7


@dataclass(frozen=True, kw_only=True)
class Kernels(Event):
    """One more kernel was asked for."""

    kind: Literal["kernels"] = "kernels"
    stage: str
    """The way that was measured just now."""
    names: list[str]
    says: Annotated[list[str], Axes(way="names")]
    """[ways] What it uses"""
    lanes: Annotated[list[int], Axes(way="names")]
    """[ways] Numbers in a vector; of ours, as many as this processor has"""
    fused: Annotated[list[bool], Axes(way="names")]
    """[ways] Whether one instruction multiplies and adds"""
    speed: Annotated[Float32, Axes(way="names", quartile=QUARTILES)]
    """[ways, 3] GFLOP/s that three, two and one quarter of the repetitions reached; NaN where not measured"""
    error: Annotated[Float32, Axes(way="names")]
    """[ways] largest difference from the product in float64, as a share of its largest number"""
    picked: str
    """The kernel that the library picks by itself."""
    gain: float | None
    """The fastest over what the library picks"""
    peak: float
    """GFLOP/s of multiply-adds in registers on one thread"""
    n: int
    repetitions: int


def run(params: Params) -> Iterator[Kernels]:
    came = measure(params, None)
    if not came["names"]:
        raise LabError("NumPy does not call OpenBLAS on this machine.")
    board = Board(params, came["names"][0])
    yield board.kernel(0, came, f"By default, NumPy takes the kernel {board.picked}")
    able = abilities()
    for place, (name, needs) in enumerate(NEEDS.items(), 1):
        if not needs <= able:
            yield board.picture(
                place, say("{} needs {}, which this processor lacks.", name, joined(", ", sorted(needs - able)))
            )
            continue
        yield board.kernel(place, measure(params, name), f"Asked for {name}, {SAYS[name]}")
    yield board.ours()


def abilities() -> set[str]:
    """What Linux says that the processor knows; nothing elsewhere."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return set()
    return set(next((line for line in lines if line.startswith("flags")), "").split())


def vectors(picked: str, able: set[str]) -> tuple[list[int], list[bool]]:
    """Of each way, the numbers in a vector, and whether one instruction multiplies and adds.

    Ours is compiled for this processor; so is a kernel that the library picks and that is not asked for here.
    """
    own = [(LANES[name], name in FUSED) for name, needs in NEEDS.items() if needs <= able]
    best = max(own, default=(4, True))  # as Neon has it
    known = {name: (lanes, name in FUSED) for name, lanes in LANES.items()}
    lanes, fused = zip(known.get(picked, best), *known.values(), best, strict=True)
    return list(lanes), list(fused)


def measure(params: Params, core: str | None) -> dict[str, Any]:
    """One thread, in a process whose library has just been loaded: it picks its kernel only then."""
    named = {} if core is None else {"OPENBLAS_CORETYPE": core}
    unasked = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS_")}
    environment = {**unasked, "OPENBLAS_NUM_THREADS": "1", **named}
    command = [sys.executable, "-c", TIMES, str(params.n), str(params.repetitions), str(PATIENCE)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


class Board:
    """All that was found out so far."""

    def __init__(self, params: Params, picked: str) -> None:
        self.params = params
        self.picked = picked
        self.lanes, self.fused = vectors(picked, abilities())
        self.speed = np.full((len(WAYS), 3), np.nan, np.float32)
        self.error = np.full(len(WAYS), np.nan, np.float32)
        work, flops = peak()
        self.peak = flops / timed(work, 9, 0.1).least / 1e9

    def kernel(self, place: int, found: dict[str, Any], words: str) -> Kernels:
        return self.measured(place, np.percentile(found["seconds"], (75, 50, 25)), found["error"], words)

    def ours(self) -> Kernels:
        n, random = self.params.n, np.random.default_rng(0)
        a, b = (random.uniform(-1, 1, (n, n)).astype(np.float32) for _ in range(2))
        given = Operands(a, b, np.empty_like(a), n)
        packed = next(rung for rung in RUNGS if rung.name == "packed")
        taken = timed(packed.start(given, Choice("-O3", 64, 1)), self.params.repetitions, PATIENCE)
        exact = a.astype(np.float64) @ b
        error = np.abs(given.c - exact).max() / np.abs(exact).max()
        seconds = np.array([taken.high, taken.median, taken.low])
        return self.measured(len(WAYS) - 1, seconds, float(error), "Our packed kernel, for comparison")

    def measured(self, place: int, seconds: Any, error: float, words: str) -> Kernels:
        self.speed[place] = 2 * self.params.n**3 / seconds / 1e9
        self.error[place] = error
        share = self.speed[place, 1] / self.peak
        return self.picture(
            place, say("{}: {:.3g} GFLOP/s, {:.3g} % of the peak.", words, self.speed[place, 1], 100 * share)
        )

    def picture(self, place: int, text: Sentence) -> Kernels:
        known = self.speed[1:-1, 1]
        best = float(np.nanmax(known)) if np.isfinite(known).any() else None
        return Kernels(
            text=text,
            stage=WAYS[place],
            names=list(WAYS),
            says=["", *SAYS.values(), ""],
            lanes=self.lanes,
            fused=self.fused,
            speed=self.speed.copy(),
            error=self.error.copy(),
            picked=self.picked,
            gain=None if best is None else best / float(self.speed[0, 1]),
            peak=self.peak,
            n=self.params.n,
            repetitions=self.params.repetitions,
        )
