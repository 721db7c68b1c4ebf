"""Whatever the program, its lengths, the cache, the policy and the passes: the same result."""

from __future__ import annotations

from fusing_agreement import agrees
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.models.fusing.cost import Machine
from labs.models.fusing.fuse import Policy, fuse
from labs.models.fusing.passes import Passes, optimised
from labs.models.fusing.read import read

LENGTHS = st.sampled_from((1, 2, 3, 5, 8, 13, 16, 17, 31, 33))
LINES = (
    *("x = tanh(x + y)", "x = x * w", "y = exp(-abs(x)) + y.mean(0)", "x = softmax(x, -1)", "y = layer_norm(y)"),
    *("y = x - x.amax(0, keepdims=True)", "x = x.T.exp().T + y", "y = (x @ x.T) @ y", "x = x[::2].sum(0) * w + x"),
    *("x = x + x.sum()", "y = gelu(y @ (w * w[:, None])) + w", "x = x.to(f64).to(f32) + y"),
    "y = where(x > y, x, 1)",
    *(
        "x = softmax(x, 0)",
        "y = (y - y.mean(0)) * rsqrt(y.var(0, correction=0) + 1) + x",
        "x = x - logsumexp(y, 0)",
    ),
)
PROGRAM = st.lists(st.sampled_from(LINES), min_size=1, max_size=5)
PASSES = st.builds(
    Passes,
    rows_first=st.booleans(),
    tile=st.sampled_from((0, 2, 3, 16)),
    width=st.sampled_from((0, 16, 32, 64)),
    unroll=st.integers(1, 4),
    columns=st.sampled_from((1, 3, 64)),
)
POLICIES = st.sampled_from(("none", "greedy", "cost"))


@settings(max_examples=100, deadline=None)
@given(LENGTHS, LENGTHS, PROGRAM, POLICIES, PASSES, st.integers(8, 20))
def test_any_program(rows: int, columns: int, lines: list[str], policy: Policy, passes: Passes, cache: int) -> None:
    head = f"def f(x: f32[{rows}, {columns}], y: f32[{rows}, {columns}], w: f32[{columns}]):"
    moderate = (f"{name} = tanh({value})" for name, value in (line.split(" = ") for line in lines))
    graph = read("\n    ".join([head, *moderate, "return x, y"]) + "\n")
    program = fuse(graph.outputs, policy, Machine(1 << cache), block=5, passes=passes).program
    agrees(graph, optimised(program, passes)[0])
