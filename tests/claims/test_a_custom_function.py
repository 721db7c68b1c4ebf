"""What the chapter on custom Functions says, asked of its lab and of torch."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch
from article import CONTENT, Article
from native.pytorch.custom_function import Checked, Params, run
from native.pytorch.custom_function.examples import EXAMPLES
from native.pytorch.custom_function.jacobians import leaves
from native.pytorch.custom_function.written import Written
from torch.autograd import gradcheck, gradgradcheck
from torch.autograd.function import once_differentiable

ARTICLE = Article("pytorch/06-a-custom-function.mdx")
says = ARTICLE.says
Tensor = torch.Tensor


def log(program: str) -> list[Checked]:
    return list(run(Params(EXAMPLES.get(program, program))))


def at(program: str, stage: str) -> Checked:
    return [each for each in log(program) if each.stage == stage][-1]


def function(forward: Callable[..., Any], backward: Callable[..., Any], keep: bool = False) -> Any:
    def ahead(ctx: Any, *inputs: Tensor) -> Any:
        ctx.save_for_backward(*inputs)
        return forward(*inputs)

    def back(ctx: Any, g: Tensor) -> Any:
        return backward(g, *ctx.saved_tensors)

    return type("Own", (torch.autograd.Function,), {"forward": staticmethod(ahead), "backward": staticmethod(back)})


def passes(own: Any, *inputs: Tensor, **more: Any) -> bool:
    given = tuple(each.double().requires_grad_() for each in inputs)
    return bool(gradcheck(own.apply, given, raise_exception=False, **more))


CUBE = function(lambda x: x**3, lambda g, x: 3 * x * g)


def test_right_where_it_was_checked() -> None:
    says("The test checked it at 0 and at 1, the two places where it happens to be right")
    assert passes(CUBE, torch.tensor([0.0, 1.0]))
    says("there the tangents leave the curve", "Use `torch.randn`")
    draws = [each for each in log("right_at_two_points") if each.stage == "random"]
    assert len(draws) == 3 and all(each.wrong == 2 for each in draws)
    torch.manual_seed(0)
    assert not any(passes(CUBE, torch.randn(2)) for _ in range(20))


def test_the_formula_is_what_gradcheck_does() -> None:
    says("It compares both matrices at the inputs that you give it. Give it float64")
    calls = []

    def backward(g: Tensor, x: Tensor) -> Tensor:
        calls.append(g.tolist())
        return 3 * x**2 * g

    assert passes(function(lambda x: x**3, backward), torch.tensor([0.5, 2.0]))
    says("`gradcheck` calls backward with gradients that consist of zeros and ones")
    assert {number for call in calls for number in call} == {0.0, 1.0}
    with pytest.warns(UserWarning, match="double precision"):
        single = torch.tensor([0.5, 2.0], requires_grad=True)
        right = function(lambda x: x**3, lambda g, x: 3 * x**2 * g)
        assert not gradcheck(right.apply, (single,), raise_exception=False)


def test_squares_and_forgets_g() -> None:
    square = function(torch.sin, lambda g, x: x.cos() * g * g)
    torch.manual_seed(0)
    says("For the square of `g` the slow mode says `True`, and the fast one `False`")
    for _ in range(10):
        x = torch.randn(3)
        assert passes(square, x) and not passes(square, x, fast_mode=True)
    says("No random input finds it, since 1 · 1 is 1")
    assert all(each.wrong == 0 for each in log("squares_g") if each.stage == "random")
    assert at("squares_g", "scaled").checks[2].state == "fails"
    says('"backward not multiplied by grad_output"', "even for a single number")
    shown = at("forgets_g", "compared")
    assert shown.checks[0].says == "backward not multiplied by grad_output" and shown.entries == 1
    assert shown.wrong == 0
    says("Check with `fast_mode=True` too, or multiply the output by something random first")
    factor = torch.randn(3).double()
    x = torch.randn(3).double().requires_grad_()
    assert not gradcheck(lambda x: factor * square.apply(x), (x,), raise_exception=False)


def test_the_kink() -> None:
    says("shows one half, the mean of the two slopes", "Whatever you choose there, 0 or 1, `gradcheck` fails")
    shown = at("kink", "compared")
    assert shown.tiles.measured[1][1] == "0.5" and shown.wrong == 1
    for mask in (lambda x: x > 0, lambda x: x >= 0):
        relu = function(torch.relu, lambda g, x, mask=mask: g * mask(x))
        assert not passes(relu, torch.zeros(1)) and passes(relu, torch.tensor([-1.0, 1.0]))
    says("so a backward that returns `g * x.sign()` passes there", "A backward that chooses 1 at the kink")
    assert passes(function(torch.abs, lambda g, x: g * x.sign()), torch.zeros(1))
    assert not passes(function(torch.abs, lambda g, x: g * torch.where(x >= 0, 1.0, -1.0)), torch.zeros(1))


def test_the_engine_sums() -> None:
    says("the engine sums the gradient to the shape of the input")
    forgets = function(lambda x, b: x * b, lambda g, x, b: (g * b, g * x))
    for shape in ((), (1,), (3,), (2, 1)):
        assert passes(forgets, torch.randn(2, 3), torch.randn(shape))
    assert at("leaves_the_sum_out", "compared").checks[0].state == "passes"
    says("It cannot forgive a gradient that has the right shape and the wrong numbers", "Three: the column of `b`")
    last = log("broadcast")[-1]
    assert last.wrong == 3 and last.entries == 12
    assert [row[3] for row in last.tiles.wrong] == [True] * 3


def test_the_leak_and_the_wrong_gradient() -> None:
    says("Both give the right gradient, and `gradcheck` passes both")
    for name in ("keeps_attribute", "saves_output"):
        assert at(name, "compared").checks[0].state == "passes"
    says("nobody can reach its storage, and it is still alive", "the storage is gone at once")
    leaked = {each.name: each for each in at("keeps_attribute", "deleted").lives}
    assert leaked["y"].alive and leaked["y"].holders == ["a cycle"]
    assert not {each.name: each for each in at("saves_output", "deleted").lives}["y"].alive
    says("A storage of a gigabyte looks to it like one small object")
    assert sys.getsizeof(torch.empty(10**7)) == sys.getsizeof(torch.empty(1)) < 200
    says("For an attribute, no version is noted: the gradient is wrong, and nothing says so")
    assert {each.name: each.changed for each in log("keeps_attribute")[-1].lives}["y"] == "wrong"
    assert {each.name: each.changed for each in log("saves_output")[-1].lives}["y"] == "noticed"
    gc.collect()


def test_the_form_without_ctx() -> None:
    says("`torch.vmap` and `torch.func` accept only that form")

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x * x

    for transformed in (torch.vmap, torch.func.grad):
        with pytest.raises(RuntimeError, match="must override the setup_context"):
            transformed(Square.apply)(torch.tensor(2.0) if transformed is torch.func.grad else torch.ones(2))


def test_once_more_backward() -> None:
    says("The second derivative comes out as zero, without an error")
    shown = at("slope_from_forward", "twice")
    assert {entry for row in shown.tiles.claimed for entry in row} == {"0"} and shown.wrong == 3
    assert shown.checks[0].state == "passes" and shown.checks[3].state == "fails"
    says("Save the input and compute the slope in backward, where it is recorded")
    assert at("cube", "twice").checks[3].state == "passes"
    says("then PyTorch refuses instead of returning zeros")
    assert "once_differentiable" in at("once", "twice").text


def test_the_refusal_has_a_gap() -> None:
    says("The refusal is only put in place if `g` itself requires a gradient")

    class Once(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, g: Tensor) -> Tensor:
            (x,) = ctx.saved_tensors
            return 3 * x**2 * g

    x = torch.ones(2, requires_grad=True)
    (slope,) = torch.autograd.grad(Once.apply(x).sum(), x, create_graph=True)
    assert not slope.requires_grad
    (slope,) = torch.autograd.grad((Once.apply(x) ** 2).sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="differentiate twice"):
        slope.sum().backward()


def test_smaller_tools() -> None:
    says("skips the others", "its rows are missing from the Jacobian")
    written = Written(EXAMPLES["only_what_is_asked"])
    a, b = leaves(written.inputs)
    written.apply(a, b.detach())[0].sum().backward()
    assert 11 not in written.lines
    assert at("marked", "compared").tiles.rows == ["y0[0]", "y0[1]", "y0[2]"]


def test_gradgradcheck_is_another_check() -> None:
    says("`gradcheck` does not look there. `gradgradcheck` does")
    written = Written(EXAMPLES["slope_from_forward"])
    assert gradcheck(written.apply, tuple(leaves(written.inputs)))
    assert not gradgradcheck(written.apply, tuple(leaves(written.inputs)), raise_exception=False)


def test_which_test_finds_it() -> None:
    says("The claim is wrong everywhere except at 0 and 1")
    found = {str(x.tolist()): passes(CUBE, x) for x in (torch.tensor([0.0, 1.0]), torch.ones(3), torch.zeros(5))}
    assert all(found.values()) and not passes(CUBE, torch.tensor([-1.0, 1.0]))


def test_links_lead_to_the_steps_they_mean() -> None:
    steps = {"squares_g": "scaled", "kink": "compared", "slope_from_forward": "twice", "once": "twice"}
    for name, stage in steps.items():
        step = int(ARTICLE.text.split(f'program="@{name}" step={{')[1].partition("}")[0])
        assert log(name)[step - 1].stage == stage
    found = [int(each.partition("}")[0]) for each in ARTICLE.text.split('"@keeps_attribute" step={')[1:]]
    assert [log("keeps_attribute")[step - 1].stage for step in found] == ["deleted", "changed"]
    assert "A custom Function" not in json.loads((CONTENT / "pytorch/series.json").read_text())["planned"]
