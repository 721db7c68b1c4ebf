"""Products of bytes by our kernel beside oneDNN's, float32's and what memory gives, by the lab's own run."""

from __future__ import annotations

from native.learning.int8_gemm import Measured, Params, run

from measure.stats import Result

SIZES = (512, 1024, 2048)


def int8() -> list[Result]:
    results = []
    for n in SIZES:
        *_, last = run(Params(n=n, repetitions=15))
        best = max(speed(last, "int8, torch"), float(last.peaks[1]))
        share = speed(last, "int8, exact") / best
        results.append(
            Result(f"int8, {n} × {n}, to the better of oneDNN and the peak", (share,), "×", "score", 0.9)
        )
    for name in ("int8 × vector", "int4 × vector"):
        place = last.points.index(name)
        bound = speed(last, name) / float(last.bound[place])
        results.append(Result(f"{name}, share of what memory gives", (100 * bound,), "%", "score", 100 / 1.2))
    faster = float(last.milliseconds[0] / last.milliseconds[last.points.index("int8 × vector")])
    results.append(Result("int8 × vector to float32", (faster,), "×", "score", 3.5))
    return results


def speed(last: Measured, name: str) -> float:
    """10⁹ operations/s, median."""
    return float(last.speed[last.points.index(name), 1])
