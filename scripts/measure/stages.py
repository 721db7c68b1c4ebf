"""How long a reader waits for PyTorch's compiler: until its first stage is seen, and until the last one is."""

from __future__ import annotations

from typing import get_args, get_type_hints

from native.compilers.compile_stages import Params

from measure.engine import log
from measure.serving import Server
from measure.stats import Result

LAB = "compilers/compile_stages"
PROGRAMS: tuple[str, ...] = get_args(get_type_hints(Params)["program"])
FIRST_BAR_S, LAST_BAR_S = 1.5, 20.0


def stages(server: Server) -> list[Result]:
    """The rows are not those of a recording, nor of a run before, so that every run is a compilation."""
    take(server, PROGRAMS[0], 500)  # the first starts what later ones find warm
    first, last = zip(*(take(server, name, 502) for name in PROGRAMS), strict=True)
    slowest = PROGRAMS[last.index(max(last))]
    return [
        Result("compile_stages, POST to first stage, every program", first, "s", bar=FIRST_BAR_S),
        Result(f"compile_stages, POST to the end, slowest: {slowest}", last, "s", bar=LAST_BAR_S),
    ]


def take(server: Server, program: str, rows: int) -> tuple[float, float]:
    """Seconds of a run to its first stage and to its end."""
    events = log(server, LAB, {"program": program, "rows": rows})
    seen = [took / 1000 for kind, took in events if kind == "stage"]
    if events[-2][0] != "calls":
        raise RuntimeError(f"compile_stages with {program} ended with {events[-2:]}")
    return seen[0], events[-1][1] / 1000
