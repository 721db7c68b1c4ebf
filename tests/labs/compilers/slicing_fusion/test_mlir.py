"""Slices, buffers and the work that fusion adds: against MLIR's own affine-loop-fusion on the same loops."""

from __future__ import annotations

import re

import pytest
from labs.compilers.slicing_fusion.grammar import read
from labs.compilers.slicing_fusion.judge import Judge, Limits
from labs.compilers.slicing_fusion.known import Known
from labs.compilers.slicing_fusion.regions import regions
from labs.compilers.slicing_fusion.slices import Way
from labs.compilers.slicing_fusion.spaces import build
from torch_mlir import ir
from torch_mlir.passmanager import PassManager


def written(n: int, reads: list[str], longest: int) -> str:
    """``for i: A[i] = X[i] + X[i]``, then ``for i: B[i] = `` the sum of A at these places."""
    loads = "\n".join(
        f"    %{k} = affine.load %A[{index}] : memref<{longest}xf32>" for k, index in enumerate(reads)
    )
    adds = [f"%s{k} = arith.addf %{'0' if k == 1 else f's{k - 1}'}, %{k} : f32" for k in range(1, len(reads))]
    last = f"%s{len(reads) - 1}" if len(reads) > 1 else "%0"
    return f"""
func.func @f(%X: memref<{longest}xf32>, %B: memref<{n}xf32>, %n: index) {{
  %A = memref.alloc() : memref<{longest}xf32>
  affine.for %i = 0 to {longest} {{
    %0 = affine.load %X[%i] : memref<{longest}xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %A[%i] : memref<{longest}xf32>
  }}
  affine.for %i = 0 to {n} {{
{loads}
    {" ".join(f"{each}{chr(10)}   " for each in adds)} affine.store {last}, %B[%i] : memref<{n}xf32>
  }}
  return
}}"""


def passed(text: str, options: str) -> str:
    with ir.Context():
        module = ir.Module.parse(text)
        passes = f"builtin.module(func.func(affine-loop-fusion{{{options}}}))"
        PassManager.parse(passes).run(module.operation)
        return str(module)


def buffer(text: str) -> int:
    """How long the array between is after the pass."""
    found = re.findall(r"memref\.alloc\(\) : memref<(\d+)xf32>", text)
    assert len(found) == 1
    return int(found[0])


@pytest.mark.parametrize(
    "reads",
    [["%i"], ["%i", "%i + 1"], ["%i", "%i + 1", "%i + 2"], ["%i", "%i + 3"], ["2 * %i", "2 * %i + 1"], ["%i + 5"]],
)
def test_the_buffer_of_an_iteration(reads: list[str]) -> None:
    n = 24
    longest = max(eval(each.replace("%i", str(n - 1))) for each in reads) + 1
    fused = passed(written(n, reads, longest), "maximal")
    ours = " + ".join(f"A[{each.replace('%', '')}]" for each in reads)
    world = build(read(f"for i in 0..{longest}: A[i] = X[i] + X[i]\nfor i in 0..{n}: B[i] = {ours}"))
    judge = Judge(Known(world, 8), Way((1,)), Limits())
    (verdict,) = judge.decide(force=True).verdicts
    assert verdict.buffer == buffer(fused)
    ((low, high),) = regions(world, Way((1,)), {0})["A"]
    assert high.rest - low.rest + 1 == verdict.buffer


@pytest.mark.parametrize(
    ("index", "fuses"),
    [("2 * %i", True), ("%i + 3", True), ("%i mod 4", True), ("%i floordiv 2", True), ("%i * symbol(%n)", False)],
)
def test_which_indices_it_reckons_with(index: str, fuses: bool) -> None:
    text = passed(written(16, [index], 64), "maximal")
    assert (buffer(text) == 1) == fuses
    ours = index.replace("%", "").replace(" mod ", " % ").replace("floordiv", "//").replace("symbol(n)", "n")
    program = f"symbol n = 3\nfor i in 0..64: A[i] = X[i] + X[i]\nfor i in 0..16: B[i] = A[{ours}]"
    judge = Judge(Known(build(read(program)), 8), Way((1,)), Limits())
    assert judge.decide().verdicts[0].decided == fuses


def test_a_product_of_loop_variables_cannot_even_be_written() -> None:
    with pytest.raises(ir.MLIRError):
        passed(written(4, ["%i * %i"], 64), "maximal")


FIRST = """
func.func @f(%X: memref<26xf32>, %B: memref<24xf32>) {
  %A = memref.alloc() : memref<25xf32>
  affine.for %i = 0 to 25 {
    %0 = affine.load %X[%i] : memref<26xf32>
    %1 = affine.load %X[%i + 1] : memref<26xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %A[%i] : memref<25xf32>
  }
  affine.for %i = 0 to 24 {
    %0 = affine.load %A[%i] : memref<25xf32>
    %1 = affine.load %A[%i + 1] : memref<25xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %B[%i] : memref<24xf32>
  }
  return
}"""


def test_it_refuses_the_first_figure_for_the_same_work() -> None:
    """Both bodies have as many operations, so its count of them and ours of additions are in proportion."""
    program = "for i in 0..25: A[i] = X[i] + X[i+1]\nfor i in 0..24: B[i] = A[i] + A[i+1]"
    judge = Judge(Known(build(read(program)), 8), Way((1,)), Limits())
    (verdict,) = judge.decide(force=True).verdicts
    assert verdict.extra == pytest.approx(72 / 49 - 1)
    assert buffer(passed(FIRST, "")) == 25, "its limit is 30 % as long as nobody says otherwise"
    assert buffer(passed(FIRST, f"compute-tolerance={verdict.extra - 1e-4}")) == 25
    assert buffer(passed(FIRST, f"compute-tolerance={verdict.extra + 1e-4}")) == verdict.buffer == 2
    fused = passed(FIRST, "maximal")
    assert "affine_map<(d0) -> (d0 + 2)>" in fused and "%alloc[-%arg2 + %arg3]" in fused
