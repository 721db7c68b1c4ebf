"""The order in which torch's engine runs nodes, against its rule applied anew, and against Functions that log."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
import torch
from labs.contract import LabError
from native.pytorch.autograd_engine import Params, Picture, run
from native.pytorch.autograd_engine.examples import EXAMPLES

BINARY = ["{a} * {b}", "{a} + {b}", "{a} - {b}", "{a} / (2 + {b} * {b})"]
UNARY = [
    "{a}.sin()",
    "{a}.exp()",
    "{a}.tanh()",
    "{a}.sigmoid()",
    "-{a}",
    "{a}.view(3, 1).view(3)",
    "{a}.detach() * {b}",
]


def program(seed: int) -> str:
    """Up to ten operations on up to three leaves, and one or two walks back."""
    draw = random.Random(seed)
    leaves = draw.randrange(1, 4)
    lines = [f"w{n} = tensor([{0.1 * (n + 1)}, 0.5, -0.25], requires_grad=True)" for n in range(leaves)]
    names = [f"w{n}" for n in range(leaves)]
    for n in range(draw.randrange(2, 11)):
        form = draw.choice(BINARY if draw.random() < 0.55 else UNARY)
        lines.append(f"v{n} = {form.format(a=draw.choice(names), b=draw.choice(names))}")
        names.append(f"v{n}")
    lines.append(f"loss = ({names[-1]} * {names[-2]} + {draw.choice(names)}).sum()")
    twice = draw.random() < 0.3
    lines += [f"loss.backward(retain_graph={twice})", *(["loss.backward()"] if twice else [])]
    return "\n".join(lines)


PROGRAMS = [program(seed) for seed in range(90)]


def walks(log: list[Picture]) -> list[list[Picture]]:
    """The steps of each walk that is in no other, from where it begins."""
    found: list[list[Picture]] = []
    for event in log:
        if event.stage == "walk" and not event.now and event.depth == 1:
            found.append([])
        if event.stage == "walk":
            found[-1].append(event)
    return found


@pytest.mark.parametrize("part", range(3))
def test_of_what_is_ready_the_node_made_last_is_taken(part: int) -> None:
    for source in [*PROGRAMS[part::3], *EXAMPLES.values()]:
        for begun, *steps in walks(list(run(Params(source)))):
            if any(step.depth > 1 for step in steps):
                continue
            sequence = {node.number: node.sequence or math.inf for node in begun.nodes}
            (root,) = begun.queue
            to: dict[int, list[int]] = {}
            for edge in begun.edges:
                to.setdefault(edge.source, []).append(edge.target)
            behind, waiting = {root}, [root]
            while waiting:
                for each in to.get(waiting.pop(), []):
                    if each not in behind:
                        behind.add(each)
                        waiting.append(each)
            missing = {each: sum(to.get(other, []).count(each) for other in behind) for each in behind}
            ready, order = {root}, [step.now for step in steps]
            for now, step in zip(order, steps, strict=True):
                assert now in ready, source
                assert sequence[now] == max(sequence[each] for each in ready), source
                ready.remove(now)
                for each in to.get(now, []):
                    missing[each] -= 1
                    if not missing[each]:
                        ready.add(each)
                assert {*step.queue} == ready, source
            assert {*order} == behind or "nan" in source or steps[-1].queue or not steps, source


def test_gradients_are_those_of_python() -> None:
    for source in PROGRAMS:
        *log, last = run(Params(source))
        names: dict[str, Any] = {}
        exec(source, vars(torch) | {}, names)
        for leaf in last.leaves:
            grad = names[leaf.name].grad
            if grad is None:
                assert leaf.grad == ""
                continue
            mine = [float(each) for each in leaf.grad.strip("[]").split(", ")]
            assert torch.allclose(torch.tensor(mine), grad, rtol=6e-3, atol=1e-6), source
        assert all(leaf.times == len(walks(log)) for leaf in last.leaves if leaf.grad), source


def test_a_node_is_given_the_whole_gradient_of_its_result() -> None:
    source = EXAMPLES["two_ways"]
    names: dict[str, Any] = {}
    exec(source.rpartition("loss.backward")[0], vars(torch) | {}, names)
    expected = {
        name: torch.autograd.grad(names["loss"], names[name], retain_graph=True)[0].tolist() for name in "abcxw"
    }
    given = {
        (node.name, node.leaf): node.gradient
        for event in run(Params(source))
        for node in event.nodes
        if node.gradient
    }
    nodes = {"a": "MulBackward0", "b": "ExpBackward0", "c": "SinBackward0"}
    for name, value in expected.items():
        key = (nodes[name], "") if name in nodes else ("AccumulateGrad", name)
        assert [float(each) for each in given[key].strip("[]").split(", ")] == pytest.approx(value, rel=6e-3)


def test_the_rule_holds_for_functions_that_log_themselves() -> None:
    """Without hooks: each Function writes down that it runs."""
    for seed in range(60):
        draw, log = random.Random(seed), []

        class Logged(torch.autograd.Function):
            @staticmethod
            def forward(context: Any, number: int, *inputs: torch.Tensor) -> torch.Tensor:
                context.number, context.many = number, len(inputs)
                return sum(inputs, torch.zeros(()))

            @staticmethod
            def backward(context: Any, *gradients: Any) -> Any:
                log.append(context.number)  # noqa: B023
                return None, *([gradients[0]] * context.many)

        leaf = torch.ones((), requires_grad=True)
        values, inputs = [leaf], dict[int, list[int]]()
        for number in range(1, draw.randrange(4, 12)):
            inputs[number] = [draw.randrange(len(values)) for _ in range(draw.randrange(1, 4))]
            values.append(Logged.apply(number, *(values[n] for n in inputs[number])))  # type: ignore[no-untyped-call]
        values[-1].backward()  # type: ignore[no-untyped-call]
        expected, ready = [], {len(values) - 1}
        behind, waiting = {len(values) - 1}, [len(values) - 1]
        while waiting:
            for each in inputs.get(waiting.pop(), []):
                if each and each not in behind:
                    behind.add(each)
                    waiting.append(each)
        missing = {each: sum(inputs[other].count(each) for other in behind) for each in behind}
        while ready:
            now = max(ready)
            ready.remove(now)
            expected.append(now)
            for each in inputs[now]:
                if each:
                    missing[each] -= 1
                    if not missing[each]:
                        ready.add(each)
        assert log == expected, seed


def test_a_walk_inside_a_walk_goes_first() -> None:
    log = list(run(Params(EXAMPLES["checkpoint"])))
    inner = [event for event in log if event.depth == 2]
    assert [node.name for event in inner for node in event.nodes if node.number == event.now] == [
        "SinBackward0", "ExpBackward0", "AccumulateGrad"]  # fmt: skip
    for event in inner:
        (outer,) = (node for node in event.nodes if node.name == "CheckpointBackward")
        assert outer.state == "running"
    x = torch.tensor([0.5, 1.0], requires_grad=True)
    (x.exp().sin() + x.cos()).sum().backward()
    assert x.grad is not None
    assert log[-1].leaves[0].grad == f"[{x.grad[0]:.3g}, {x.grad[1]:.3g}]"


def test_torch_says_what_it_refuses() -> None:
    said = {
        "once_only": "Trying to backward through the graph a second time",
        "not_a_number": "Function 'SqrtBackward0' returned nan values in its 0th output.",
    }
    for name, source in EXAMPLES.items():
        *_, last = run(Params(source))
        assert last.error.startswith(said.get(name, "")) and bool(last.error) == (name in said), name
    *_, last = run(Params("x = ones(2, requires_grad=True)\ny = x * 2\ny.backward()"))
    assert last.error == "grad can be implicitly created only for scalar outputs."
    *_, last = run(Params("x = ones(2)\nx.sum().backward()"))
    assert "does not require grad" in last.error


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("x = ones(2, requires_grad=True)\nx.register_hook(lambda: 1)\nx.sum().backward()", "is given 1 values"),
        ("f = lambda a: a\nx = f(1)", "not taken here"),
        ("x = ones(2, requires_grad=True)\nx.sum().backward(inputs=[x])", "inputs= is not taken"),
        ("x = ones(2, requires_grad=True)\nfor i in range(45):\n    x = x * 2", "At most 40 nodes"),
        ("x = ones(2)\ny = checkpoint(lambda a: a.zzz(), x)", "zzz"),
    ],
)
def test_what_is_not_taken_says_so(source: str, what: str) -> None:
    with pytest.raises(LabError, match=what):
        list(run(Params(source)))
