"""Schemas against a parser of our own, calls against NumPy's addresses, roads against closed forms and rules."""

from __future__ import annotations

import itertools
import random
import re
import typing
from typing import Any

import numpy as np
import pytest
import torch
from native.pytorch.operator_schema import POSTER, Params, Told, run
from native.pytorch.operator_schema.cases import NATIVE
from native.pytorch.operator_schema.ours import SCHEMAS, Ours
from native.pytorch.operator_schema.pictures import Kernel, Meta
from native.pytorch.operator_schema.roads import first
from native.pytorch.operator_schema.schemas import slots

PIECE = re.compile(r"[(\[{]|[)\]}]|,|[^(){}\[\],]+")


def at(stage: str, **params: Any) -> Told:
    return next(each for each in run(Params(**params)) if each.stage == stage)


def states(**params: Any) -> dict[str, str]:
    *_, end = run(Params(**params))
    return {each.name: each.state for each in end.roads}


# -- an own parser, which splits at commas outside of brackets ----------------------------------------------


def pieces(text: str) -> list[str]:
    found, depth = [""], 0
    for piece in PIECE.findall(text):
        depth += (piece in "([{") - (piece in ")]}")
        if piece == "," and not depth:
            found.append("")
        else:
            found[-1] += piece
    return [each.strip() for each in found if each.strip()]


def closing(text: str) -> int:
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == ")" and not depth:
            return place
    raise AssertionError(text)


def parsed(text: str) -> list[tuple[str, str, bool, bool]]:
    """Name, mark, whether only by name, whether with a default; results after the arguments, without a name."""
    text = text[text.index("(") :]
    end = closing(text)
    found, keyword = [], False
    for piece in pieces(text[1:end]):
        if piece == "*":
            keyword = True
            continue
        declared, _, default = piece.partition("=")
        name = declared.split()[-1]
        found.append((name, mark(declared), keyword, bool(default)))
    rest = text[end + 1 :].removeprefix(" -> ")
    results = pieces(rest[1:-1]) if rest.startswith("(") else [rest]
    return found + [("", mark(each), False, False) for each in results]


def mark(declared: str) -> str:
    match = re.match(r"Tensor\(([^)]*)\)", declared)
    return "|".join(sorted(match[1].split("|"))) if match else ""


def test_schemas_of_torch() -> None:
    tried = marked = 0
    dispatched = {*torch._C._dispatch_get_all_op_names()}
    for schema in torch._C._jit_get_all_schemas():
        text = str(schema)
        if not schema.name.startswith("aten::") or text.partition("(")[0] not in dispatched:
            continue
        found = [
            ("" if each.result else each.name, each.mark, each.keyword, each.default != "")
            for each in slots(schema)
        ]
        expected = parsed(text)
        assert found == expected, text
        tried, marked = tried + 1, marked + any(each[1] for each in found)
    assert tried > 3000 and marked > 800


@pytest.mark.parametrize("schema", SCHEMAS.values())
def test_schemas_of_ours(schema: str) -> None:
    found = slots(torch._C.parse_schema(f"ours::{schema}"))
    assert [each.mark for each in found] == [each[1] for each in parsed(schema)]
    assert [each.name for each in found] == ["x", "by", "result"] and found[1].default == "2.0"


# -- calls --------------------------------------------------------------------------------------------------


def arrays(value: Any) -> list[np.ndarray]:
    if isinstance(value, torch.Tensor):
        return [value.numpy()]
    if isinstance(value, dict):
        value = [*value.values()]
    return [each for part in value for each in arrays(part)] if isinstance(value, list | tuple) else []


@pytest.mark.parametrize("name", NATIVE)
def test_calls(name: str) -> None:
    call, make, _ = NATIVE[name]
    args, kwargs = make()
    given = arrays([args, kwargs])
    before = [each.copy() for each in given]
    result = arrays([call(*args, **kwargs)])
    shown = at("call", operator=name)
    inputs = [each for each in shown.places if each.before >= 0]
    assert [each.changed for each in inputs] == [
        not np.array_equal(one, other) for one, other in zip(given, before, strict=True)
    ]
    shares = [any(np.shares_memory(one, other) for other in result) for one in given]
    assert [any(slot.startswith("out") for slot in each.slots) for each in inputs] == shares
    assert len(shown.places) - len(inputs) == sum(
        not any(np.shares_memory(one, other) for other in given) for one in result
    )
    assert shown.lies == (2 if name == "native_batch_norm" else 0)
    *_, end = run(Params(operator=name))  # type: ignore[arg-type]
    assert end.fails == 0 and {each.state for each in end.roads} == {"works"}
    for each in end.keys:
        key = "AutogradCPU" if each.key == "Autograd" else each.key
        assert each.kind and torch._C._dispatch_has_computed_kernel_for_dispatch_key(call.name(), key)


def test_versions_are_those_of_the_dispatcher() -> None:
    changed = [each for each in at("call", operator="sort").places if each.changed]
    assert [(each.before, each.after) for each in changed] == [(0, 1), (0, 1)]
    hidden = [each for each in at("call", operator="native_batch_norm").places if each.changed]
    assert [(each.before, each.after, each.lie) for each in hidden] == [(0, 0, "written")] * 2
    mean, var = torch.zeros(3), torch.ones(3)
    torch.nn.functional.batch_norm(torch.randn(4, 3), mean, var, training=True)
    assert mean.any()


# -- roads --------------------------------------------------------------------------------------------------

X = np.array([1, 2, 3, 4])
EAGER = {"new": X * (2 * X + 1), "mutates": 4 * X * (4 * X + 1), "aliases": (X + 1) ** 2}
COMPILED = {**EAGER, "mutates": 2 * X * (2 * X + 1), "aliases": X * (X + 1)}
ALL = [*itertools.product(SCHEMAS, typing.get_args(Kernel), typing.get_args(Meta), (True, False))]


@pytest.mark.parametrize("case", [("scaled", "mutates", "right", True), *random.Random(7).sample(ALL, 8)])
def test_roads_by_rule(case: tuple[Any, ...]) -> None:
    operator, kernel, meta, autograd = case
    *_, end = run(Params(operator=operator, kernel=kernel, meta=meta, autograd=autograd))
    roads = {each.name: each for each in end.roads}
    state = {each.name: each.state for each in end.roads}
    assert (state["fake tensors"] == "fails") == (meta == "missing")
    assert (state["eager"] == "fails") == (kernel == "missing")
    assert state["eager"] == "fails" or roads["eager"].result == str(EAGER[kernel].tolist())
    if "missing" in (kernel, meta) or meta != "right":
        assert state["export"] == "fails" and state["compile"] == "fails"
    else:
        assert roads["export"].result == roads["eager"].result
    if operator == "scaled(a)":
        assert state["compile"] == "fails"
    elif "missing" not in (kernel, meta) and meta == "right":
        kept = operator == "scaled(a!)" and kernel == "mutates"
        assert roads["compile"].result == str((EAGER if kept else COMPILED)[kernel].tolist())
    hidden = {"mutates": operator != "scaled(a!)", "aliases": operator != "scaled(a)", "missing": True}
    assert (state["test_schema"] == "fails") == hidden.get(kernel, False)
    has = autograd and operator == "scaled"
    assert [bool(each.kind) for each in end.keys] == [kernel != "missing", meta != "missing", has]
    assert bool(end.keys[2].refused) == (autograd and operator != "scaled")
    if kernel != "missing":
        assert (state["backward"] == "warns") == (not has)


def test_the_compiled_program_drops_the_call() -> None:
    """The same with an operator that is made another way."""

    @torch.library.custom_op("another::scaled", mutates_args=())
    def scaled(x: torch.Tensor) -> torch.Tensor:
        return x.mul_(2).clone()

    scaled.register_fake(torch.empty_like)

    def program(x: torch.Tensor) -> torch.Tensor:
        scaled(x)
        y = scaled(x).add_(1)
        return x.view(4) * y.view(4)

    made = torch.compile(program, backend="aot_eager", fullgraph=True)
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert program(x.clone()).tolist() == EAGER["mutates"].tolist()
    assert made(x.clone()).tolist() == COMPILED["mutates"].tolist()
    torch._dynamo.reset()


def test_messages() -> None:
    said = {each.name: each.says for each in [*run(Params())][-1].roads}
    assert said["test_schema"] == "Argument x is not defined as mutable but was mutated"
    said = {each.name: each.says for each in [*run(Params(kernel="new", meta="missing"))][-1].roads}
    assert said["compile"] == "Operator does not support running with fake tensors"
    assert said["fake tensors"] == "UnsupportedOperatorException: ours.scaled.default"
    assert (
        first("backend='aot_eager' raised:\nRuntimeError: No (e.g. B). Then\nmore") == "RuntimeError: No (e.g. B)"
    )


def test_nothing_is_left_registered() -> None:
    ours = Ours("scaled", "new", "right", True)
    name = f"{ours.space}::scaled"
    assert [torch._C._dispatch_has_kernel_for_dispatch_key(name, key) for key in ("CPU", "Meta", "Autograd")] == [
        True,
        True,
        True,
    ]
    ours.close()
    assert not torch._C._dispatch_has_kernel(name)
    assert not any(name == each for each in torch._C._dispatch_get_all_op_names())


def test_the_poster() -> None:
    assert [*run(Params())][POSTER - 1].stage == "compile"
