"""Inside an LSTM: a trained cell reads a sequence, gate by gate.

Three small cells were trained beforehand: one says how many parentheses are open, one repeats letters, one
forecasts next month's passengers. The text decides which of them reads. Each step computes six equations, and each
of them is a picture: what is kept, what is let in, what is proposed, the new memory, what is shown, and what is
seen. Hold a gate closed or open, or leave the last hidden state out, and see what the cell loses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from labs.contract import Axes, Event, Float32, Label, Text, Uint8
from labs.learning.lstm_gates import cells, tasks, tell
from labs.models.air_passengers import passengers
from labs.models.recurrent import Floats, Step, lstm

Stage = Literal["forget", "input", "candidate", "cell", "output", "hidden", "answer"]
STAGES: tuple[Stage, ...] = ("forget", "input", "candidate", "cell", "output", "hidden")
HELD = {"closed": 0.0, "open": 1.0}
Held = Literal["trained", "closed", "open"]
EXAMPLES = {
    "parentheses": "(()(()))",
    "letters": "cab...",
    "passengers": " ".join(f"{month:.0f}" for month in passengers()[108:132]),
}


@dataclass(frozen=True)
class Params:
    sequence: Annotated[
        str,
        Text(200, examples=EXAMPLES),
        Label("Sequence", help="Parentheses; letters a to c, then dots; or passengers in each month.", main=True),
    ] = EXAMPLES["parentheses"]
    forget: Annotated[
        Held, Label("Forget gates", help="Closed, they forget everything; open, they keep everything.", main=True)
    ] = "trained"
    input: Annotated[Held, Label("Input gates")] = "trained"
    output: Annotated[Held, Label("Output gates")] = "trained"
    drop_h: Annotated[
        bool,
        Label("Leave h out of the gates", group="Mistakes", help="As in equations whose gates read x alone."),
    ] = False


@dataclass(frozen=True, kw_only=True)
class Picture(Event):
    """One equation of one step. The strips hold the whole run; ``at`` and ``stage`` say how far it has come."""

    kind: Literal["picture"] = "picture"
    stage: Stage
    at: int
    """The step, counted from 0"""
    task: tasks.Name
    symbols: list[str]
    """What is read at each step"""
    forget: Uint8
    """[steps, units] 0 to 1 as 0 to 254"""
    input: Uint8
    """[steps, units] likewise"""
    candidate: Uint8
    """[steps, units] −1 to 1 as 127 ± 127"""
    cell: Uint8
    """[steps, units] −peak to peak as 127 ± 127"""
    output: Uint8
    """[steps, units] 0 to 1 as 0 to 254"""
    hidden: Uint8
    """[steps, units] −1 to 1 as 127 ± 127"""
    peak: float
    """The largest cell state of the run, in magnitude; 1 at least"""
    values: Annotated[Float32, Axes(value=STAGES, unit=None)]
    """[6, units] this step's, as the equations give them"""
    before: Float32
    """[units] the cell state that this step found"""
    answers: Float32
    """[steps] how many are open, the place of the letter, or thousands of passengers next month; else NaN"""
    targets: Float32
    """[steps] what is right, likewise"""
    said: list[str]
    """The answers in words; empty where none is asked for"""
    wanted: list[str]
    busiest: int
    """The unit whose memory moves most from step to step"""
    off: float
    """Mean distance of answers from what is right, or the share of letters that are wrong"""


def run(params: Params) -> Iterator[Picture]:
    task, text = tasks.read(params.sequence)
    cell = cells.shipped()[task.name]
    asked = {"forget": params.forget, "input": params.input, "output": params.output}
    held = {gate: HELD[how] for gate, how in asked.items() if how != "trained"}
    walk = follow(cell, task.encode(text), held, params.drop_h)
    outputs = np.array([cell.out @ step.hidden + cell.out_bias for step in walk])
    told = tasks.answer(task.name, text, outputs)
    symbols = task.symbols(text)
    states = {name: np.array([getattr(step, name) for step in walk]) for name in STAGES}
    peak = max(1.0, float(np.abs(states["cell"]).max()))
    busiest = int(np.abs(np.diff(states["cell"], axis=0)).sum(axis=0).argmax())
    for at, (symbol, step) in enumerate(zip(symbols, walk, strict=True)):
        stages: tuple[Stage, ...] = (*STAGES, "answer")
        for stage in stages:
            yield Picture(
                text=tell.answer(at, told.said[at], told.wanted[at])
                if stage == "answer"
                else tell.equation(stage, at, symbol, step, held),
                stage=stage,
                at=at,
                task=task.name,
                symbols=symbols,
                forget=share(states["forget"]),
                input=share(states["input"]),
                candidate=signed(states["candidate"]),
                cell=signed(states["cell"] / peak),
                output=share(states["output"]),
                hidden=signed(states["hidden"]),
                peak=peak,
                values=np.array([states[name][at] for name in STAGES], dtype=np.float32),
                before=step.before.astype(np.float32),
                answers=told.answers.astype(np.float32),
                targets=told.targets.astype(np.float32),
                said=told.said,
                wanted=told.wanted,
                busiest=busiest,
                off=told.off,
            )


def follow(cell: cells.Cell, xs: Floats, held: dict[str, float], drop_h: bool) -> list[Step]:
    """The steps of a cell over inputs ``[steps, inputs]``."""
    nothing = np.zeros(cell.weights.hidden)
    h, c, walk = nothing, nothing, list[Step]()
    for x in xs:
        step = lstm(cell.weights, x, nothing if drop_h else h, c, held)
        h, c = step.hidden, step.cell
        walk.append(step)
    return walk


def share(values: Floats) -> Uint8:
    return np.round(254 * values).astype(np.uint8)


def signed(values: Floats) -> Uint8:
    return np.round(127 + 127 * values).astype(np.uint8)
