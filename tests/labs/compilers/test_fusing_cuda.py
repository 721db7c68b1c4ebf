"""The CUDA that is printed: taken by NVRTC for two generations of GPUs, and run here, a fiber for each thread."""

from __future__ import annotations

import fusing_cuda
import fusing_programs as programs
import pytest
from cuda_on_a_processor import BACKWARD, FORWARD, SHUFFLED
from extent import upto
from fusing_agreement import close
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.models.fusing.emit_cuda import emit_cuda, launches
from labs.models.fusing.evaluate import evaluate
from labs.models.fusing.fuse import fuse
from labs.models.fusing.loops import Program
from labs.models.fusing.passes import Passes, optimised
from labs.models.fusing.read import read

LONG = {
    "rows longer than a block": "softmax(x, -1), layer_norm(x).amax(-1)",
    "columns": "x.sum(0), softmax(x, 0), x.T * 2",
    "all": "(x * x).sum(), x.amax()",
}


def scalar(source: str) -> Program:
    return optimised(fuse(read(source).outputs).program, Passes(width=0, tile=8, columns=40))[0]


def runs(source: str) -> None:
    graph, program = read(source), scalar(source)
    inputs = programs.numbers(graph.inputs, 5)
    wanted, library = evaluate(graph.outputs, inputs), fusing_cuda.compiled(program)
    for order in (FORWARD, BACKWARD, SHUFFLED):
        close(program, fusing_cuda.run(program, library, inputs, order), wanted)


@pytest.mark.parametrize("name", PROGRAMS)
def test_gallery_in_cuda(name: str) -> None:
    runs(programs.small(PROGRAMS[name]))


@pytest.mark.parametrize("line", LONG.values(), ids=LONG)
def test_more_turns_than_threads(line: str) -> None:
    runs(f"def f(x: f32[37, 301]):\n    return {line}\n")


@pytest.mark.parametrize("seed", upto(2, 6))
def test_generated_programs_in_cuda(seed: int) -> None:
    runs(programs.generate(seed))


@pytest.mark.parametrize("arch", ["sm_80", "sm_90"])
def test_nvidias_compiler_takes_it(arch: str) -> None:
    for source in (*PROGRAMS.values(), "def f(x: i8[9], y: bf16[9]):\n    return (x + x) ** 2, y.to(i8), abs(x)\n"):
        fusing_cuda.accepted(scalar(source), arch)


def test_blocks_and_threads() -> None:
    """Rows have a block each, elements a thread each, and a sum of all has one block."""
    blocks = {name: [each.blocks for each in launches(scalar(PROGRAMS[name]))] for name in PROGRAMS}
    assert blocks["softmax"] == [1024]
    assert blocks["squares"] == [1048576 // 256]
    assert blocks["neuron"] == [1]
    assert any("__shared__ float l4[4096];" in each.text for each in emit_cuda(scalar(PROGRAMS["softmax"])))
