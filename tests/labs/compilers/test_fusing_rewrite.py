"""No rewrite changes what a program computes; the exact ones not even a bit."""

from __future__ import annotations

from collections.abc import Collection

import fusing_programs as programs
import numpy as np
import pytest
from labs.compilers.fusing_compiler.backward import with_backward
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.models.fusing.evaluate import evaluate
from labs.models.fusing.formulas import ALL
from labs.models.fusing.graph import walk
from labs.models.fusing.read import Graph, read
from labs.models.fusing.rewrite import EXACT, GROUPS, Rewrite, Rewriter, rewritten

BITS = ("dead code", "common", "constants", "identities", "casts", "broadcasts")


def check(graph: Graph, groups: Collection[str], exact: bool, seed: int = 0, way: str = "close") -> int:
    inputs = programs.numbers(graph.inputs, seed)
    wanted = evaluate(graph.outputs, inputs, exact)
    steps = list(Rewriter(graph, groups).run())
    assert len(steps) < 400, "it does not come to an end"
    for step in steps[-1:]:
        for mine, theirs, old, new in zip(
            evaluate(step.graph.outputs, inputs, exact), wanted, graph.outputs, step.graph.outputs, strict=True
        ):
            assert (old.shape, old.dtype) == (new.shape, new.dtype)
            if way == "bits":
                assert mine.tobytes() == theirs.tobytes()
            else:
                np.testing.assert_allclose(mine, theirs, rtol=1e-7, atol=1e-8)
    return len(steps)


def test_exact_rules_keep_every_bit() -> None:
    for seed in range(300):
        graph = read(programs.generate(seed))
        check(with_backward(graph) if seed % 2 else graph, BITS, exact=False, seed=seed, way="bits")


@pytest.mark.parametrize("groups", [EXACT, tuple(GROUPS)], ids=["exact", "fast"])
def test_all_rules_against_float64(groups: tuple[str, ...]) -> None:
    for seed in range(300):
        source = programs.generate(seed).replace("f32", "f64")
        graph = read(source)
        try:
            check(with_backward(graph) if seed % 2 else graph, groups, exact=True, seed=seed)
        except AssertionError as wrong:
            raise AssertionError(f"{seed}\n{source}\n{wrong}") from wrong


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_gallery(name: str, back: bool) -> None:
    graph = read(programs.small(PROGRAMS[name]).replace("f32", "f64"))
    check(with_backward(graph) if back else graph, tuple(GROUPS), exact=True)


def steps(line: str, groups: Collection[str] = EXACT, head: str = "x: f32[3, 4]") -> list[Rewrite]:
    return list(Rewriter(read(f"def f({head}):\n    return {line}\n"), groups).run())


def ops(graph: Graph) -> list[str]:
    return [node.op for node in walk(graph.outputs) if node.op != "input"]


LINES = {
    "constants: fold": ("x * (x * 0 + 1).shape[0] + (3 > 2)", None),
    "identities: one": ("x * 1", []),
    "identities: minus zero": ("x - 0.0", []),
    "identities: minus one": ("x * -1", ["neg"]),
    "identities: double sign": ("-(-x)", []),
    "identities: signs meet": ("x + -x", ["sub"]),
    "identities: same": ("maximum(x, x)", []),
    "identities: divide by a power of two": ("x / 4", ["const", "mul"]),
    "identities: square": ("x ** 2", ["mul"]),
    "identities: reciprocal": ("x ** -1", ["const", "div"]),
    "casts: there and back": ("x.to(f64).to(f32)", []),
    "transposes: two transposes": ("x.T.T", []),
    "transposes: two reshapes": ("x.reshape(12).reshape(4, 3).reshape(3, 4)", []),
    "transposes: transpose later": ("exp(x.T).T", ["exp"]),
    "transposes: reduce, then transpose": ("x.T.sum(0, keepdim=True).T", ["sum"]),
    "transposes: transposed product": ("(x @ x.T).T", ["permute", "matmul"]),
    "broadcasts: repeat later": ("exp(x[:1].expand(3, 4))", ["slice", "exp", "broadcast"]),
    "broadcasts: repeat once": ("x[:1, :1].expand(3, 1).expand(3, 4)", ["slice", "broadcast"]),
    "broadcasts: greatest of equals": ("x[:1].expand(3, 4).amax(0)", ["slice", "reshape"]),
    "patterns: GELU": ("0.5 * x * (1 + erf(x / sqrt(2)))", ["gelu"]),
    "patterns: sigmoid in tanh": ("0.5 * (1 + tanh(x))", ["const", "mul", "sigmoid"]),
    "patterns: sigmoid": ("1 / (1 + exp(-x))", ["sigmoid"]),
    "patterns: safe softmax": ("exp(x) / exp(x).sum()", None),
    "patterns: log of softmax": ("log(softmax(x))", None),
    "common: equal": ("exp(x) * exp(x)", ["exp", "mul"]),
    "fast math: plus zero": ("x + 0", []),
    "fast math: times zero": ("x * 0", ["const"]),
    "fast math: itself": ("x - x", ["const"]),
    "fast math: constants together": ("x * 2 * 3", ["const", "mul"]),
    "fast math: times the reciprocal": ("x / 3", ["const", "mul"]),
    "fast math: divide once": ("x / x.sum()", None),
    "fast math: small power": ("x ** 4", ["mul", "mul"]),
    "fast math: root": ("x ** 0.5", ["sqrt"]),
    "fast math: reciprocal root": ("x / sqrt(x)", ["rsqrt", "mul"]),
    "fast math: there and back": ("log(exp(x))", []),
    "fast math: out of the sum": ("(x * 3).sum(0, keepdim=True)", ["sum", "const", "mul"]),
    "fast math: sum of equals": ("x[:1].expand(3, 4).sum(0)", None),
    "fast math: relu": ("where(x > 0, x, 0)", ["const", "max"]),
}


@pytest.mark.parametrize("name", LINES)
def test_each_rule_finds_what_it_is_for(name: str) -> None:
    line, left = LINES[name]
    made = steps(line, (*GROUPS,) if name.startswith("fast") else EXACT)
    if name == "constants: fold":
        made = list(Rewriter(with_backward(read("def f(x: f32[4]):\n    return (-x).sum()\n")), EXACT).run())
    assert name in {f"{each.group}: {each.name}" for each in made}
    if left is not None:
        assert sorted(ops(made[-1].graph)) == sorted(left)


def test_every_rule_has_a_line() -> None:
    known = {f"{each.group}: {each.name}" for each in ALL}
    assert known <= set(LINES)


@pytest.mark.parametrize("line", ["x + 0.0", "x * 0", "x - x", "x / 3", "x ** 3", "where(x > 0, x, 0)", "0.0 - x"])
def test_what_is_not_exact_waits_for_fast_math(line: str) -> None:
    assert not steps(line)


def test_a_group_that_is_off_does_nothing() -> None:
    for group in GROUPS:
        rest = [each for each in GROUPS if each != group]
        for name in PROGRAMS:
            assert all(each.group != group for each in Rewriter(read(PROGRAMS[name]), rest).run())


def test_dead_code_is_named() -> None:
    first = next(Rewriter(read(PROGRAMS["untidy"]), EXACT).run())
    assert first.name == "dead"
    assert [node.op for node in first.before if node.op != "const"] == ["exp", "add"]


def test_a_softmax_that_overflowed_does_not() -> None:
    graph = read("def f(x: f32[2, 3]):\n    return exp(x) / exp(x).sum(-1, keepdims=True)\n")
    x = np.array([[1000.0, 0, 0], [1, 2, 3]])
    assert np.isnan(evaluate(graph.outputs, {"x": x}, exact=False)[0][0, 0])
    found = evaluate(rewritten(graph).outputs, {"x": x}, exact=False)[0]
    np.testing.assert_allclose(found.sum(-1), 1, rtol=1e-6)
    assert found[0, 0] == 1


def test_nodes_keep_their_numbers() -> None:
    before: dict[int, str] = {}
    for step in Rewriter(read(PROGRAMS["untidy"]), EXACT).run():
        for node in walk(step.graph.outputs):
            number = step.numbers[node]
            if number in before and not any(node is each for each in walk([step.after] if step.after else [])):
                assert before[number] == node.op
            before[number] = node.op
