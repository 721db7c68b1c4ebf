"""The order of the pictures: the steps are joined, the machine is measured, then each point."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from labs.contract import LabError, Sentence
from labs.models.timing import refuse_impossible

from native.models.timing import Timing, timed
from native.models.torch_threads import threads
from native.pytorch.fusion_worth import clock, tell
from native.pytorch.fusion_worth.in_numpy import in_numpy
from native.pytorch.fusion_worth.joined import Joined
from native.pytorch.fusion_worth.pictures import WAYS
from native.pytorch.fusion_worth.programs import Setting

if TYPE_CHECKING:
    from native.pytorch.fusion_worth import Params, Worth

DRAWN = {"4 K": 1 << 12, "64 K": 1 << 16, "1 M": 1 << 20, "4 M": 1 << 22}
SIZES = tuple(1 << power for power in range(10, 23, 2))
MOST = 1 << 20  # numbers in each matrix of a product
USES = (2, 3, 4, 6, 8, 12, 16)


class Story:
    def __init__(self, params: Params) -> None:
        self.params = params
        numbers = DRAWN[params.size]
        if params.program == "product":
            numbers = min(numbers, MOST)
        self.drawn = Setting(params.program, params.length, numbers, params.uses)
        if params.program == "window":
            self.settings = [replace(self.drawn, uses=each) for each in sorted({*USES, params.uses})]
            x = [each.uses for each in self.settings]
        else:
            sizes = [each for each in SIZES if params.program != "product" or each <= MOST]
            self.settings = [replace(self.drawn, numbers=each) for each in sizes]
            x = sizes
        count = len(self.settings)
        unknown = np.full((3, count), np.nan, np.float32)
        self.apart = Joined(self.drawn)
        self.fields: dict[str, Any] = {
            "kernels_apart": len(self.apart.groups),
            "moved_apart": self.apart.bytes,
            "work_apart": sum(self.apart.work.values()),
            "numbers": self.drawn.numbers,
            "uses": params.uses,
            "over": "uses" if params.program == "window" else "numbers",
            "x": np.array(x, np.float32),
            "at": self.settings.index(self.drawn),
            "now": -1,
            "predicted": unknown,
            "took": np.full((len(WAYS), count, 3), np.nan, np.float32),
            "bandwidth": unknown[0],
            "share": unknown[:, 0],
            "speed": 0.0,
            "call": 0.0,
            "step": 0.0,
            "gain": unknown[:2],
            "crossing": np.zeros(2, np.float32),
            "peak": np.full(2, np.nan, np.float32),
            "compile_seconds": 0.0,
            "missing": "",
            "threads": params.threads,
        }

    def tell(self) -> Iterator[dict[str, Any]]:
        yield self.joined(0, "apart")
        for count in range(2, len(self.drawn.steps) + 1):
            yield self.joined(count, "joined")
        with threads(self.params.threads):
            yield from self.measured()

    def joined(self, count: int, stage: str) -> dict[str, Any]:
        found = Joined(self.drawn, count)
        self.fields |= {
            "steps": found.steps,
            "kernels": len(found.groups),
            "moved": found.bytes,
            "work": sum(found.work.values()),
        }
        return self.picture(stage, count - 1)

    def measured(self) -> Iterator[dict[str, Any]]:
        params, fields = self.params, self.fields
        repetitions = params.repetitions
        machine = clock.machine(self.drawn, params.threads, repetitions)
        bandwidths: dict[int, clock.Bandwidth] = {}
        for each in self.settings:
            if each.numbers not in bandwidths:
                bandwidths[each.numbers] = clock.bandwidth(each, params.threads, repetitions)
        known = [bandwidths[each.numbers] for each in self.settings]
        predicted = np.array(
            [self.predicted(machine, *each) for each in zip(self.settings, known, strict=True)], np.float32
        ).T
        fields |= {
            "speed": machine.speed / 1e9,
            "call": machine.call,
            "step": machine.step,
            "bandwidth": np.array([each.adding for each in known], np.float32),
            "predicted": predicted,
            "gain": np.stack([predicted[1] / predicted[2], np.full(len(known), np.nan, np.float32)]),
        }
        if fields["over"] == "uses":
            fields["crossing"] = np.array([crossing(fields["x"], predicted[1:]), 0], np.float32)
        yield self.picture("machine")
        for at, each in enumerate(self.settings):
            took = clock.measured(each, params.threads, repetitions)
            self.note(range(3), at, took)
            gain = fields["gain"].copy()
            gain[1, at] = took[1].median / took[2].median
            fields |= {"gain": gain, "now": at}
            if at == fields["at"]:
                most = max(max(each) for each in bandwidths.values())
                moved = [Joined(each, nodes=True).bytes, fields["moved_apart"], fields["moved"]]
                rates = np.array([b / t.median / 1e9 for b, t in zip(moved, took, strict=True)], np.float32)
                refuse_impossible("One kernel", float(rates[2]) / most, "machine")
                # What only reads is compared with reading.
                only = not any(kernel.writes for kernel in Joined(each, len(each.steps)).kernels)
                fields["share"] = rates / np.array([*[known[at].adding] * 2, known[at][only]], np.float32)
            yield self.picture("measured")
        fields["now"] = -1
        if params.inductor:
            yield self.inductor()
        if params.one_line:
            found = in_numpy(self.drawn)
            self.note((WAYS.index("numpy"), WAYS.index("one_line")), fields["at"], found.took)
            fields["peak"] = np.array(found.peak, np.float32)
            yield self.picture("numpy")
        if fields["over"] == "uses":
            both = [fields["crossing"][0], crossing(fields["x"], fields["took"][1:3, :, 1])]
            fields["crossing"] = np.array(both, np.float32)
        yield self.picture("worth")

    def predicted(
        self, machine: clock.Machine, setting: Setting, bandwidth: clock.Bandwidth
    ) -> tuple[float, float, float]:
        eager, apart, fused = Joined(setting, nodes=True), Joined(setting), Joined(setting, len(setting.steps))
        return (
            machine.predicted(eager.kernels, bandwidth, machine.step * len(eager.groups)),
            machine.predicted(apart.kernels, bandwidth, machine.call),
            machine.predicted(fused.kernels, bandwidth, machine.call),
        )

    def note(self, ways: Any, at: int, took: list[Timing]) -> None:
        known = self.fields["took"].copy()
        for way, each in zip(ways, took, strict=True):
            known[way, at] = each.low, each.median, each.high
        self.fields["took"] = known

    def inductor(self) -> dict[str, Any]:
        from native.models.compiler import inductor

        given = clock.tensors(self.drawn)
        with tempfile.TemporaryDirectory() as folder, torch.no_grad():
            try:
                function = clock.written(self.drawn.python, clock.SPACE)
                made, seconds, _ = inductor.compile(function, given, Path(folder), self.params.threads)
            except LabError as error:
                self.fields["missing"] = str(error).rstrip(".")
            else:
                took = timed(clock.calling(made, given), self.params.repetitions, 3 * clock.PATIENCE)
                self.note((WAYS.index("inductor"),), self.fields["at"], [took])
                self.fields["compile_seconds"] = seconds
        return self.picture("inductor")

    def picture(self, stage: str, place: int = 0) -> dict[str, Any]:
        event = cast("Worth", SimpleNamespace(stage=stage, **self.fields))
        return self.fields | {"stage": stage, "text": told(event, place)}


def told(event: Worth, place: int) -> Sentence:
    if event.stage == "joined":
        return tell.joined(event, place)
    return {
        "apart": tell.apart,
        "machine": tell.machine,
        "measured": tell.point,
        "inductor": tell.inductor,
        "numpy": tell.numpy,
        "worth": tell.worth,
    }[event.stage](event)


def crossing(x: Any, pair: Any) -> float:
    """Where the second becomes slower than the first for good, between two points by logarithms; 0 if nowhere."""
    apart = np.log(np.asarray(pair[1], float)) - np.log(np.asarray(pair[0], float))
    if apart[-1] <= 0:
        return 0.0
    faster = np.flatnonzero(apart <= 0)
    if not len(faster):
        return float(x[0])
    left = int(faster[-1])
    part = -apart[left] / (apart[left + 1] - apart[left])
    return float(np.exp(np.log(x[left]) + part * (np.log(x[left + 1]) - np.log(x[left]))))
