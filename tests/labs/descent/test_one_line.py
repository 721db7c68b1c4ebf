"""The way down against PyTorch, NumPy, `ast` and `dis`: every level shows what those say of the same line."""

import ast
import dis
import json
import math
import random
import re
import struct
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import torch
from labs.contract import LabError
from labs.descent.one_line import EXAMPLES, Cut, Params, run
from labs.descent.one_line.memory import short
from labs.descent.one_line.python import HIDDEN
from labs.models.decimals import exactly
from random_lines import by_torch, drawn
from torch.utils._python_dispatch import TorchDispatchMode

sys.path.append(str(Path(__file__).parents[3] / "scripts"))
import ask_the_line

SEEDS = 60


def cut(params: Params) -> Cut | None:
    """None where the line is refused, as a random one may be for its length."""
    try:
        (event,) = run(params)
    except LabError as refused:
        assert str(refused).endswith(".")
        return None
    return event


def cuts() -> list[tuple[Params, Cut]]:
    given = [drawn(random.Random(seed)) for seed in range(SEEDS)]
    given += [Params(line=line, element=element) for line in EXAMPLES.values() for element in (0, 5, 11)]
    return [(params, found) for params in given if (found := cut(params))]


CUTS = cuts()


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_most_random_lines_are_taken() -> None:
    assert len(CUTS) > SEEDS * 0.6
    assert len({each.line for _, each in CUTS}) > 30


def test_the_result_is_pytorchs_within_the_bound_of_its_roundings() -> None:
    """|difference| ≤ n·u·Σ|terms| for n roundings of unit u; ours and PyTorch's may add in another order."""
    for params, found in CUTS:
        theirs, _ = by_torch(params)
        size = float(eval_absolute(params))
        n = 2 * len(found.steps) + 2
        ours = np.array([number(each) for each in found.stored[-1].numbers]).reshape(tuple(theirs.shape))
        assert np.allclose(ours, theirs.detach().numpy(), rtol=0, atol=n * 2**-24 * size), params
        assert list(theirs.shape) == found.stored[-1].shape


def eval_absolute(params: Params) -> torch.Tensor:
    """The largest that any sum of sizes of terms on the way can be."""
    _, leaves = by_torch(params)
    sized = {name: each.detach().abs().double() for name, each in leaves.items()}
    text = params.line.partition("=")[2].replace("-", "+")
    while text.lstrip().startswith("+"):
        text = text.lstrip()[1:]
    return eval(text, {"relu": torch.abs, **sized}).abs().max() + 1


def test_the_gradients_are_pytorchs() -> None:
    for params, found in CUTS:
        theirs, leaves = by_torch(params)
        theirs.reshape(-1)[found.place].backward()
        for each in found.gradients:
            grad = leaves[each.name].grad
            wanted = np.zeros(leaves[each.name].numel()) if grad is None else grad.reshape(-1).numpy()
            ours = np.array([number(text) for text in each.numbers])
            assert np.allclose(ours, wanted, rtol=2e-5, atol=2e-5 * (1 + np.abs(wanted).max())), params


def test_the_tape_is_pytorchs() -> None:
    """The same nodes, and what each has saved is as large as we say."""
    for params, found in CUTS:
        theirs, _ = by_torch(params)
        nodes, stack, seen = [], [theirs.grad_fn], set()
        while stack:
            node = stack.pop()
            if node is None or node in seen or node.name().endswith("AccumulateGrad"):
                continue
            seen.add(node)
            nodes.append(node)
            stack += [each for each, _ in node.next_functions]
        assert sorted(each.name for each in found.tape) == sorted(each.name() for each in nodes), params
        if params.line == EXAMPLES["a layer"]:
            saved = {
                node.name(): sum(
                    4 * getattr(node, name).numel()
                    for name in ("_saved_self", "_saved_mat2", "_saved_result")
                    if getattr(node, name, None) is not None
                )
                for node in nodes
            }
            assert {each.name: each.bytes for each in found.tape} == saved


def test_the_tape_keeps_what_pytorch_saves() -> None:
    """Each storage once, whether two operations saved it or one did twice; a number in the line is none."""
    extra = [Params(line=line) for line in ("y = x * x", "y = (x @ w) * (x @ w) + b")]
    for params, found in [*CUTS, *((each, next(iter(run(each)))) for each in extra)]:
        saved: list[torch.Tensor] = []  # all at once, so that no address is used again

        def keep(each: torch.Tensor, saved: list[torch.Tensor] = saved) -> torch.Tensor:
            saved.append(each)
            return each

        with torch.autograd.graph.saved_tensors_hooks(keep, lambda each: each):
            by_torch(params)
        sizes = {each.data_ptr(): 4 * each.numel() for each in saved if each.dim()}
        assert found.kept == sum(sizes.values()), params


@pytest.mark.parametrize(
    ("line", "each", "whole"),
    [("y = x * x", [24], 24), ("y = (x @ w) * (x @ w) + b", [72, 72, 64, 0], 136), ("y = x @ x.T", [0, 24], 24)],
)
def test_a_tensor_that_is_kept_twice_counts_once(line: str, each: list[int], whole: int) -> None:
    (found,) = run(Params(line=line))
    assert ([one.bytes for one in found.tape], found.kept) == (each, whole)


@pytest.mark.parametrize(
    ("line", "saved"),
    [
        ("y = relu(x @ w + b)", 64),
        ("y = (x @ w) * (x @ w) + b", 64),
        ("y = x @ w + b", 0),
        ("y = 2 - x.T * 3", 48),
        ("y = (x + x).T * 2", 48),
        ("y = relu(x @ w) @ w.T", 0),
        ("y = x * x", 0),
    ],
)
def test_what_a_loop_uses_at_once_is_saved(line: str, saved: int) -> None:
    """Written and read once each if it were apart; a product goes through memory all the same."""
    (found,) = run(Params(line=line))
    assert found.saved == saved


def test_nothing_is_saved_that_the_loops_store() -> None:
    for params, found in CUTS:
        if found.why_compiler:
            continue
        stored = {each.node for each in found.loops if re.match(r"(out|t\d+)\w*\[", each.text)}
        used = [n for n, each in enumerate(found.graph) if each.kernel >= 0 and n not in stored]
        assert found.saved == sum(8 * math.prod(found.graph[n].shape) for n in used), params


def test_the_sentences_agree_in_number() -> None:
    (one,) = run(Params(line="y = b * 2"))
    assert one.says[1] == "PyTorch calls 1 operator; the dispatcher finds 2 kernels."
    assert one.says[3].endswith("1 number has a slope.")
    assert one.says[4] == "1 operation becomes 1 kernel; every result goes through memory."
    assert one.says[8] == "Your line was not timed; this is y = relu(x @ w + b)."
    (off,) = run(Params(line=EXAMPLES["cut off"]))
    assert off.says[3].endswith("no number has a slope.")
    (layer,) = run(Params())
    assert layer.says[3].startswith("The tape keeps 104 bytes for the backward pass; 7 numbers have")
    assert layer.says[4] == "3 operations become 1 kernel; 64 bytes need not go through memory."
    assert layer.says[8].startswith("The arithmetic takes")
    for _, found in CUTS:
        for each in found.says:
            assert not re.search(r"(?<![.,\d])1 (\w+s|\w+ (are|have|become))\b", each), each


def test_tree_and_bytecode_are_those_of_this_python() -> None:
    for _, found in CUTS:
        tree = ast.parse(found.line)
        kinds = [type(each).__name__ for each in ast.walk(tree) if isinstance(each, ast.expr | ast.stmt)]
        assert sorted(each.label.split()[0] for each in found.tree) == sorted(kinds)
        for each in found.tree:
            part = found.line[each.begin : each.end]
            if each.label.startswith("Name"):
                assert part == each.label.split()[1]
        wanted = [
            one for one in dis.get_instructions(compile(found.line, "line", "exec")) if one.opname not in HIDDEN
        ]
        assert [each.name for each in found.code] == [one.opname for one in wanted[: len(found.code)]]
        assert found.code[-1].name.startswith("STORE_")
        assert found.listed == len(list(dis.get_instructions(compile(found.line, "line", "exec"))))


def test_the_stack_grows_and_shrinks_as_dis_says() -> None:
    for _, found in CUTS:
        high, at = 0, iter(found.code)
        for one in dis.get_instructions(compile(found.line, "line", "exec")):
            if one.opname == "CACHE":
                continue
            high += dis.stack_effect(one.opcode, one.arg if one.opcode >= dis.HAVE_ARGUMENT else None, jump=False)
            if one.opname in HIDDEN:
                continue
            shown = next(at)
            if one.opname not in ("CALL",):
                assert len(shown.stack) == high, (found.line, one.opname)
            if one.opname.startswith("STORE_"):
                break
            high = len(shown.stack)


def test_bytes_and_strides_are_numpys() -> None:
    for params, found in CUTS:
        theirs, leaves = by_torch(params)
        for each in found.stored[:-1]:
            array = leaves[each.name].detach().numpy()
            assert bytes.fromhex("".join(each.bytes)) == array.tobytes()
            assert each.strides == list(leaves[each.name].stride())
        assert found.stored[-1].strides == list(theirs.detach().contiguous().stride())
        for view in found.views:
            turned = leaves[view.written.removesuffix(".T")].T
            assert (view.shape, view.strides) == (list(turned.shape), list(turned.stride()))


def test_the_bits_are_those_of_the_result() -> None:
    for _, found in CUTS:
        value = np.float32(number(found.value))
        assert found.bits.bits == f"{struct.unpack('>I', struct.pack('>f', value))[0]:032b}"
        assert found.value == short(value)
        around = [np.nextafter(value, np.float32(end)) for end in (-np.inf, np.inf)]
        assert [found.bits.below, found.bits.above] == [exactly(Fraction(float(each)), 20) for each in around]
        rounded = sum(each.error != 0 for each in found.steps)
        assert found.bits.roundings == rounded
        assert all(abs(each.error) <= 0.5 for each in found.steps)
        if not rounded:
            assert found.bits.last == 0


def test_a_rounding_is_the_nearest_float() -> None:
    (found,) = run(Params())
    for each in found.steps:
        left, right = (Fraction(float(np.float32(number(text)))) for text in (each.left, each.right))
        if each.sign in "×+":
            exact = left * right if each.sign == "×" else left + right
            assert np.float32(number(each.result)) == np.float32(float(exact))


class Watch(TorchDispatchMode):  # type: ignore[no-untyped-call]
    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.seen: list[str] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        self.seen.append(func._schema.name + (f".{func._schema.overload_name}" * bool(func._schema.overload_name)))
        return func(*args, **(kwargs or {}))


def test_the_operators_are_those_that_pytorch_calls() -> None:
    """Below autograd a mode sees the last of each call's operators, in order."""
    for params, found in CUTS:
        with Watch() as watch:
            by_torch(params)
        made = [name for name in watch.seen if not name.startswith(("aten::detach", "aten::lift", "aten::view"))]
        assert [call.operators[-1].operator for call in found.calls] == made, params


def test_what_was_asked_of_pytorch_and_the_clock_is_so_still() -> None:
    assert json.loads(ask_the_line.DISPATCH.read_text("utf-8")) == ask_the_line.dispatch()
    assert json.loads(ask_the_line.CLOCK.read_text("utf-8")) == ask_the_line.clock()
