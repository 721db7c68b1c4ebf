"""What the chapter on the engine of autograd says, asked of its lab and of torch."""

from __future__ import annotations

import math
import threading

import pytest
import torch
from article import Article
from native.pytorch.autograd_engine import Params, Picture, run
from native.pytorch.autograd_engine.examples import EXAMPLES

says = Article("pytorch/05-the-autograd-engine.mdx").says


def log(program: str) -> list[Picture]:
    return list(run(Params(EXAMPLES[program])))


def grads(event: Picture) -> dict[str, str]:
    return {leaf.name: leaf.grad for leaf in event.leaves}


def ran(event: Picture) -> str:
    return next((node.name for node in event.nodes if node.number == event.now), "")


def test_step_10() -> None:
    says("Step 10 shows why", "The node of `a` has received one of two")
    event = log("two_ways")[9]
    (node,) = (each for each in event.nodes if each.name == "MulBackward0")
    assert (node.arrived, node.expected, node.state) == (1, 2, "waiting")


def test_a_shared_weight_is_added_once() -> None:
    says("waits for three gradients, and AccumulateGrad adds once")
    events = log("shared_weight")
    (node,) = (each for each in events[6].nodes if each.leaf == "w")
    assert node.expected == 3 and events[-1].leaves[0].times == 1
    says("Eight: the sum, three times tanh, three products, and a single AccumulateGrad")
    assert events[-1].steps == 8
    assert sorted(map(ran, events)) == sorted(
        [""] * sum(not event.now for event in events)
        + ["AccumulateGrad", "SumBackward0", *["TanhBackward0", "MulBackward0"] * 3]
    )


def test_the_thread_that_called() -> None:
    says("On a CPU, all of this happens in the thread that called `backward()`")
    assert {event.thread for name in EXAMPLES for event in log(name)} == {1}
    seen = []
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    y.register_hook(lambda _: seen.append(threading.get_ident()))  # type: ignore[no-untyped-call]
    thread = threading.Thread(target=y.sum().backward)
    thread.start()
    name = thread.ident
    thread.join()
    assert seen == [name]


def test_a_second_time() -> None:
    says(
        "third of these three calls fails, and not at its first node",
        "fails at MulBackward0, which had saved both factors",
    )
    events = log("once_only")
    assert events[-1].error.startswith("Trying to backward through the graph a second time")
    assert ran(events[-2]) == "SumBackward0"
    (node,) = (each for each in events[-1].nodes if each.state == "running")
    assert node.name == "MulBackward0"
    says("After the second walk `w.grad` is twice as large")
    sums = [grads(event)["w"] for event in events if event.stage == "lines" and event.line in (3, 4)]
    assert sums == ["[4, 6]", "[8, 12]"]


def test_a_walk_inside_a_walk() -> None:
    says("The engine puts the inner nodes before all others, finishes them, and returns to the outer walk")
    depths = [event.depth for event in log("checkpoint") if event.stage == "walk"]
    first, last = depths.index(2), len(depths) - 1 - depths[::-1].index(2)
    assert {*depths[first : last + 1]} == {2} and depths[last + 1] == 1
    inner = log("checkpoint")[7]
    assert inner.depth == 2


def test_the_second_derivative_is_added_to_the_first() -> None:
    says("`x.grad` holds the first derivative already, and the second one is added to it")
    last = log("slope_of_slope")[-1]
    assert grads(last)["x"] == f"[{3 + 6}, {12 + 12}]"
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (slope,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    (bend,) = torch.autograd.grad(slope.sum(), x)
    assert bend.tolist() == [6, 12] and x.grad is None


def test_the_nan() -> None:
    says("five lines long", "MulBackward0 hands on zeros", "that is zero divided by zero, which is NaN")
    assert len(EXAMPLES["not_a_number"].splitlines()) == 5
    events = log("not_a_number")
    given = {node.name: node.gradient for node in events[-1].nodes if node.gradient}
    assert given["SqrtBackward0"] == "[0, 0]"
    says("\"Function 'SqrtBackward0' returned nan values in its 0th output.\"")
    assert events[-1].error == "Function 'SqrtBackward0' returned nan values in its 0th output."
    says("neither does a `torch.where` after the root", "as in `x.clamp(min=1e-6).sqrt()`")
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    loss = (x.sqrt() * 0).sum()
    assert loss == 0
    loss.backward()  # type: ignore[no-untyped-call]
    assert x.grad is not None and math.isnan(x.grad[0])
    x.grad = None
    torch.where(x > 0, x.sqrt(), 0.0).sum().backward()  # type: ignore[no-untyped-call]
    assert math.isnan(x.grad[0])
    x.grad = None
    x.clamp(min=1e-6).sqrt().sum().backward()  # type: ignore[no-untyped-call]
    assert torch.isfinite(x.grad).all()


def test_anomaly_mode_names_the_line(capfd: pytest.CaptureFixture[str]) -> None:
    says("it also prints the line that made the node")
    x = torch.zeros(1, requires_grad=True)
    with (
        pytest.warns(UserWarning, match="Error detected in SqrtBackward0") as seen,
        pytest.raises(RuntimeError),
        torch.autograd.set_detect_anomaly(True),
    ):
        y = x.sqrt()
        (y * 0).sum().backward()  # type: ignore[no-untyped-call]
    assert any("y = x.sqrt()" in str(each.message) for each in seen)


def test_exercises() -> None:
    says("12: each walk adds", "AccumulateGrad, then SinBackward0, then ExpBackward0")
    w = torch.tensor(3.0, requires_grad=True)
    for _ in range(2):
        (w * w).backward()  # type: ignore[no-untyped-call]
    assert w.grad == 12
    events = log("two_ways")
    order = [ran(event) for event in events if event.now]
    assert order.index("SinBackward0") < order.index("ExpBackward0")
    layers = log("layers")
    both = next(event for event in layers if len(event.queue) == 2)
    first, second = (next(n for n in both.nodes if n.number == number) for number in both.queue)
    assert first.name == "AccumulateGrad" and second.name == "ReluBackward0"


def test_a_hook_changes_the_gradient() -> None:
    says("To change it, return another one")
    assert grads(log("hook")[-1])["w"] == "[0.6, 0.8]"
