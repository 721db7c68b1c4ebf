"""The C that is printed computes what the graph says, and writes to nothing that is not its own."""

from __future__ import annotations

import fusing_c
import fusing_programs as programs
import numpy as np
from extent import draws
from fusing_agreement import close
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.models.fusing.emit_c import emit_c
from labs.models.fusing.evaluate import evaluate
from labs.models.fusing.fuse import fuse
from labs.models.fusing.graph import walk
from labs.models.fusing.lower import lower
from labs.models.fusing.passes import Passes, optimised
from labs.models.fusing.read import read

ODD = Passes(tile=2, width=16, unroll=2, columns=3)


def test_gallery_in_c() -> None:
    compare(*map(programs.small, PROGRAMS.values()))


def test_generated_programs_in_c() -> None:
    compare(*map(programs.generate, range(draws(20))))


def compare(*sources: str) -> None:
    """Every program as it is written and fused, with odd sizes of tiles; the compiler starts once for all."""
    graphs = [read(source) for source in sources]
    ways = [
        way for graph in graphs for way in (lower(graph.outputs), optimised(fuse(graph.outputs).program, ODD)[0])
    ]
    kernels = iter(zip(ways, fusing_c.compiled(ways), strict=True))
    for source, graph in zip(sources, graphs, strict=True):
        inputs = programs.numbers(graph.inputs, 3)
        wanted = evaluate(graph.outputs, inputs)
        for program, compiled in (next(kernels), next(kernels)):
            try:
                close(program, fusing_c.run(program, compiled, inputs), wanted)
            except AssertionError as wrong:
                raise AssertionError(f"{source}\n{wrong}") from wrong


def test_names_that_c_has_taken() -> None:
    compare("def f(double: f32[3], row: f32[3, 3], exp: f32[3]):\n    return (row @ row) * double + exp.exp()\n")


def test_other_types() -> None:
    compare(
        "def f(x: i32[5], y: i8[5]):\n    return x * y, (y + y), x / y, x ** 9, maximum(x, 3), abs(x)\n",
        "def f(x: i32[5], y: i8[5]):\n    return x // y, y // 3, y ** 9, clamp(y, -5, 9)\n",
        "def f(x: f64[5], y: bf16[5]):\n    return x.sigmoid() + y, maximum(x, y), (x * 90).to(i8), y.to(bool)\n",
    )


def test_whole_numbers_wrap_around_and_are_summed_up_long() -> None:
    compare(
        "def f(x: i8[5, 9], y: i32[5, 9]):\n    return x * x, x.sum(), (y * 900000000).sum(0), x.to(i64) ** 9\n",
        "def f(x: i64[5, 9]):\n    return x.amax(), x.amin(0), x * 5000000000, (x * 40000000).to(i32)\n",
        "def f(x: f32[5, 9]):\n    return (x * 90).to(i64), sin(x) + cos(x), x.T.sum(), cat([x, x.exp()], 1)\n",
    )


def test_what_is_no_number_is_the_greatest_and_the_least() -> None:
    """Also in lanes and in parts of them, which OpenMP's own max and min would lose."""
    text = "def f(x: f32[9, 70]):\n    return x.amax(), x.amin(), x.amax(0), x.amin(-1), softmax(x, -1)\n"
    graph = read(text)
    passes = Passes(tile=2, width=16, unroll=2, columns=64)
    program = optimised(fuse(graph.outputs).program, passes)[0]
    (kernels,) = fusing_c.compiled([program])
    for row, column in ((0, 0), (4, 33), (8, 69), (2, 5)):
        x = np.random.default_rng(row).standard_normal((9, 70)).astype(np.float32)
        x[row, column] = np.nan
        for ours, theirs in zip(
            fusing_c.run(program, kernels, {"x": x}), evaluate(graph.outputs, {"x": x}), strict=True
        ):
            np.testing.assert_allclose(ours, theirs, rtol=1e-5)


def test_lines_know_their_nodes() -> None:
    graph = read(PROGRAMS["softmax"])
    numbers = {place: node.op for place, node in enumerate(walk(graph.outputs))}
    lines = emit_c(fuse(graph.outputs).program)
    (line,) = (each for each in lines if "expf(" in each.text)
    assert numbers[line.node] == "exp"
    assert {numbers[each.node] for each in lines if each.node >= 0} >= {"amax", "sub", "exp", "sum", "div"}
