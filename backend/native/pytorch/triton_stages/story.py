"""The stages as they are made, one picture each."""

from __future__ import annotations

import importlib.util
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from typing import IO, Any

import numpy as np
from labs.contract import LabError

from native.models.child import started
from native.models.occupancy import WARPS, limits
from native.pytorch.triton_stages import tell, values
from native.pytorch.triton_stages.counts import counts, rows
from native.pytorch.triton_stages.layouts import Held, held, owners
from native.pytorch.triton_stages.pictures import Fits, Layout, Stage, Values
from native.pytorch.triton_stages.source import Order, source
from native.pytorch.triton_stages.trace import Line, Trace
from native.pytorch.triton_stages.worker import compiled

ROWS, COLUMNS = 16, 32
"""Of a block, what is drawn"""


class Story:
    def __init__(self, order: Order) -> None:
        self.order, self.source = order, source(order.kernel)
        self.trace = Trace(self.source)

    def tell(self) -> Iterator[Stage | Layout | Fits | Values]:
        plain = [Line(text, at) for at, text in enumerate(self.source.lines, 1)]
        yield self.stage("source", plain)
        if importlib.util.find_spec("triton") is None:
            raise LabError("Triton is not installed here, and exists for Linux alone: choose a recorded run.")
        with (
            tempfile.TemporaryFile() as complaints,
            started(values.__name__, json.dumps(asdict(self.order)), errors=complaints) as (_, ran),
        ):
            for each in compiled(self.order):
                lines = self.trace.lines(each["stage"], each["text"])
                yield self.stage(each["stage"], lines)
                if each["stage"] == "ttgir":
                    yield from map(self.layout, held(lines))
                if each["stage"] == "sass":
                    yield self.fits(each)
            if not (said := ran.readline()):
                raise stopped(complaints)
            yield self.values(json.loads(said))

    def stage(self, name: Any, lines: list[Line]) -> Stage:
        focus = self.source.focus
        if name == "source":
            text, found, shown = tell.source(self.order, focus), [], []
        else:
            found, shown = counts(name, lines), rows(name, lines, focus)
            text = tell.stage(name, len(lines), sum(each.line == focus for each in lines), focus, found)
        return Stage(
            text=text,
            stage=name,
            source=self.source.lines,
            focus=focus,
            rows=shown,
            lines=len(lines),
            traced=sum(each.line > 0 for each in lines),
            counts=found,
        )

    def layout(self, found: Held) -> Layout:
        who = owners(found.attribute, found.shape)
        if len(found.shape) == 1:
            columns, part = min(COLUMNS, found.shape[0]), np.s_[: ROWS * COLUMNS]
            pick = [each[part] for each in (who.warp, who.lane, who.register)]
        else:
            columns = min(COLUMNS, found.shape[1])
            pick = [
                each.reshape(found.shape)[:ROWS, :columns].ravel() for each in (who.warp, who.lane, who.register)
            ]
        return Layout(
            text=tell.layout(found.role, found.shape, who.each, who.copies, who.run),
            source=self.source.lines,
            focus=found.line,
            role=found.role,
            name=found.name,
            attribute=found.attribute,
            shape=list(found.shape),
            columns=columns,
            warps=pick[0].astype(np.uint8),
            lanes=pick[1].astype(np.uint8),
            registers=pick[2].astype(np.uint8),
            each=who.each,
            copies=who.copies,
            run=who.run,
        )

    def fits(self, made: dict[str, Any]) -> Fits:
        warps, spilled = made["warps"], made["STACK"] + made["LOCAL"]
        found = limits(self.order.arch, warps, made["REG"], made["shared"], made["columns"])
        tightest = min(found, key=lambda each: each.blocks)
        return Fits(
            text=tell.fits(tightest.blocks, tightest.blocks * warps, WARPS, tightest, spilled),
            source=self.source.lines,
            focus=self.source.focus,
            taken=made["REG"],
            spilled=spilled,
            shared=made["shared"],
            limits=found,
            tightest=tightest.name,
            blocks=tightest.blocks,
            running=tightest.blocks * warps,
            most=WARPS,
        )

    def values(self, ran: dict[str, Any]) -> Values:
        return Values(
            text=tell.values(ran["off"], ran["largest"], ran["programs"], ran["elements"]),
            source=self.source.lines,
            focus=self.source.focus,
            **(ran | {name: np.array(ran[name], np.float32) for name in ("got", "exact")}),
        )


def stopped(complaints: IO[bytes]) -> LabError:
    complaints.seek(0)
    said = complaints.read().decode(errors="replace").strip().rpartition("\n")[2]
    return LabError(f"Triton's interpreter stopped: {said or 'it took too long'}; choose another block size.")
