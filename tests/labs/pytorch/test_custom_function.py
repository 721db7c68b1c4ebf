"""What the lab says of a written function is what torch says of the same class, written in Python."""

from __future__ import annotations

import gc
import random
from itertools import pairwise, product, takewhile
from typing import Any

import pytest
import torch
from labs.contract import LabError
from native.pytorch.custom_function import Checked, Params, run
from native.pytorch.custom_function.examples import EXAMPLES
from native.pytorch.custom_function.jacobians import close, columns, leaves, rows
from native.pytorch.custom_function.lifetimes import lives
from native.pytorch.custom_function.story import Story
from native.pytorch.custom_function.written import Written
from torch.autograd.function import once_differentiable

Tensor = torch.Tensor
# A forward, its derivative, and derivatives that are wrong, some of them only at some places or for some gradients.
PAIRS = {
    "x ** 3": ["3 * x ** 2 * g", "3 * x * g", "x ** 2 * g", "3 * x ** 2"],
    "x.exp()": ["x.exp() * g", "(x + 1) * g", "x.exp() * g * g"],
    "x.sin()": ["x.cos() * g", "-1 * x.cos() * g", "x.cos()"],
    "relu(x)": ["g * (x > 0)", "g * (x >= 0)", "g * x"],
    "abs(x)": ["g * where(x > 0, 1., -1.)", "g * 2 * (sigmoid(x) - 0.5)", "g"],
    "x * x.sum()": ["g * x.sum() + (g * x).sum()", "g * x.sum()", "2 * g * x"],
    "x.sigmoid()": ["g * x.sigmoid() * (1 - x.sigmoid())", "g * x.sigmoid()"],
    "x.flip(0)": ["g.flip(0)", "g"],
    "x @ ones(3, 3, dtype=torch.float64)": ["g.sum() * ones(3)", "g * ones(3)"],
}


def program(forward: str, backward: str, x: list[float]) -> str:
    return f"""\
def forward(ctx, x):
    ctx.save_for_backward(x)
    return {forward}

def backward(ctx, g):
    x, = ctx.saved_tensors
    return {backward}

x = tensor({x})
"""


def places(draw: random.Random) -> list[float]:
    return [draw.choice([0.0, 1.0, -1.0, round(draw.uniform(-2, 2), 3)]) for _ in range(3)]


CASES = [
    program(forward, backward, places(random.Random(f"{forward} {backward} {n}")))
    for forward, backwards in PAIRS.items()
    for backward in backwards
    for n in range(6)
]


def python(source: str) -> tuple[Any, list[Tensor]]:
    """The same class as Python makes it, and its inputs."""
    names: dict[str, Any] = vars(torch) | {"torch": torch, "once_differentiable": once_differentiable}
    exec(source, names)
    made = type(
        "Custom",
        (torch.autograd.Function,),
        {name: staticmethod(names[name]) for name in ("forward", "backward")},
    )
    code = names["forward"].__code__
    return made.apply, [names[name].double() for name in code.co_varnames[1 : code.co_argcount]]  # type: ignore[attr-defined]


def passes(check: Any, function: Any, inputs: Any) -> bool:
    try:
        return bool(check(function, inputs))
    except RuntimeError:
        return False


def claimed(source: str) -> tuple[Written, Tensor, Tensor]:
    written = Written(source)
    made = written.apply(*leaves(written.inputs))
    keep = [each.requires_grad for each in made]
    many = sum(each.numel() for each in made if each.requires_grad)
    left = torch.stack([*rows(written, written.inputs, many)])
    return written, left, torch.stack([*columns(written.plain, written.inputs, keep)], 1)


def test_both_jacobians_are_those_of_torch() -> None:
    for source in CASES[::2]:
        function, (x,) = python(source)
        _, left, right = claimed(source)
        through = torch.autograd.functional.jacobian(function, x)
        assert torch.equal(left, through), source
        with torch.no_grad():
            plain = dict(vars(torch)) | {"torch": torch, "x": x.clone().requires_grad_()}
        expression = source.splitlines()[2].removeprefix("    return ")
        exact = torch.autograd.functional.jacobian(lambda x, e=expression, p=plain: eval(e, p | {"x": x}), x)
        smooth = not (("relu" in expression or "abs" in expression) and bool((x == 0).any()))
        assert torch.allclose(right, exact, atol=1e-6) or not smooth, source


def test_verdicts_are_those_of_gradcheck_and_gradgradcheck() -> None:
    found = set()
    for source in CASES[::6]:
        function, inputs = python(source)
        for each in inputs:
            each.requires_grad_()
        written, left, right = claimed(source)
        mine = bool(close(left, right).all()) and not bool(left.new_tensor(0).any())
        silent = torch.autograd.grad(function(*inputs), inputs, torch.zeros(3).double())[0].any()
        theirs = passes(torch.autograd.gradcheck, function, tuple(inputs))
        assert theirs == (mine and not bool(silent)), source
        *events, last = run(Params(source, draws=0))
        stated = {check.name: check.state for check in last.checks}
        assert stated["gradcheck here"] == ("passes" if theirs else "fails"), source
        compared = next(each for each in events if each.stage == "compared")
        assert (compared.wrong == 0) == mine, source
        torch.manual_seed(0)  # it draws gradients, and a backward in float32 passes with some of them
        twice = passes(torch.autograd.gradgradcheck, function, tuple(inputs))
        assert stated["gradgradcheck"] == ("passes" if twice else "fails"), source
        shown = next(each for each in [*events, last] if each.stage == "twice")
        assert not (twice and shown.wrong), source
        found.add((theirs, twice))
        del written
    assert len(found) == 4


def before(event: Checked) -> bool:
    return event.stage != "scaled"


def test_random_inputs_find_what_chosen_ones_miss() -> None:
    for source in CASES[::9]:
        draws = [each for each in takewhile(before, run(Params(source, draws=3, seed=3))) if each.draw]
        forward, derivative = (source.splitlines()[line].removeprefix("    return ") for line in (2, 6))
        if PAIRS[forward][0] == derivative:
            assert all(each.wrong == 0 for each in draws), source
    for x in product([0.0, 1.0], repeat=3):
        source = program("x ** 3", "3 * x * g", list(x))
        events = list(takewhile(before, run(Params(source, draws=1, seed=int(4 * x[0] + 2 * x[1] + x[2])))))
        assert [each.wrong for each in events if each.stage == "compared"] == [0]
        assert events[-1].draw == 1 and events[-1].wrong == 3


def test_a_picture_is_whole_and_points_lie_on_curves() -> None:
    for source in EXAMPLES.values():
        events = list(run(Params(source)))
        assert [each.stage for each in events][-4:] == ["held", "deleted", "collected", "changed"]
        for each in events:
            assert len(each.at) == len(each.tiles.columns) == len(each.asked)
            assert each.curves.shape[1] == len(each.grid)
            for point in each.points:
                assert each.low <= point.y <= each.high
                near = abs(each.grid - point.x).argmin()
                assert abs(each.curves[:, near] - point.y).min() < 1.2, (source, point)
        for one, two in pairwise(events):
            if one.stage == two.stage == "random" and len(one.curves) == 1:
                assert two.points[: len(one.points)] == one.points


def python_lives(attribute: bool) -> list[bool]:
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            y = x.exp()
            if attribute:
                ctx.y = y
            else:
                ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Tensor:
            return g

    gc.disable()
    try:
        y = Exp.apply(torch.ones(3, requires_grad=True))
        weak = y.untyped_storage()._weak_ref()
        found = [not torch.UntypedStorage._expired(weak)]
        del y
        found.append(not torch.UntypedStorage._expired(weak))
        gc.collect()
        found.append(not torch.UntypedStorage._expired(weak))
        torch.UntypedStorage._free_weak_ref(weak)
    finally:
        gc.enable()
    return found


@pytest.mark.parametrize(("example", "attribute"), [("keeps_attribute", True), ("saves_output", False)])
def test_an_attribute_outlives_del(example: str, attribute: bool) -> None:
    written = Written(EXAMPLES[example])
    (y,) = [each for each in lives(written, written.inputs) if each.name == "y"]
    assert y.alive == python_lives(attribute) == [True, attribute, False]
    assert gc.isenabled()
    *_, deleted, collected, changed = run(Params(EXAMPLES[example]))
    assert deleted.alive - collected.alive == (24 if attribute else 0)
    states = {each.name: each.changed for each in changed.lives}
    assert states == {"x": "harmless", "y": "wrong" if attribute else "noticed"}


def last(source: str, stage: str) -> Checked:
    return [each for each in run(Params(source)) if each.stage == stage][-1]


def test_blind_spots() -> None:
    for name in ("right_at_two_points", "squares_g", "leaves_the_sum_out", "slope_from_forward"):
        function, inputs = python(EXAMPLES[name])
        assert torch.autograd.gradcheck(function, tuple(each.requires_grad_() for each in inputs)), name
        assert last(EXAMPLES[name], "compared").checks[0].state == "passes", name
    assert last(EXAMPLES["right_at_two_points"], "random").checks[1].state == "fails"
    assert last(EXAMPLES["squares_g"], "scaled").checks[2].state == "fails"
    assert last(EXAMPLES["leaves_the_sum_out"], "changed").checks[3].state == "passes"
    assert last(EXAMPLES["slope_from_forward"], "twice").checks[3].state == "fails"
    assert "marked with @once_differentiable" in last(EXAMPLES["once"], "twice").text


def test_only_what_is_asked_for() -> None:
    first, second = [each for each in run(Params(EXAMPLES["only_what_is_asked"])) if each.stage == "asked"]
    assert first.asked == [True, True, False, False] and second.asked == [False, False, True, True]
    written = Written(EXAMPLES["only_what_is_asked"])
    a, b = written.inputs
    written.apply(a.requires_grad_(), b)[0].sum().backward()
    assert 9 in written.lines and 11 not in written.lines


def test_what_is_marked_has_no_row() -> None:
    shown = last(EXAMPLES["marked"], "compared")
    assert shown.tiles.rows == ["y0[0]", "y0[1]", "y0[2]"]
    every = EXAMPLES["marked"].replace("    ctx.mark_non_differentiable(side)\n", "")
    assert len(last(every, "compared").tiles.rows) == 6


HEAD = "def forward(ctx, x):\n    return x * 2\n\ndef backward(ctx, g):\n    return g * 2\n\n"


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("x = tensor([1.])", "two functions"),
        (HEAD, "elow the functions x needs a value"),
        (HEAD + "x = ones(7)", "1 to 6 numbers"),
        (HEAD + "x = tensor([1])", "needs a value"),
        (HEAD + "x = view(3)", "view is no function"),
        (HEAD + "x = ones(2).view(3)", "shape"),
        (HEAD.replace("return x * 2", "return ones(9)") + "x = ones(1)", "at most 6 numbers"),
        (HEAD.replace("return x * 2", "y = x") + "x = ones(1)", "returns nothing"),
        (HEAD.replace("return x * 2", "return x > 0") + "x = ones(1)", "no output has a gradient"),
        (HEAD.replace("return g * 2", "return ctx.z") + "x = ones(1)", "ctx has no attribute z"),
        (HEAD.replace("return g * 2", "return ctx.__class__") + "x = ones(1)", "ctx has no attribute __class__"),
        (HEAD.replace("return x * 2", "ctx.saved_tensors = x\n    return x") + "x = ones(1)", "belongs to ctx"),
        (
            HEAD.replace("return x * 2", "ctx.mark_dirty(x)\n    return x") + "x = ones(1)",
            "mark_dirty is not taken",
        ),
        (HEAD.replace("return g * 2", "return 3") + "x = ones(1)", "a tensor or None"),
        (HEAD.replace("ctx, g", "ctx, g, h") + "x = ones(1)", "as many parameters"),
        (HEAD.replace("def b", "@staticmethod\ndef b") + "x = ones(1)", "decorators"),
        (HEAD.replace("ctx, x", "ctx") + "x = ones(1)", "at least one tensor"),
        (HEAD.replace("return x * 2", "return x.numpy()") + "x = ones(1)", "numpy"),
        (HEAD.replace("return x * 2", "return exp(ctx)") + "x = ones(1)", "must be Tensor"),
        (
            HEAD.replace("return x * 2", "for _ in range(60):\n        x = x * 1\n    return x") + "x = ones(1)",
            "60",
        ),
        ("import os\n" + HEAD, "import"),
        ("", "no statement"),
    ],
)
def test_what_is_not_taken_says_so(source: str, what: str) -> None:
    with pytest.raises(LabError, match=what):
        list(run(Params(source)))


def test_torch_says_what_it_refuses() -> None:
    two = HEAD.replace("return g * 2", "return g, g") + "x = ones(1)"
    end = list(run(Params(two)))[-1]
    assert end.stage == "stopped" and "incorrect number of gradients (expected 1, got 2)" in end.error
    shape = HEAD.replace("return g * 2", "return g.sum()") + "x = ones(2)"
    end = list(run(Params(shape)))[-1]
    assert end.stage == "stopped" and "invalid gradient" in end.error
    line = HEAD.replace("return g * 2", "return g.view(7)") + "x = ones(2)"
    end = list(run(Params(line)))[-1]
    assert (end.stage, end.line) == ("stopped", 5) and "invalid for input of size 2" in end.error


def test_draws_keep_to_where_there_are_numbers() -> None:
    source = program("x.sqrt()", "g / 2 / x.sqrt()", [1.0, 2.0, 3.0])
    draws = [each for each in run(Params(source)) if each.stage == "random"]
    assert draws and all(float(at) > 0 for each in draws for at in each.at)
    assert Story(Written(source), 1, 0).apart
