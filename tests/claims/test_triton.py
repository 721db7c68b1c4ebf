"""What the chapter on Triton says, asked of its lab and of Triton."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sympy
import torch
from article import CONTENT, Article, recorded
from jinja2 import Template
from native.pytorch.triton_stages.layouts import held, owners
from native.pytorch.triton_stages.source import Order, source
from native.pytorch.triton_stages.trace import Line, Trace
from native.pytorch.triton_stages.worker import compiled

ARTICLE = Article("pytorch/17-triton.mdx")
says = ARTICLE.says
LAB = "pytorch/triton_stages"


@cache
def lines(order: Order, last: str = "ptx") -> dict[str, list[Line]]:
    trace, found = Trace(source(order.kernel)), {}
    for each in compiled(order):
        found[each["stage"]] = trace.lines(each["stage"], each["text"])
        if each["stage"] == last:
            break
    return found


def last(name: str, kind: str) -> dict[str, Any]:
    return [each for each in recorded(LAB, name) if each["kind"] == kind][-1]


def counted(name: str, stage: str) -> dict[str, int]:
    found = next(each for each in recorded(LAB, name) if each["stage"] == stage)
    return {each["name"]: each["count"] for each in found["counts"]}


def layouts(name: str) -> list[dict[str, Any]]:
    return [each for each in recorded(LAB, name) if each["kind"] == "layout"]


def has(found: list[Line], name: str) -> int:
    return sum(name in each.text for each in found)


def test_the_opening() -> None:
    says(
        "Someone calls it for matrices of 4,100 × 4,100 instead of 4,096 × 4,096, and gets another program",
        "Its loads fetch 2 bytes instead of 16",
        "The copies that ran ahead of the arithmetic are gone",
        "one of a GPU's many cores, has room for … blocks instead of …",
    )
    assert 4096 % 16 == 0 and 4100 % 16
    assert "LDGSTS" in counted("default", "sass") and "LDGSTS" not in counted("any_n", "sass")
    copies = [each for each in lines(Order("matmul", 64, 4, 3, 80))["ptx"] if "cp.async.cg" in each.text]
    assert copies and all(", 0x10, " in each.text for each in copies)
    assert counted("any_n", "sass")["LDG.E.U16"] == 32
    assert last("any_n", "fits")["blocks"] < last("default", "fits")["blocks"]


def test_an_integer_is_specialized_for_16() -> None:
    says("For an integer that is a multiple of 16 it compiles a kernel that relies on this")
    says("4,100 is no such multiple, and gets another kernel")
    from triton._C.libtriton import native_specialize_impl
    from triton.backends.nvidia.compiler import CUDABackend

    def of(n: int) -> Any:
        return native_specialize_impl(CUDABackend, n, False, True, True)

    assert of(4096) == of(16) == of(48) and of(4100) == of(4097) == of(7)
    assert of(4096) != of(4100)


def test_inductor_says_what_is_a_multiple_of_16() -> None:
    says(
        "it lists the arguments that are multiples of 16 in all shapes that may come, and gives the list to Triton"
    )
    from torch._inductor.codegen import triton_utils
    from torch._inductor.codegen.common import SizeArg
    from torch._inductor.sizevars import SizeVarAllocator
    from torch._inductor.virtualized import V

    rows = sympy.Symbol("rows", integer=True, positive=True)
    sizes = [SizeArg("n", each) for each in (sympy.Integer(4096), sympy.Integer(4100), 16 * rows, rows)]
    with V.set_graph_handler(SimpleNamespace(sizevars=SizeVarAllocator())):
        found = triton_utils.config_of(sizes)
    assert found == {(place,): [["tt.divisibility", 16]] for place in (0, 2)}
    (line,) = re.findall(r"v2\.13\.0/torch/_inductor/codegen/triton_utils\.py#L(\d+)", ARTICLE.text)
    assert Path(triton_utils.__file__).read_text("utf-8").splitlines()[int(line) - 1] == "def config_of("


def test_inductor_masks_k_where_it_must() -> None:
    says("has masks along k unless k is known to be a multiple of the block")
    (path,) = re.findall(r"v2\.13\.0/torch/(\S+\.jinja)", ARTICLE.text)
    template = Template((Path(torch.__file__).parent / path).read_text("utf-8"))
    hooks = ("def_kernel", "size", "stride", "load_input", "store_output")
    given = {name: lambda *_, **of: f"mask={of.get('mask')}" for name in hooks}
    for even in (True, False):
        kernel = template.render(EVEN_K=even, USE_FAST_ACCUM=True, **given)
        assert "tl.dot(a, b, acc" in kernel
        assert ("a_mask = offs_k" in kernel) == ("mask=a_mask" in kernel) == (not even)


def test_stages() -> None:
    says("There is one `tt.load` for each `tl.load`")
    text = "\n".join(source("matmul").lines)
    assert counted("default", "ttir")["tt.load"] == text.count("tl.load(") == 2
    says("with as many registers as you like")
    says("… of them are the `HMMA` that `tl.dot` has become")
    assert counted("default", "sass")["HMMA"] == 16
    assert counted("default", "ttir")["tt.dot"] == 1


def test_who_holds_what() -> None:
    says("a thread holds 8 neighbours of 2 bytes each", "Four lanes cover a row of 32, and a warp has 8 rows")
    loads, _, sums, stores = layouts("default")
    assert "sizePerThread = [1, 8], threadsPerWarp = [8, 4]" in loads["attribute"] and loads["shape"] == [64, 32]
    assert loads["name"].startswith("#blocked") and loads["run"] == 8
    says(
        "Its instruction takes 16 × 8 sums from a warp",
        "two neighbours from each lane, and two more from eight rows",
    )
    who = owners(sums["attribute"], tuple(sums["shape"]))
    lane = who.lane.reshape(64, 64)[:16, :8]
    assert [[int(at) for at in place] for place in zip(*((lane == 1).nonzero()), strict=True)] == [
        [0, 2], [0, 3], [8, 2], [8, 3],
    ]  # fmt: skip
    says("through shared memory", "in SASS it is stores, a barrier and loads")
    assert stores["attribute"] != sums["attribute"]
    assert counted("default", "ttgir")["ttg.convert_layout"] == 1
    assert {"STS", "BAR.SYNC", "LDS"} <= counted("default", "sass").keys()


@pytest.mark.parametrize(("block", "copies"), [(16, 8), (64, 2)])
def test_copies(block: int, copies: int) -> None:
    says("each element lies in eight of them", "Eight threads then load the same number")
    says("All threads load. Where a result is stored, one thread of each pair does it")
    order = Order("add", block, 4, 3, 80)
    found = held(lines(order)["ttgir"])[0]
    assert owners(found.attribute, found.shape).copies == copies
    ptx = lines(order)["ptx"]
    (load, _), (store,) = (
        [each.text.split()[0] for each in ptx if name in each.text] for name in ("ld.global", "st.global")
    )
    assert load.startswith("@") and store != load  # the store asks one thing more


def test_the_block_size() -> None:
    says("`LDG.E.128` is 128 bits wide", "4 bytes is all that it can load at once")
    assert counted("add", "sass")["LDG.E.128"] == 4 and counted("add_128", "sass")["LDG.E"] == 2
    says("each byte takes four times as many load instructions")
    assert 4 / (2 * last("add", "layout")["each"]) * 4 == 2 / (2 * last("add_128", "layout")["each"])
    says("An asynchronous copy moves at least 4 bytes", "without them no pipeline")
    assert "ttg.async_copy_global_to_local" not in counted("any_n", "ttgir")
    assert lines(Order("matmul", 64, 4, 3, 80, False), "ttgir")["ttgir"]
    buffers = re.compile(r"memdesc<2x64x32xf16")
    assert not any(
        buffers.search(each.text) for each in lines(Order("matmul", 64, 4, 3, 80, False), "ttgir")["ttgir"]
    )


def test_stages_cost_shared_memory() -> None:
    says(
        "With one, a round loads, waits and multiplies",
        "Each round that is still being copied needs a buffer of its own",
    )
    assert "LDGSTS" not in counted("one_stage", "sass") and "LDGSTS" in counted("default", "sass")
    assert last("default", "fits")["shared"] == 2 * 8192 and last("five_stages", "fits")["shared"] == 4 * 8192
    says("On `sm_80` five stages need four buffers, each for two blocks of 4 KiB")
    says(
        "That is 32 KiB, and with the kibibyte of CUDA four fit into 164 KiB", "With three stages the registers are"
    )
    assert last("default", "fits")["tightest"] == "registers"
    assert last("five_stages", "fits")["blocks"] == 164 // 33 == 4


def test_the_formula() -> None:
    assert r"\left\lfloor \frac{16384}{256 \lceil r / 8 \rceil} \right\rfloor" in ARTICLE.text
    for name in ("default", "any_n", "hopper", "five_stages", "add"):
        fits = last(name, "fits")
        w, r, s, has = 4, fits["taken"], fits["shared"], 1024 * (228 if name == "hopper" else 164)
        blocks = min(64 // w, 4 * (16384 // (256 * -(-r // 8))) // w, has // (s + 1024), 32)
        assert blocks == fits["blocks"], name


def test_three_gpus() -> None:
    says("… of them make a round for each warp", "four warps together issue `wgmma`", "… are enough")
    assert counted("default", "ptx")["mma.sync"] == (32 // 16) * (32 // 8) * (32 // 16)  # for the quarter of a warp
    assert counted("hopper", "ptx")["wgmma.mma_async"] == counted("hopper", "sass")["HGMMA"] == 2
    says("the sums do not even lie in registers", "it is the tightest thing in the table")
    assert last("blackwell", "fits")["tightest"] == "tensor memory"
    says("a block of 64 rows and one warp gets `mma.sync` on all three")
    for arch in (80, 90, 100):
        assert has(lines(Order("matmul", 64, 1, 3, arch))["ptx"], "mma.sync.aligned.m16n8k16"), arch
    says("On `sm_90` one of the two `HGMMA` claims to come from the line above `tl.dot`")
    text = source("matmul")
    found = [each["line"] for each in next(e for e in recorded(LAB, "hopper") if e["stage"] == "sass")["rows"]
             if "HGMMA" in each["text"]]  # fmt: skip
    assert sorted(found) == [text.focus - 1, text.focus]


def test_links_lead_to_the_steps_they_mean() -> None:
    stages = [(each["stage"], each.get("role")) for each in recorded(LAB)]
    wanted = {"TTGIR": ("ttgir", None), "layout of the loads": ("layout", "loads"), "The sums": ("layout", "sums"),
              "picture": ("fits", None)}  # fmt: skip
    links = re.findall(r'<Step figure="triton_stages" n=\{(\d+)\}>(.*?)</Step>', ARTICLE.text)
    assert {name: stages[int(step) - 1] for step, name in links} == wanted
    assert "Triton" not in json.loads((CONTENT / "pytorch/series.json").read_text())["planned"]
