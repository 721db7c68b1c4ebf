"""Measure what the README promises and print it beside its bar; exits with 1 if a bar is missed.

Run it on a quiet machine: `make bench`, or `make bench` for a part of it with the parts named after the command:
`.venv/bin/python scripts/bench.py slider paint engine start`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from measure import engine
from measure.bits import bits
from measure.browser import chromium
from measure.chapters import chapters
from measure.classroom import classroom
from measure.compiled import compiled
from measure.descent import descent
from measure.dev import dev
from measure.device import device
from measure.digits import digits
from measure.drag import drag
from measure.first import first
from measure.flames import flames
from measure.front import front
from measure.fusing import fusing
from measure.inference import inference
from measure.int8 import int8
from measure.lighthouse import lighthouse
from measure.matmul import matmul
from measure.paint import paint
from measure.race import race
from measure.servers import servers
from measure.serving import Server, serving
from measure.slider import slider
from measure.stages import stages
from measure.stats import Result
from measure.touch import touch
from measure.training import training
from measure.untouched import untouched
from rich.console import Console
from rich.table import Table
from underhood.machine.environment import restart_without_tuning
from underhood.machine.hardware import cores
from underhood.machine.provenance import machine

Start = Callable[[], Server]


def main() -> int:
    restart_without_tuning()
    parts: dict[str, Callable[[Start], list[Result]]] = {
        "slider": _in_browser(slider),
        "drag": _in_browser(drag),
        "paint": _in_browser(paint),
        "touch": _in_browser(touch),
        "first": _in_browser(first),
        "untouched": _in_browser(untouched),
        "descent": _in_browser(descent),
        "lighthouse": lambda server: lighthouse(server().url),
        "engine": lambda server: engine.latency(server()) + engine.executions(server()),
        "start": lambda _: engine.second_start(),
        "class": lambda _: classroom(),
        "dev": lambda _: dev(),
        "bits": lambda server: bits(server()),
        "compiled": lambda _: compiled(),
        "matmul": lambda _: matmul(),
        "fusing": lambda _: fusing(),
        "int8": lambda _: int8(),
        "front": _in_browser(front),
        "stages": lambda server: stages(server()),
        "flames": _in_browser(flames),
        "chapters": lambda server: chapters(server()),
        "device": _in_browser(device),
        "training": _in_browser(training),
        "digits": _in_browser(digits),
        "race": _in_browser(race),
        "servers": lambda _: servers(),
        "inference": lambda _: inference(),
    }
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(parts)}; everything if left out")
    wanted = parser.parse_args().parts or list(parts)
    if unknown := set(wanted) - set(parts):
        parser.error(f"there is no part {', '.join(unknown)}")
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        # Only for who asks for it: while a server starts, nothing else can be measured beside it.
        server = cache(lambda: stack.enter_context(serving(Path(folder))))
        for part in wanted:
            results += parts[part](server)
    Console(width=None if sys.stdout.isatty() else 120).print(table(results))
    return 0 if all(result.passed for result in results) else 1


def _in_browser(measure: Callable[..., list[Result]]) -> Callable[[Start], list[Result]]:
    def run(server: Start) -> list[Result]:
        with chromium() as browser:
            return measure(browser, server().url)

    return run


def table(results: list[Result]) -> Table:
    load = f"load {os.getloadavg()[0]:.1f}"
    shown = Table(title=f"{machine()}, {cores()} cores to use, {load}", title_justify="left")
    shown.add_column("What")
    for column in ("n", "median", "p95", "bar"):
        shown.add_column(column, justify="right")
    shown.add_column("")
    for result in results:
        sign = "≥" if result.more_is_better else "≤"
        bar = "" if result.bar is None else f"{result.held} {sign} {say(result.bar)} {result.unit}"
        verdict = "" if result.bar is None else "ok" if result.passed else "[bold red]missed[/]"
        n = str(len(result.values))
        shown.add_row(
            result.name, n, *(f"{say(x)} {result.unit}" for x in (result.median, result.p95)), bar, verdict
        )
    return shown


def say(value: float) -> str:
    """Three digits, so that a layout shift of 0.0004 is still a number."""
    return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"


if __name__ == "__main__":
    sys.exit(main())
