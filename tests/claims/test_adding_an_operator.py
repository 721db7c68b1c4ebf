"""What the chapter on adding an operator says, asked of its lab, of its tasks, and of torch."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
import torch
from article import CONTENT, Article, recorded
from native.models import softcap_kernel
from native.pytorch.add_an_operator import checks, inputs, torchs
from native.pytorch.add_an_operator.operator import Choices, Operator
from native.pytorch.add_an_operator.parts import REFERENCES, RULES

ARTICLE = Article("pytorch/20-adding-an-operator.mdx")
says = ARTICLE.says
LAB = "pytorch/add_an_operator"


def at(stage: str, name: str = "default") -> list[dict[str, Any]]:
    return [each for each in recorded(LAB, name) if each["stage"] == stage]


@pytest.fixture
def softcap() -> Any:
    """Any number of operators, with one part of each exchanged."""
    made: list[Operator] = []

    def make(**choices: str) -> Operator:
        made.append(Operator(Choices(**choices)))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_the_opening() -> None:
    says("`opcheck` passes. `gradcheck` passes", "with three numbers, and gets `tensor([nan, nan, nan])`")
    tried = at("test")[-1]
    assert [(each["name"], each["state"]) for each in tried["tries"]] == [
        ("gradcheck", "works"),
        ("opcheck", "works"),
    ]
    assert at("docs")[0]["tries"][-1]["cells"][0]["got"] == "tensor([nan, nan, nan])"
    says("The two checks together catch …", "at the seventh station catch …", "planted eight mistakes")
    assert (tried["caught"], at("test", "ours")[-1]["caught"], len(tried["mutants"])) == (1, 8, 8)
    says("`opcheck` was given 16 numbers", "catch the wrong formula, and nothing else")
    assert [each["name"] for each in tried["mutants"] if each["caught"]] == ["times cap"]


def test_the_operator() -> None:
    says(
        "A small $x$ comes out almost as it was, and no result is beyond $c$",
        "In eager mode it takes three operators",
    )
    assert not hasattr(torch, "softcap") and not hasattr(torch.nn.functional, "softcap")
    assert inputs.softcap(0.003) == pytest.approx(0.003, rel=1e-8)
    says("A hard limit has a slope of zero beyond it")


def test_the_schema(softcap: Any) -> None:
    says("'_OpNamespace' 'ours' object has no attribute 'softcap'", "everything works until somebody passes 2.5")
    _, said = torchs.heard(lambda: softcap(schema="missing").call)
    assert "'_OpNamespace' 'ours' object has no attribute 'softcap'" in said
    whole = softcap(schema="int cap")
    failed = {name for name, test in checks.SUITES["ours"].items() if torchs.heard(test, whole)[1]}
    assert failed == {"cap=2.5", "doctest"}


def test_the_textbook_formula() -> None:
    says("0.003 becomes 0.0030002, and 30,000 becomes NaN")
    x = torch.tensor([0.003, 30000.0])
    got = REFERENCES["overflows"](x, 30.0).tolist()
    assert f"{got[0]:.5g}" == "0.0030002" and math.isnan(got[1])
    says("gives 60 for x = 30,000 in eager mode and NaN when compiled")
    assert (RULES["overflows"](x, 30.0) * 2).isnan()[1] and 2 * inputs.softcap(30000.0) == 60


def test_meta(softcap: Any) -> None:
    says("both fail, while eager works as before", "wrong for a transposed or a channels-last `x`")
    wrong = softcap(meta="contiguous")
    for x, same in ((inputs.numbers(16), True), (inputs.numbers(16).view(2, 8), True)):
        assert (torchs.heard(torchs.opcheck, wrong.call, x)[1] == "") is same
    says("Given a transposed tensor, it also finds the strides of Meta, and given 19 numbers, the missing tail")
    assert torchs.heard(torchs.opcheck, wrong.call, inputs.numbers(16).view(8, 2).mT)[1]
    last = torch.ones(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)
    assert torch.empty_like(last).stride() == (60, 1, 15, 3)
    short, flat = softcap(kernel="no tail"), softcap(kernel="no strides")
    assert torchs.heard(torchs.opcheck, short.call, inputs.numbers(19))[1]
    says("It has no chance against *no strides*")
    assert not any(torchs.heard(torchs.opcheck, flat.call, inputs.numbers(n))[1] for n in (16, 19))


def test_gradcheck_passes_without_a_formula(softcap: Any) -> None:
    says("no gradient reaches `x`, and PyTorch only warns", "`gradcheck` passes")
    without = softcap(backward="missing")
    assert torchs.heard(torchs.gradcheck, without.call)[1] == ""
    x = inputs.numbers(8).requires_grad_()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        without.call(x).sum().backward()
    assert x.grad is None and "autograd kernel was not registered" in str(heard[0].message)


def test_the_slope_far_out() -> None:
    says("is off by a factor of 30")
    says("gives almost twice the true slope, and from x = 271 on it gives 0", "at x = 270")
    for value, low, high in ((270.0, 1.9, 2.0), (271.0, 0.0, 0.0)):
        x = torch.tensor(value, requires_grad=True)
        (30 * torch.tanh(x / 30)).backward()
        assert x.grad is not None
        assert low <= float(x.grad) / inputs.slope(value) <= high
    x = torch.arange(271.0, 400.0, 0.25, requires_grad=True)
    (30 * torch.tanh(x / 30)).sum().backward()
    assert x.grad is not None and not x.grad.any()
    assert inputs.slope(400) > 0


def test_the_kernel() -> None:
    says("it gets 15 of 16 results wrong", "A row of 19 is two steps, and three numbers are left over")
    x = inputs.numbers(32)[::2]
    got = softcap_kernel.call("no strides", x, 30.0).tolist()
    expected = [inputs.softcap(each) for each in x.tolist()]
    assert sum(not inputs.alike(a, b, 2e-6) for a, b in zip(got, expected, strict=True)) == 15
    says("turned -0 into 0", "which already is -0 where `m` is 0")
    m = np.float32(0)
    assert np.signbit(-m / (m + 2)) and not np.signbit(m / (m + 2))


def test_the_compiler(softcap: Any) -> None:
    says("is one node", "`div`, `tanh`, `mul`", "Data-dependent branching")
    x = inputs.both_signs()
    for choice, nodes in (("missing", ["softcap"]), ("right", ["div", "tanh", "mul"])):
        each = softcap(compile=choice)
        assert torchs.compiled(lambda x, each=each: each(x), each.rules, x)[1] == nodes
    each = softcap(compile="branches")
    assert "Data-dependent branching" in torchs.heard(torchs.compiled, lambda x: each(x), {}, x)[1]
    says("Without `fullgraph` it says nothing, and cuts the program at that line")
    seen: list[Any] = []
    torch.compile(lambda x: each(x) * 2, backend=lambda graph, _: seen.append(graph) or graph.forward)(x)
    assert len(seen) > 1
    torch._dynamo.reset()


def test_how_the_parts_are_put_together(softcap: Any) -> None:
    """The lines of the article, run."""
    text = (CONTENT / "pytorch/20-adding-an-operator.mdx").read_text("utf-8")
    lines = text[text.index("library = torch") : text.index("y = torch.ops")].replace('"ours"', '"claims20b"')
    parts = {
        "torch": torch,
        "kernel": lambda x, cap: softcap_kernel.call("right", x, cap),
        "meta": lambda x, cap=30.0: torch.empty_like(x),
        "keep": lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]),
        "backward": lambda ctx, gradient: (gradient * (1 - torch.tanh(ctx.saved_tensors[0] / 30) ** 2), None),
    }
    lines = lines.replace("kernel,", "lambda x, cap=30.0: kernel(x, cap),").replace("ours::", "claims20b::")
    exec(lines, parts)
    x = torch.linspace(-60, 60, 19, requires_grad=True)
    y = torch.ops.claims20b.softcap(x)
    torch.testing.assert_close(y, 30 * torch.tanh(x / 30))
    y.sum().backward()
    torch.testing.assert_close(x.grad, 1 - torch.tanh(x.detach() / 30) ** 2)
    same = torch.compile(torch.ops.claims20b.softcap, backend="aot_eager", fullgraph=True)(x)
    assert torch.equal(same, y)
    torch._dynamo.reset()
    parts["library"]._destroy()
    vars(torch.ops).pop("claims20b")


def test_a_test_of_sixteen_plain_numbers_catches_nothing() -> None:
    says("None. 16 has no tail")
    for station, name in checks.MUTANTS:
        mutant = checks.mutant(station, name)
        assert torchs.heard(checks.plain, mutant)[1] == ""
        mutant.close()


def test_the_default_of_a_python_kernel() -> None:
    says("`softcap(x, 30.0)` computes with 50", "With `softcap(x, 31.0)` it computes with 31")
    make: Any = torch.library.Library
    library = make("claims20", "FRAGMENT")
    library.define("softcap(Tensor x, float cap=30.0) -> Tensor")
    library.impl("softcap", lambda x, cap=50.0: torch.full_like(x, cap), "CPU")
    x, softcap = torch.ones(1), torch.ops.claims20.softcap
    assert [softcap(x).item(), softcap(x, 30.0).item(), softcap(x, cap=30.0).item()] == [50, 50, 50]
    assert softcap(x, 31.0).item() == 31
    says("A kernel without any default fails even for `softcap(x, 30.0)`")
    library.define("strict(Tensor x, float cap=30.0) -> Tensor")
    library.impl("strict", lambda x, cap: torch.full_like(x, cap), "CPU")
    with pytest.raises(TypeError, match="cap"):
        torch.ops.claims20.strict(x)
    with pytest.raises(TypeError, match="cap"):
        torch.ops.claims20.strict(x, 30.0)
    library._destroy()
    vars(torch.ops).pop("claims20")


def test_what_the_kernel_is_worth() -> None:
    says(
        "Five ways to the same 65,536 results",
        "longer than PyTorch's three operators",
        "All three versions in C give the same bits",
    )
    end, small = (recorded("pytorch/ways_timed", name)[-1] for name in ("softcap", "softcap_small"))
    assert end["numbers"] == 65_536 and small["numbers"] == 4_096
    names = ["composed", "scalar", "vector", "native", "inductor"]
    assert [each["name"] for each in end["ways"]] == names == [each["name"] for each in small["ways"]]
    took = dict(zip(names, end["took"][:, 1], strict=True))
    assert took["scalar"] > took["composed"] > took["vector"] > took["native"]
    assert took["native"] < took["inductor"] < took["composed"]
    says("Its loop calls a more exact `tanh` than ours", "its guards cost more than the arithmetic")
    error = {each["name"]: each["error"] for each in end["ways"]}
    assert error["scalar"] == error["vector"] == error["native"] > error["inductor"]
    assert small["took"][4, 1] > small["took"][0, 1]
