"""What is joined and what is refused, and why; that joining never changes a result is in test_fusing_loops."""

from __future__ import annotations

import itertools

import pytest
from fusing_agreement import agrees
from labs.compilers.fusing_compiler.programs import PROGRAMS
from labs.models.fusing.accesses import values
from labs.models.fusing.cost import Machine, costs
from labs.models.fusing.fuse import Decision, Fusion, Policy, fuse
from labs.models.fusing.loops import Apply, Expr, Let, Loop, Product, Program, Start, Store, Update, statements
from labs.models.fusing.passes import Passes, optimised
from labs.models.fusing.read import read


def fused(source: str, policy: Policy = "cost", machine: Machine | None = None) -> Fusion:
    return fuse(read(source).outputs, policy, machine)


def refused(fusion: Fusion) -> list[Decision]:
    return [each for each in fusion.decisions if not each.joined]


def calls(fusion: Fusion, op: str) -> int:
    def within(value: Expr) -> int:
        return (value.op == op) + sum(map(within, value.args)) if isinstance(value, Apply) else 0

    found = (each for kernel in fusion.program.kernels for each in statements(kernel.body))
    return sum(within(value) for each in found for value in values(each))


ALONE = ("chain", "softmax", "squares", "neuron", "columns", "gelu-tanh", "gelu-erf", "layer-norm", "linear-gelu")


@pytest.mark.parametrize("name", [*ALONE, "attention", "transposed", "bf16-chain"])
def test_one_kernel(name: str) -> None:
    assert len(fused(PROGRAMS[name]).program.kernels) == 1


def test_one_exponential_and_not_sixteen() -> None:
    """Values that are used twice are computed once; inlined at each use they double with every line."""
    assert calls(fused(PROGRAMS["squares"]), "exp") == 1
    assert calls(fused(PROGRAMS["squares"], "greedy"), "exp") == 16


def test_a_row_is_not_computed_again_for_every_row() -> None:
    source = "def f(b: f32[2048], x: f32[2048, 2048]):\n    return x + exp(b)\n"
    (decision,) = refused(fused(source))
    assert decision.why == "recompute" and decision.after
    assert decision.after.operations > 2 * decision.before.operations
    assert decision.after.bytes < decision.before.bytes
    assert not refused(fused(source, "greedy"))


def test_what_is_used_transposed_is_not_computed_twice() -> None:
    source = "def f(x: f32[1024, 1024]):\n    e = tanh(exp(x)) ** 3.7\n    return e + e.T\n"
    assert [each.why for each in refused(fused(source))] == ["recompute"]


def test_a_tile_is_worth_more_than_a_kernel() -> None:
    """Joined with a sum along its rows, x + y.T could no longer go in tiles, and would load y line by line."""
    source = "def f(x: f32[1024, 1024], y: f32[1024, 1024]):\n    return (x + y.T).sum(-1)\n"
    (decision,) = refused(fused(source, machine=Machine(1 << 14)))
    assert decision.why == "working set" and decision.after
    assert decision.after.bytes > 3 * decision.before.bytes
    assert not refused(fused(source, "greedy", Machine(1 << 14)))


def test_a_product_is_not_computed_again_for_every_block() -> None:
    (decision,) = refused(fused(PROGRAMS["two-matmuls"]))
    assert decision.why == "product" and decision.after
    assert decision.after.products > 5 * decision.before.products


def test_what_waits_for_what_it_feeds_is_not_joined() -> None:
    """b reads a through a sum of all rows: no loop could do both at once."""
    fusion = fused(
        "def f(x: f32[64, 512]):\n    a = exp(x)\n    return a * a.sum(0, keepdims=True).sum(1, keepdims=True)\n"
    )
    assert {each.why for each in refused(fusion)} <= {"order", "shape"} and len(fusion.program.kernels) > 1


def test_siblings_go_over_their_input_once() -> None:
    fusion = fused("def f(x: f32[2048, 512], y: f32[2048, 512]):\n    return (x * y).sum(0), x.sum(0)\n")
    assert len(fusion.program.kernels) == 1
    assert len(fusion.program.kernels[0].body) == 1


def test_small_tensors_are_joined_for_the_launch() -> None:
    fusion = fused("def f(x: f32[64]):\n    return exp(x) + 1\n")
    assert [each.why for each in fusion.decisions] == ["launch"]
    assert not fused("def f(x: f32[64]):\n    return exp(x) + 1\n", "none").decisions


@pytest.mark.parametrize("name", PROGRAMS)
def test_joining_pays_as_predicted(name: str) -> None:
    apart, joined = (costs(fused(PROGRAMS[name], policy).program, Machine()) for policy in ("none", "cost"))
    assert sum(each.time for each in joined) <= sum(each.time for each in apart)
    assert sum(each.bytes for each in joined) <= 1.01 * sum(each.bytes for each in apart)


def test_scores_never_exist_at_once() -> None:
    (kernel,) = fused(PROGRAMS["attention"]).program.kernels
    assert {each.role for each in kernel.buffers} == {"input", "output", "local"}
    assert max(each.size for each in kernel.buffers if each.role == "local") <= 96 * 128
    inside = [each for each in statements(kernel.body) if isinstance(each, Product)]
    assert len(inside) == 2


SIZES = [(5, 7, 4, 3), (1, 1, 1, 1), (200, 300, 8, 5), (97, 128, 2, 1), (10, 257, 3, 3), (1, 129, 4, 4)]
SCORES = (
    "q @ k.transpose(-1, -2) / 3",
    "where(w > 0, q @ k.transpose(-1, -2), -10000000.0)",
    "q @ k.transpose(-1, -2) + w",
)


@pytest.mark.parametrize("sizes", SIZES)
def test_attention_of_any_length(sizes: tuple[int, ...]) -> None:
    rows, keys, depth, columns = sizes
    for scores, batch, block in itertools.product(SCORES, ("", "3, "), (4, 96)):
        graph = read(
            f"def f(q: f32[{batch}{rows}, {depth}], k: f32[{batch}{keys}, {depth}],"
            f" v: f32[{batch}{keys}, {columns}], w: f32[{rows}, {keys}]):\n"
            f"    s = q @ k.transpose(-1, -2)\n"
            f"    return softmax({scores}, -1) @ v\n"
        )
        program = fuse(graph.outputs, "greedy", block=block).program
        assert len(program.kernels) == 1
        agrees(graph, program)
        agrees(graph, optimised(program, Passes())[0])


def test_rows_that_do_not_fit_are_not_kept() -> None:
    """A local buffer is never longer than a turn may keep; beyond that values are computed again."""
    for columns, kept in ((4096, 1), (1 << 20, 0)):
        (kernel,) = fused(f"def f(x: f32[4, {columns}]):\n    return softmax(x, -1)\n").program.kernels
        assert sum(each.role == "local" for each in kernel.buffers) == kept


def test_every_statement_knows_its_node() -> None:
    for source in PROGRAMS.values():
        graph = read(source)
        program = fuse(graph.outputs).program
        for kernel in program.kernels:
            for each in statements(kernel.body):
                if isinstance(each, Let | Start | Update | Store | Product):
                    assert each.node >= 0
                assert not isinstance(each, Loop) or each.extent > 1


def online(program: Program) -> set[str]:
    found = (each for kernel in program.kernels for each in statements(kernel.body))
    return {each.monoid for each in found if isinstance(each, Start)} & {"softmax", "moments"}


@pytest.mark.parametrize(("body", "monoid"), [("softmax(x, -1)", "softmax"), ("layer_norm(x)", "moments")])
def test_two_reductions_in_one_pass_over_rows_that_do_not_fit(body: str, monoid: str) -> None:
    for columns in (5, 64, 333):
        graph = read(f"def f(x: f32[6, {columns}]):\n    return {body}\n")
        small, large = (fuse(graph.outputs, machine=Machine(cache)) for cache in (1 << 8, 1 << 20))
        assert not online(large.program)
        if columns > 64:
            assert online(small.program) == {monoid}
            apart = sum(each.bytes for each in costs(large.program, Machine(1 << 8)))
            assert sum(each.bytes for each in costs(small.program, Machine(1 << 8))) < 0.9 * apart
        agrees(graph, small.program)
        agrees(graph, optimised(small.program, Passes(width=16, unroll=2))[0])


NARROWED = {
    "bf16": "h = exp(x).to(bf16).to(f32)\n    return h / h.sum(-1, keepdims=True)",
    "i8": "h = exp(x).to(i8).to(i32)\n    return h - h.amax(-1, keepdims=True)",
}


@pytest.mark.parametrize("policy", ["none", "greedy", "cost"])
@pytest.mark.parametrize("kind", NARROWED)
def test_a_row_that_was_only_widened_is_kept(kind: str, policy: Policy) -> None:
    graph = read(f"def f(x: f32[17, 100]):\n    {NARROWED[kind]}\n")
    agrees(graph, fuse(graph.outputs, policy, None).program)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_kept_was_stored(name: str) -> None:
    for kernel in fuse(read(PROGRAMS[name]).outputs).program.kernels:
        local = {each.name for each in kernel.buffers if each.role == "local"}
        body = [*statements(kernel.body)]
        stored = {each.buffer for each in body if isinstance(each, Store)}
        stored |= {each.out.buffer for each in body if isinstance(each, Product)}
        assert local <= stored
