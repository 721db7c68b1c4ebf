"""Writes the three files of a new lab: what computes, what draws, what checks. They work as they are.

The lab that they make bisects its way to a square root: a whole small example, to be overwritten piece by piece.
"""

from __future__ import annotations

import builtins
import keyword
import re
from pathlib import Path
from string import Template

from labs.discover import find

ROOT = Path(__file__).resolve().parents[3]
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
TAKEN = {"contract", "discover", "models"}  # modules that stand beside the series


def new(id: str, native: bool = False, root: Path = ROOT) -> list[Path]:
    """The files written, relative to ``root``. Raises ``ValueError`` saying what is wrong with the name."""
    check(id, root)
    series, _, lab = id.rpartition("/")
    package = "native" if native else "labs"
    source = Path("backend" if native else "wasm", package)
    words = {
        "series": series,
        "lab": lab,
        "id": id,
        "title": lab.replace("_", " ").capitalize(),
        "package": package,
    }
    files = {
        source / series / f"{lab}.py": LAB,
        Path("frontend", "src", "figures", series, f"{lab}.svelte"): FIGURE,
        Path("tests", "labs", series, f"test_{lab}.py"): TEST,
    }
    if there := [str(path) for path in files if (root / path).exists()]:
        raise ValueError(
            f"{', '.join(there)} {'is' if len(there) == 1 else 'are'} there already; nothing was written"
        )
    (root / source / series).mkdir(parents=True, exist_ok=True)
    (root / source / series / "__init__.py").touch()
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(Template(text).substitute(words).lstrip(), encoding="utf-8")
    return list(files)


def check(id: str, root: Path) -> None:
    series, slash, lab = id.partition("/")
    if not slash or not all(NAME.fullmatch(part) for part in (series, lab)):
        raise ValueError(f"a lab is called series/name, in small letters, digits and single _, not {id!r}")
    for part in (series, lab):
        if keyword.iskeyword(part) or part in TAKEN or (part == lab and hasattr(builtins, part)):
            raise ValueError(f"{part!r} means something to Python already; take another name")
    if id in find():
        raise ValueError(f"there is a lab {id} already")
    known = sorted(path.parent.name for path in (root / "content").glob("*/series.json"))
    if series not in known:
        raise ValueError(f"there is no series {series}; there are {', '.join(known)}")


LAB = '''
"""$title: halving an interval until it holds the square root of two closely enough.

Say here what the reader will see, what is computed and how, and where it comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

from labs.contract import Event, Interval, Label, say


@dataclass(frozen=True)
class Params:
    square: Annotated[float, Interval(ge=1, le=9), Label("Square", help="Its root is looked for.")] = 2.0
    steps: Annotated[int, Interval(ge=1, le=20), Label("Steps", help="Each halves the interval.")] = 8


@dataclass(frozen=True, kw_only=True)
class Halved(Event):
    """One interval that holds the root, and its middle."""

    kind: Literal["halved"] = "halved"
    low: float
    middle: float
    high: float


def run(params: Params) -> Iterator[Halved]:
    low, high = 0.0, params.square
    for _ in range(params.steps):
        middle = (low + high) / 2
        text = say("The root of {:g} lies between {:.4g} and {:.4g}.", params.square, low, high)
        yield Halved(text=text, low=low, middle=middle, high=high)
        low, high = (middle, high) if middle**2 <= params.square else (low, middle)
'''

FIGURE = """
<!-- Draws $id: the interval that is left, and its middle. -->
<script lang="ts">
  import type { Event, Params } from "../../generated/$id/types";
  import Plot from "../../kit/Plot.svelte";
  import { linear, say } from "../../kit/scale";
  import type { DrawingProps } from "../../lab/drawing";

  const { event, params }: DrawingProps<Event, Params> = $$props();

  const x = $$derived(linear(0, params.square));
  const y = linear(0, 1);
</script>

<Plot {x} {y} height={8} yTicks={0} xLabel="the root is somewhere in here">
  {#snippet marks()}
    <rect x={x.at(event.low)} width={x.at(event.high) - x.at(event.low)} y="35" height="30" />
    <path d="M{x.at(event.middle)} 25V75" vector-effect="non-scaling-stroke" />
  {/snippet}
  {#snippet words()}
    <span style:left="{x.at(event.middle)}%">{say(event.middle, 5)}</span>
  {/snippet}
</Plot>

<style>
  rect {
    fill: var(--weight);
    opacity: 0.5;
  }
  path {
    stroke: var(--code);
    stroke-width: 3;
  }
  span {
    position: absolute;
    top: 0;
    color: var(--code-ink);
    transform: translateX(-50%);
  }
</style>
"""

TEST = '''
"""Against the standard library's square root."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st
from $package.$series.$lab import Params, run


@given(st.floats(1, 9), st.integers(1, 20))
def test_every_interval_holds_the_root(square: float, steps: int) -> None:
    events = list(run(Params(square=square, steps=steps)))
    assert len(events) == steps
    for event in events:
        assert event.low <= math.sqrt(square) <= event.high
    assert math.isclose(events[-1].high - events[-1].low, square / 2 ** (steps - 1))
'''
