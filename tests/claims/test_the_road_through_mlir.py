"""What the article on PolyBlocks says of the road through MLIR, asked of its recorded runs."""

from __future__ import annotations

import re
from typing import Any

from article import Article, recorded
from llvmlite import binding as llvm
from native.compilers.mlir_lowering import Params, worker
from native.models.compiler import machine

ARTICLE = Article("compilers/03-polyblocks-lowering-through-mlir.mdx")
says = ARTICLE.says


def lowered(recording: str = "default") -> tuple[list[dict[str, Any]], dict[str, float]]:
    """The pictures of the road, and GFLOP/s at the median of each step."""
    events = recorded("compilers/mlir_lowering", recording)
    ways = events[-1]["ways"]
    assert {way["verdict"] for way in ways} == {"right"}
    return events, {way["name"]: way["speed"][1] for way in ways}


def test_the_road_down() -> None:
    says("At the top it runs at … GFLOP/s, and at the bottom at …", "ours has five parts", "A column of 14 numbers")
    events, speeds = lowered()
    stages = [event["name"] for event in events]
    assert stages[3:9] == ["formulas fused", "packed", "tiles", "vectors", "registers", "buffers"]
    shown = ["formulas fused", "tiles", "registers", "buffers", "scf", "cf", "llvm"]
    assert [stages[n - 1] for n in (4, 6, 8, 9, 11, 12, 13)] == shown
    assert sum(bool(event["schedule"]) for event in events) == 5
    assert speeds["llvm"] > 10 * speeds["linalg"]
    says("It is not fast yet", "With the tile in registers it is …")
    assert speeds["vectors"] > 2 * speeds["tiles"] and speeds["registers"] > 1.2 * speeds["vectors"]
    says("The tensors have sizes and are drawn dashed", "Values have become buffers")
    assert not any(each["kept"] for each in events[3]["buffers"])
    assert [each["role"] for each in events[8]["buffers"] if each["kept"]] == [
        *["given"] * 3,
        "result",
        *["in between"] * 3,
    ]


def test_the_tile_in_registers() -> None:
    says("about 19 for a tile of 14 × 32, and 1 for a single number. A tile of 28 × 32 would do 30")
    for rows, columns, ratio in ((14, 32, 19), (1, 1, 1), (28, 32, 30)):
        assert round(2 * rows * columns / (rows + columns)) == ratio
    events, speeds = lowered()
    (tile,) = events[7]["tiles"]
    assert (tile["rows"], tile["columns"], tile["kept"], tile["behind"]) == (14, 32, True, True)
    spilled, slower = lowered("spilled")
    (large,) = spilled[7]["tiles"]
    assert large["rows"] * large["columns"] / large["lanes"] > 32, "more than AVX-512 has"
    assert slower["registers"] < speeds["registers"]


def test_llvm_does_one_step_at_a_time_and_has_the_registers_for_it() -> None:
    says(
        "For AMD's Zen 3, which has AVX2, LLVM would do two, to save jumps.",
        "a tile of 6 × 16, which takes 12 registers, needs 5 more for two rows of B and a number of A. AVX2 has 16",
    )
    assert (6 * 2, 2 * 2 + 1) == (12, 5) and 12 + 5 > 16
    machine.ready()
    params = Params(n=64, registers="6 × 16")
    *_, made = worker.Worker(worker.Order(params.program, 64, params.choice))
    free = re.sub(r", !llvm\.loop !\d+", "", made.text)
    assert free != made.text
    for text, products, spilled in ((made.text, 12, False), (free, 24, True)):
        hot = max(for_zen(text), key=lambda block: block.count("vfmadd"))
        assert hot.count("vfmadd") == products and ("(%rsp)" in hot) == spilled


def for_zen(text: str) -> list[str]:
    """The blocks of its assembly."""
    zen = llvm.Target.from_triple("x86_64-unknown-linux-gnu").create_target_machine("znver3", "", 3)
    module = llvm.parse_assembly(text)
    builder = llvm.create_pass_builder(zen, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    return re.split(r"^(?=\.LBB\S+:)", zen.emit_assembly(module), flags=re.MULTILINE)


def test_where_the_road_arrives() -> None:
    says("So a schedule in five parts makes one line of PyTorch about as fast as C written for one processor")
    for recording in ("default", "n512", "n1024"):
        rivals = {each["name"]: each["times"] for each in lowered(recording)[0][-1]["rivals"]}
        assert rivals["our packed kernel"][1] > 0.75 and rivals["PyTorch"][1] > 1, recording


def test_what_each_part_of_the_schedule_is_worth() -> None:
    says(
        "more than with packing",
        "less than with packing",
        "Here they do not pay",
        "with k cut into blocks of 256 steps",
    )

    def times(recording: str) -> float:
        rivals = {each["name"]: each["times"][1] for each in lowered(recording)[0][-1]["rivals"]}
        return rivals["our packed kernel"]

    assert times("unpacked") > times("default")
    assert times("n1024") > 1.1 * max(times("unpacked_1024"), times("k_1024"))
    blocks = lowered("k_1024")[0][7]["tiles"][0]
    assert (blocks["depth"], blocks["times"], blocks["behind"]) == (256, 4, False)


def test_the_loops_that_threads_share() -> None:
    says(
        "one over strips of A, one over strips of B, one over columns of tiles", "the three loops that two threads"
    )
    events, speeds = lowered("threads_1024")
    (omp,) = (event for event in events if event["name"] == "omp")
    assert events[11] is omp and [row["depth"] for row in omp["loops"] if row["kind"] == "parallel"] == [0, 0, 0]
    assert speeds["llvm"] > 1.3 * lowered("n1024")[1]["llvm"], "two threads against one"
    assert lowered("threads")[1]["llvm"] > 1.3 * lowered()[1]["llvm"]


def test_the_innermost_loop() -> None:
    says("Its head is handed the tile as vectors, one for each row", "each vector takes two registers")
    (loop,) = lowered()[0][12]["hot"]
    assert (loop["rows"], loop["columns"], loop["columns"] // loop["lanes"]) == (14, 32, 2)


def test_the_road_by_loops() -> None:
    says("MLIR's passes for these loops know nothing of registers", "at the step that fuses them")
    events, speeds = lowered("loops")
    assert events[7]["name"] == "loops fused" and speeds["llvm"] < lowered()[1]["llvm"] / 2
    says("The loops were faster than PyTorch even before they were fused")
    events, speeds = lowered("chain")
    assert [way["name"] for way in events[-1]["ways"]][:6:4] == ["PyTorch", "loops"] and events[6][
        "name"
    ] == "loops fused"
    assert speeds["loops fused"] > 1.3 * speeds["loops"] and speeds["loops"] > 1.5 * speeds["PyTorch"]


def test_the_dialects_are_those_of_the_figure() -> None:
    """Lines that the article quotes stand in the recorded stages, and what it says of them holds there."""
    by_name = {event["name"]: event for event in recorded("compilers/mlir_lowering")}
    by_name |= {f"loops: {event['name']}": event for event in recorded("compilers/mlir_lowering", "loops")}
    text = {
        name: "\n".join(line["text"] for line in event["lines"] if line["change"] != "gone")
        for name, event in by_name.items()
    }
    says("A matrix product is one operation", "The bias and the ReLU are `linalg.generic`")
    assert text["linalg"].count("linalg.matmul") == 1 and text["linalg"].count("linalg.generic") == 2
    assert "for" not in text["linalg"].split()
    says(
        "The first copies both matrices into strips", "pulls the product, and the formula after it, into the loops"
    )
    schedule = {name: "\n".join(event["schedule"]) for name, event in by_name.items()}
    for quoted in (
        "= transform.structured.tile_using_for %unpack tile_sizes [14, 32]",
        "= transform.structured.fuse_into_containing_op %behind into %out_loops#1",
        "= transform.structured.fuse_into_containing_op %product into %behind_tile_into",
    ):
        assert quoted in schedule["tiles"] and quoted in ARTICLE.text
    assert text["packed"].count("linalg.pack ") == 3 and "hoist_loop_invariant_subsets" in schedule["registers"]
    says("a step over k, the index that is summed over, is one operation on them, `vector.contract`")
    assert text["registers"].count("vector.contract") == 1
    says("The copies of both matrices and of the bias need buffers of their own", "it lives in registers")
    assert text["buffers"].count("memref.alloc()") == 3 and "-> (vector<14x32xf32>)" in text["buffers"]
    for quoted in ("affine.for %arg6 = 0 to 256 {", "%0 = affine.load %arg0[%arg4, %arg6] : memref<256x256xf32>"):
        assert quoted in text["loops: loops"] and quoted in ARTICLE.text
    assert "scf.for" in text["scf"] and "cf.br" in text["cf"]
    assert "llvm.getelementptr" in text["loops: llvm"]
