"""Loops against the graph that they were made from."""

from __future__ import annotations

from collections.abc import Sequence

import fusing_programs as programs
import numpy as np
from labs.models.fusing.evaluate import Array, evaluate
from labs.models.fusing.interpret import interpret
from labs.models.fusing.loops import Program
from labs.models.fusing.read import Graph


def agrees(graph: Graph, program: Program, seed: int = 0) -> None:
    inputs = programs.numbers(graph.inputs, seed)
    close(program, interpret(program, inputs), evaluate(graph.outputs, inputs))


def close(program: Program, found: Sequence[Array], wanted: Sequence[Array]) -> None:
    loose = any(each.dtype == "bf16" for each in program.buffers)
    for mine, theirs in zip(found, wanted, strict=True):
        assert mine.shape == theirs.shape
        np.testing.assert_allclose(mine, theirs, rtol=2e-2 if loose else 1e-4, atol=2e-2 if loose else 2e-4)
