"""Loops, accesses, blocks and changes as they are read off the text of a module, against what is known of it."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from native.compilers.mlir_lowering import ptx
from native.compilers.mlir_lowering.bounds import Linear, linear, maps
from native.compilers.mlir_lowering.changes import changes
from native.compilers.mlir_lowering.count import Counts, counted
from native.compilers.mlir_lowering.jumps import blocks
from native.compilers.mlir_lowering.nest import nest

TILED = """#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + {tile}, {n})>
module {{
  func.func @main(%arg0: memref<{n}x{n}xf32>, %arg3: memref<{n}x{n}xf32>) {{
    affine.for %arg4 = 0 to {n} step {tile} {{
      affine.for %arg5 = 0 to {n} step {tile} {{
        affine.for %arg6 = #map(%arg4) to min #map1(%arg4) {{
          affine.for %arg7 = #map(%arg5) to min #map1(%arg5) {{
            %0 = affine.load %arg0[%arg6, %arg7 + 1] : memref<{n}x{n}xf32>
            %1 = arith.addf %0, %0 : f32
            affine.store %1, %arg3[%arg6, %arg7] : memref<{n}x{n}xf32>
          }}
        }}
      }}
    }}
    return
  }}
}}
"""
LOWERED = """module {{
  func.func @main(%arg0: memref<{n}xf32>) {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c{n} = arith.constant {n} : index
    %c{tile} = arith.constant {tile} : index
    scf.for %arg4 = %c0 to %c{n} step %c{tile} {{
      %1 = arith.addi %arg4, %c{tile} : index
      %2 = arith.minsi %1, %c{n} : index
      scf.for %arg5 = %arg4 to %2 step %c1 {{
        %3 = memref.load %arg0[%arg5] : memref<{n}xf32>
      }}
    }}
    return
  }}
}}
"""


@given(st.integers(1, 60), st.integers(2, 17))
def test_tiles_cover_every_element_once(n: int, tile: int) -> None:
    found = counted(nest(TILED.format(n=n, tile=tile)))
    pairs = [
        (i, j)
        for a, b in product(range(0, n, tile), repeat=2)
        for i in range(a, min(a + tile, n))
        for j in range(b, min(b + tile, n))
    ]
    assert found == Counts(len(pairs), len(pairs), len(pairs)) == Counts(n * n, n * n, n * n)


@given(st.integers(3, 60), st.integers(2, 17))
def test_bounds_that_are_calculated_are_followed(n: int, tile: int) -> None:
    if tile not in (0, 1, n):  # each constant has one name
        assert counted(nest(LOWERED.format(n=n, tile=tile))) == Counts(reads=n)


def test_a_loop_says_how_often_it_runs_and_what_it_touches() -> None:
    (outer,) = nest(TILED.format(n=50, tile=8))
    assert (outer.name, outer.line, outer.extent, outer.step) == ("%arg4", 4, 7, 8)
    inner = outer.inside[0].inside[0].inside[0]
    assert inner.extent == 8
    assert [str(each) for each in inner.reads] == ["arg0[arg6, arg7 + 1]"]
    assert [str(each) for each in inner.writes] == ["arg3[arg6, arg7]"]


def test_vectors_count_by_their_lanes_and_what_all_lanes_share_counts_once() -> None:
    text = """module {
  affine.for %arg4 = 0 to 64 step 8 {
    %0 = vector.transfer_read %arg0[%arg5, %arg4], %9 : memref<4x64xf32>, vector<8xf32>
    %1 = vector.transfer_read %arg0[%arg5, %arg6], %9 {permutation_map = #map2} : memref<4x64xf32>, vector<8xf32>
    %2 = arith.mulf %0, %1 : vector<8xf32>
    vector.transfer_write %2, %arg1[%arg4] : vector<8xf32>, memref<64xf32>
  }
}
"""
    assert counted(nest(text)) == Counts(8 * 9, 64, 64)


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), ("d0 + 32", 35), ("d0 * 2 + d1 - 3", 8), ("-d0 + 4", 1), ("d1 - d0", 2), ("-2", -2)],
)
def test_expressions_have_the_value_that_python_gives_them(text: str, value: int) -> None:
    found = linear(text, {"d0": Linear(0, {"x": 1}), "d1": Linear(0, {"y": 1})})
    assert found is not None and found.at({"x": 3, "y": 5}) == value


@pytest.mark.parametrize("text", ["d0 floordiv 2", "d9", "d0 mod 4 + 1"])
def test_what_is_not_a_sum_is_not_guessed_at(text: str) -> None:
    assert linear(text, {"d0": Linear(0, {"x": 1})}) is None


def test_maps_are_found_by_name() -> None:
    found = maps("#map = affine_map<(d0) -> (d0 + 8, 60)>\n#map1 = affine_map<(d0, d1) -> (d1)>\nmodule {")
    assert found["#map"].results == ["d0 + 8", "60"] and found["#map1"].dims == ["d0", "d1"]


@pytest.mark.parametrize(
    "text",
    [
        "llvm.func @main() {\n  llvm.br ^bb1(%5 : i64)\n^bb1(%9: i64):  // 2 preds: ^bb0, ^bb2\n"
        "  llvm.cond_br %10, ^bb2, ^bb3\n^bb2:  // pred: ^bb1\n  llvm.br ^bb1(%3 : i64)\n^bb3:\n  llvm.return\n",
        "define void @main() {\n  br label %1\n\n1:   ; preds = %2, %0\n  br i1 %c, label %2, label %3\n\n"
        "2:\n  br label %1\n\n3:\n  ret void\n}",
    ],
)
def test_a_loop_has_become_a_jump_back(text: str) -> None:
    found = blocks(text)
    assert [bool(each.back) for each in found] == [False, False, True, False]
    assert found[1].to == [found[2].name, found[3].name] and found[2].to == [found[1].name]


LINES = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12)


@given(LINES, LINES)
def test_changes_hold_both_texts(old: list[str], new: list[str]) -> None:
    found = changes("\n".join(old), "\n".join(new))
    assert [each.text for each in found.lines if each.change != "new"] == old
    assert [each.text for each in found.lines if each.change != "gone"] == new
    assert all(found.lines[place].text == new[number] for number, place in found.places.items())
    assert len(found.places) == len(new)
    assert (found.new == found.gone == 0) == (old == new)


def test_instructions_are_counted_by_what_they_do() -> None:
    text = (
        ".visible .entry k(\n\t.param .u64 p\n)\n{\n\t.reg .b32 \t%r<6>;\n\tld.param.b64 \t%rd1, [p];\n"
        "\tld.global.b32 \t%r1, [%rd1];\n\tadd.rn.f32 \t%r2, %r1, %r1;\n\tfma.rn.f32 \t%r3, %r1, %r1, %r2;\n"
        "\tsetp.lt.s64 \t%p1, %rd1, %rd2;\n\t@%p1 bra \t$L__BB0_2;\n\tst.global.b32 \t[%rd1], %r3;\n\tret;\n}\n"
    )
    assert dict(ptx.mix(text)) == {
        "global memory": 2,
        "floats": 2,
        "jumps and calls": 2,
        "indices and addresses": 2,
    }
