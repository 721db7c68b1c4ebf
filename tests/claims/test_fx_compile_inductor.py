"""What the chapter on FX says, asked of its recordings, of torch, and of the graphs that Inductor gets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from article import CONTENT, Article, recorded
from native.pytorch.fx_rewrite.capture import traced
from native.pytorch.fx_rewrite.check import bounded, inputs, seeded
from native.pytorch.fx_rewrite.folding import folded
from native.pytorch.fx_rewrite.programs import PROGRAMS
from native.pytorch.fx_rewrite.torchs import product, rewritten, smooth
from torch import Tensor, fx
from torch._inductor import config
from torch._inductor.graph import GraphLowering

ARTICLE = Article("pytorch/16-fx-compile-inductor.mdx")
says = ARTICLE.says


def last(name: str = "default") -> dict[str, Any]:
    return recorded("pytorch/fx_rewrite", name)[-1]


def test_the_opening() -> None:
    says("The graph has 6 nodes instead of 7", "are now off by up to", "There is no error and no warning")
    first, end = recorded("pytorch/fx_rewrite", "default")[-3], last()
    assert (len(first["nodes"]), len(end["nodes"])) == (7, 6) and end["message"] == ""
    assert end["differences"][47] == max(end["differences"]) > 0.5 * end["largest"]
    assert end["worst"] > 10_000
    says("did not ask what else uses it")
    assert [each["holds"] for each in end["guards"]] == [True, False, True]


def test_a_second_call_is_what_goes_wrong() -> None:
    """With a convolution of its own for the second call, the same pass is right."""
    module = PROGRAMS["shared_conv"](0).eval()
    graph = rewritten(traced(module), "fold")
    second = [node for node in graph.graph.nodes if node.op == "call_module"][-1]
    graph.add_submodule("other", module.conv)
    second.target = "other"
    graph.recompile()
    for number, x in enumerate(inputs(0, torch.float32)[::8]):
        exact, error = bounded(PROGRAMS["shared_conv"](0).eval().double(), x, number, [])
        assert ((seeded(graph, x, number).double() - exact).abs() < 100 * error + 1e-5).all()


def test_the_pass_of_the_article() -> None:
    says("This is a complete pass", "torch.fx.replace_pattern(graph_module, product, smooth)")
    graph = traced(PROGRAMS["block"](0).eval())
    assert len(fx.replace_pattern(graph, product, smooth)) == 1 and "silu" in graph.code


def test_what_it_saves() -> None:
    says("The saving is one read and one write of the activations")
    end = last("fold")
    small = 4 * 4 * 3  # the statistics and weights of three channels
    assert end["moved"][0] - end["moved"][1] == 2 * 4 * 216 + small


def test_what_others_do_not_ask() -> None:
    says(
        "`fuse` asks this, and in training stops with",
        "does not ask for the mode at all",
        "merges them in both cases",
    )
    with pytest.raises(AssertionError, match=r"^Fusion only for eval!$"):
        rewritten(traced(PROGRAMS["block"](0).train()), "fold")
    assert "drop" not in rewritten(traced(PROGRAMS["block"](0).train()), "dropout").code
    for program in ("noise", "in_place"):
        graph = traced(PROGRAMS[program](0).eval())
        assert len(rewritten(graph, "merge").graph.nodes) == len(graph.graph.nodes) - 1
    says("You can add `torch.rand_like` to the list. No list helps against the write in place")
    from torch.fx.passes.dialect.common.cse_pass import CSEPass, get_CSE_banned_ops

    for program, kept in (("noise", 0), ("in_place", 1)):
        graph = traced(PROGRAMS[program](0).eval())
        less = CSEPass(banned_ops=get_CSE_banned_ops() | {torch.rand_like})(graph).graph_module
        assert len(graph.graph.nodes) - len(less.graph.nodes) == kept
    says("cannot be safely applied on a FX graph in non-functional dialects")
    assert "cannot be safely applied on a FX graph in non-functional dialects" in (CSEPass.__init__.__doc__ or "")


def test_a_tolerance_is_too_wide() -> None:
    says("reject the mistake on all inputs, but on many of them the correct fold as well", "exceeds it")
    says("With a relative tolerance of a thousandth the correct fold passes everywhere, and the mistake nearly")
    module = PROGRAMS["block"](0).eval()
    graph = traced(module)
    eps, module.norm.eps = module.norm.eps, 0.0
    graph.add_submodule("conv", folded(module.conv, module.norm))
    norm = next(node for node in graph.graph.nodes if node.name == "norm")
    norm.replace_all_uses_with(norm.args[0])
    graph.graph.erase_node(norm)
    graph.recompile()
    module.norm.eps = eps
    right = rewritten(traced(PROGRAMS["block"](0).eval()), "fold")
    above, default, loose = 0, [0, 0], [0, 0]
    for number, x in enumerate(inputs(0, torch.float32)):
        one, two = seeded(module, x, number), seeded(graph, x, number)
        for n, other in enumerate((seeded(right, x, number), two)):
            default[n] += torch.allclose(one, other)
            loose[n] += torch.allclose(one, other, rtol=1e-3, atol=1e-4)
        _, error = bounded(PROGRAMS["block"](0).eval().double(), x, number, [])
        above += bool(((one - two).abs() > 3 * error).any())
    assert above > 10
    assert default[1] == 0 and default[0] < 42 and loose[0] == 48 and 40 < loose[1] < 48
    says("The correct fold takes at most")
    assert last("fold")["verdict"] == "within" and last("fold")["worst"] < 0.2


def test_sixteen_bits() -> None:
    says("$u$ is 65,536 times as large as in float32")
    assert torch.finfo(torch.bfloat16).eps / torch.finfo(torch.float32).eps == 65_536
    assert 1 < last("bfloat16")["worst"] < 20 and last("bfloat16")["verdict"] == "wrong"


def test_what_a_tracer_cannot_see() -> None:
    says("symbolically traced variables cannot be used as inputs to control flow")
    assert "symbolically traced variables cannot be used as inputs to control flow" in last("refused")["message"]
    says("arrive one after the other, and the pass finds its pattern in the second")
    events = recorded("pytorch/fx_rewrite", "two_graphs")
    found = next(each for each in events if each["stage"] == "matched")
    assert {box["graph"] for box in found["nodes"] if box["name"] in found["now"]} == {1}
    assert events[12]["stage"] == "rewritten"


class EnoughError(Exception):
    """What Inductor would lower is known."""


def lowered(monkeypatch: pytest.MonkeyPatch, program: str, freezing: bool) -> list[str]:
    """The operators of the graph that Inductor would make loops of."""
    seen: list[str] = []

    def stop(_: Any, graph: fx.GraphModule, *args: Any, **kwargs: Any) -> None:
        seen.extend(node.target.__name__ for node in graph.graph.nodes if node.op == "call_function")
        raise EnoughError

    monkeypatch.setattr(GraphLowering, "__init__", stop)
    torch._dynamo.reset()
    frozen = config.patch(freezing=freezing, fx_graph_cache=False)
    with frozen, torch.no_grad(), pytest.raises(Exception, match="Enough"):
        torch.compile(PROGRAMS[program](0).eval())(torch.ones(2, 3, 6, 6))
    torch._dynamo.reset()
    return seen


def test_freezing(monkeypatch: pytest.MonkeyPatch) -> None:
    says(
        "Unfrozen, its graph has the convolution and all the arithmetic of the batch norm",
        "one convolution is left",
    )
    unfrozen = lowered(monkeypatch, "block", False)
    frozen = lowered(monkeypatch, "block", True)
    batch_norm = {"sub.Tensor", "sqrt.default", "reciprocal.default"}
    assert batch_norm <= {*unfrozen} and not batch_norm & {*frozen}
    assert sum("convolution" in each for each in frozen) == 1 and len(frozen) < len(unfrozen) - 5
    says("keeps its batch norm even when frozen")
    shared = lowered(monkeypatch, "shared_conv", True)
    assert "sub.Tensor" in shared and sum("convolution_pointwise" in each for each in shared) == 2


def test_settings_of_inductor() -> None:
    says("The three names are settings of Inductor")
    for name in ("pre_grad_custom_pass", "joint_custom_pre_pass", "post_grad_custom_post_pass"):
        says(f"`{name}`")
        assert hasattr(config, name)


def test_a_backend_of_ones_own() -> None:
    says("A backend is a function that gets each graph as the same kind of `GraphModule`")
    seen: list[str] = []

    def backend(graph: fx.GraphModule, _: list[Tensor]) -> Any:
        fx.replace_pattern(graph, product, smooth)
        seen.append(graph.code)
        return graph.forward

    torch._dynamo.reset()
    with torch.no_grad():
        torch.compile(PROGRAMS["branch"](0).eval(), backend=backend)(torch.ones(2, 3, 6, 6))
    torch._dynamo.reset()
    assert len(seen) == 2 and "silu" in seen[1] and "silu" not in seen[0]


def test_exercises() -> None:
    says("leaves this convolution alone", "Before the pass, a call runs five operators")
    graph = traced(PROGRAMS["second_user"](0).eval())
    assert len(rewritten(graph, "fold").graph.nodes) == len(graph.graph.nodes)


def test_planned(tmp_path: Path) -> None:
    assert "FX, compile, Inductor" not in json.loads((CONTENT / "pytorch/series.json").read_text())["planned"]


def test_the_block_stage_by_stage() -> None:
    says(
        "The batch norm is operation 2",
        "through ten operators to the loop",
        "Dynamo's graph has one node for the batch norm",
    )
    events = recorded("compilers/compile_stages", "conv_norm")
    first = {each["stage"]: each["rows"] for each in events if each.get("part") == "graph 1"}
    norm = {name: [row for row in rows if list(row["operations"]) == [1]] for name, rows in first.items()}
    assert (len(norm["graph"]), len(norm["passes"])) == (1, 10)
    says("most of them on three numbers", "puts the batch norm, sigmoid and product into one loop")
    assert sum("f32[3" in row["text"] for row in norm["passes"]) == 8
    says("and two of them only copy", "with the channels last, and copies input and weights into it")
    loops: list[list[str]] = []
    for row in first["fused"]:
        if row["text"].startswith("op"):
            loops.append([])
        loops[-1].append(row["text"].strip())
    assert [len(each) - 1 for each in loops[:3]] == [2, 2, 0] and "convolution" in loops[2][0] and len(loops) == 4
    assert "buf0[p0 + 3*p1] = load" in loops[0], "the channel moves fastest"
    assert {"sigmoid", "rsqrt", "sqrt"} & {line.split(" = ")[0] for line in loops[3]}
    worth = next(each for each in events if each["kind"] == "worth")
    assert worth["kernels"] == 3


def test_what_the_rewrite_is_worth() -> None:
    says("a block with 16 channels and 65,536 numbers, on one thread", "which means that it is slower")
    took, gain = ({name: worth(name)[of][:, 1] for name in SIZES} for of in ("took", "gain"))
    names = [each["name"] for each in worth("default")["ways"]]
    assert names == ["eager", "folded", "silu", "compiled", "frozen"] and worth("default")["numbers"] == 65_536
    assert took["default"][1] < took["default"][0] and took["default"][2] < took["default"][0]
    assert gain["small"][3] < 1 < gain["large"][3]
    says("`torch.compile` needs … seconds to generate its code", "a loop that does four things at once pays")
    assert worth("default")["ways"][3]["name"] == "compiled" and worth("default")["ways"][3]["seconds"] > 1


SIZES = ("default", "small", "large")


def worth(name: str) -> dict[str, Any]:
    return recorded("pytorch/ways_timed", name)[-1]
