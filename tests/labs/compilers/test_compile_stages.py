"""The stages of real compilations, against what is known of the programs: operations, lines, bytes, breaks."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from extent import ALL, chosen
from labs.contract import pack
from native.compilers.compile_stages import Calls, Compilation, Params, Stage, Story, Worth, costs, run
from native.compilers.compile_stages.programs import PROGRAMS, source
from native.models.stages.pictures import COMES_FROM, TITLES

INDUCTOR = ("passes", "loops", "fused", "cpp", "assembly")


# One that fuses, one that breaks off, one that writes in place; the way back is taken by a network.
TYPICAL = chosen(PROGRAMS, ("chain", "branch", "in_place"))
BREAKS = [("branch", "branch"), ("talks", "`print`")]
pytestmark = pytest.mark.xdist_group("compile_stages")  # compilations are shared within a worker


def story(program: Any = "chain", **params: Any) -> list[Any]:
    """One program is compiled for another shape as well, which takes as long again."""
    return compiled(asked(program=program, other=36 if program == "chain" or ALL else 48, **params))


def asked(**params: Any) -> Params:
    return Params(**{"rows": 48, "columns": 40, "other": 36, **params})


def calls(folder: Path, **params: Any) -> Calls:
    """The last picture alone: the stages before it, which it does not hang on, take seconds."""
    lines, first, file = source(PROGRAMS["chain"])
    return Compilation(asked(**params), Story(lines), first, file, folder).calls()


@cache
def compiled(params: Params) -> list[Any]:
    return list(run(params))


def stages(log: list[Any], name: str) -> list[Stage]:
    return [event for event in log if event.kind == "stage" and event.stage == name]


def last(log: list[Any], kind: type) -> Any:
    return next(event for event in reversed(log) if isinstance(event, kind))


def done(stage: Stage) -> set[int]:
    return {each for row in stage.rows for each in row.operations}


@pytest.mark.parametrize("program", TYPICAL)
def test_every_program_goes_the_whole_way_and_answers_as_before(program: Any) -> None:
    log = story(program=program)
    assert [event.stage for event in log[:2]] == ["source", "bytecode"]
    assert [event.kind for event in log[-2:]] == ["worth", "calls"]
    first = [event for event in log if event.kind == "stage" and event.part == "graph 1"]
    order = [event.stage for event in first if event.stage != "break"]
    assert order == ["graph", "forward", *INDUCTOR, "rewritten", "guards"]
    worth = last(log, Worth)
    assert worth.difference < 1e-5
    assert worth.bytes <= worth.eager_bytes and worth.kernels <= worth.eager_kernels
    assert worth.graphs == {"branch": 2, "talks": 2}.get(program, 1)
    for event in log:
        assert event.source == source(PROGRAMS[program])[0]
        assert len(repr(pack(event))) < 200_000 and "/tmp" not in repr(event) and "site-packages" not in repr(event)


@pytest.mark.parametrize("program", TYPICAL)
def test_a_stage_stands_beside_the_one_that_it_was_made_from(program: Any) -> None:
    shown: dict[str, Any] = {}
    for event in story(program=program):
        if event.kind != "stage":
            continue
        before = {TITLES[each]: shown[each] for each in COMES_FROM.get(event.stage, ()) if each in shown}
        assert event.before in before if before else event.before == ""
        if before:
            assert event.earlier == before[event.before]
        shown[event.stage] = event.rows


@pytest.mark.parametrize("program", chosen(["chain", "softmax", "layer_norm", "dimensions", "halves"], ["chain"]))
def test_no_operation_is_lost_between_the_source_and_the_assembly(program: Any) -> None:
    log = story(program=program)
    (graph, *_) = stages(log, "graph")
    asked = {n for n, each in enumerate(graph.operations) if "item" not in each.name and "size" not in each.name}
    for name in ("forward", "passes", "loops", "fused", "cpp"):
        lost = {graph.operations[n].name for n in asked - done(stages(log, name)[0])}
        assert lost <= ({"getitem", "getitem_1"} if program == "halves" else set()), name
    assert len(done(stages(log, "assembly")[0])) >= 0.6 * len(asked), "some are one instruction with others"


@pytest.mark.parametrize("program", TYPICAL)
def test_what_a_pass_makes_anew_is_the_work_of_what_it_replaces(program: Any) -> None:
    """Softmax after a division becomes other operations; so does writing into a row."""
    for name in ("forward", "passes", "loops", "fused"):
        for stage in stages(story(program=program), name):
            assert [row.text for row in stage.rows if not row.head and not row.operations] == [], name


def test_operations_know_their_lines() -> None:
    log = story()
    graph = stages(log, "graph")[0]
    assert [(each.name, each.line) for each in graph.operations] == [
        ("mul", 2),
        ("y", 2),
        ("relu", 3),
        ("z", 3),
        ("mul_1", 4),
        ("add_1", 4),
        ("sqrt", 4),
    ]
    cpp = stages(log, "cpp")[0]
    (root,) = [row for row in cpp.rows if ".sqrt()" in row.text]
    assert root.operations == (6,)
    (instruction,) = {row.operations for row in stages(log, "assembly")[0].rows if "sqrtps" in row.text}
    assert instruction == (6,), "the root is operation 6 down to its instruction"


def test_seven_operations_are_one_loop_that_reads_and_writes_once() -> None:
    worth = last(story(), Worth)
    size = 48 * 40 * 4
    assert (worth.eager_kernels, worth.kernels) == (7, 1)
    assert worth.bytes == 2 * size
    # mul, add, relu, + 1 and sqrt read one and write one; z = … − x reads two, and z * z reads z twice.
    assert worth.eager_bytes == (5 * 2 + 2 * 3) * size


def test_a_view_moves_nothing() -> None:
    x = torch.ones(4, 6)
    with costs.Counted() as counted:
        x.T[1:].sum()
    assert (counted.kernels, counted.bytes) == (1, (5 * 4 + 1) * 4)


def test_a_step_yields_the_result_and_the_gradients() -> None:
    x, y = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 4.0])
    found = costs.step(lambda a, b: a * a * b, [x, y], True)()
    assert [each.tolist() for each in found] == [[3.0, 16.0], [6.0, 16.0]]


@pytest.mark.parametrize(
    ("program", "why"), chosen([("branch", "branch"), ("talks", "`print`")], [("branch", "branch")])
)
def test_where_a_graph_breaks_and_why(program: Any, why: str) -> None:
    (broken, *_) = stages(story(program=program), "break")
    assert broken.rows[0].line == 3 and why in f"{broken.rows[0].text} {broken.text}".lower(), (
        "and not which instruction of Python's calls it"
    )
    assert not stages(story(), "break")


def test_another_shape_breaks_a_condition_and_opens_the_size() -> None:
    log = story()
    (again,) = stages(log, "again")
    assert "size mismatch at index 0. expected 48, actual 36" in again.rows[0].text
    first, second = stages(log, "guards")
    assert any("[48, 40]" in row.text for row in first.rows)
    assert any("[any, 40]" in row.text for row in second.rows)
    assert any("f32[s" in row.text for row in stages(log, "graph")[1].rows)


@pytest.mark.parametrize(
    ("dynamic", "compiled", "python"), [("when they change", 2, 0), ("always", 1, 0), ("never", 8, 3)]
)
def test_how_often_shapes_are_compiled_for(dynamic: Any, compiled: int, python: int, tmp_path: Path) -> None:
    found = last(story(), Calls) if dynamic == "when they change" else calls(tmp_path, dynamic=dynamic)
    assert (found.compiled, found.limit) == (compiled, 8)
    assert f", {compiled} {'is' if compiled == 1 else 'are'} newly compiled" in found.text
    assert [each.done for each in found.calls].count("Python") == python
    assert len({each.rows for each in found.calls}) == len(found.calls) == 11
    assert all(each.why.startswith("tensor 'x' size mismatch") for each in found.calls[1:compiled])
    assert "11 calls, each with a different number of rows" in found.text


def test_a_second_call_of_the_same_shape_compiles_nothing(tmp_path: Path) -> None:
    found = calls(tmp_path, other=48)
    assert [each.done for each in found.calls[:2]] == ["compiled", "reused"]
    assert "11 calls, two of them with the same number of rows" in found.text


def test_the_way_back_is_a_graph_of_its_own() -> None:
    log = story(program="mlp", gradients=True)
    (joint, *_), (forward, *_), (backward, *_) = (stages(log, name) for name in ("joint", "forward", "backward"))
    counts = [sum(bool(row.operations) for row in each.rows) for each in (joint, forward, backward)]
    assert counts[1] < counts[0] and counts[2] < counts[0]
    assert any(event.part.endswith("way back") for event in stages(log, "assembly"))
    assert done(backward) >= {0, 1, 2}, "what goes back is marked by what went forth"
    assert last(log, Worth).difference < 1e-5


@pytest.mark.parametrize("program", chosen(["mlp", "softmax", "custom", "in_place"], ["mlp"]))
def test_gradients_are_as_before(program: Any) -> None:
    assert last(story(program=program, gradients=True), Worth).difference < 1e-5


def test_the_programs_do_what_their_names_say() -> None:
    (x,) = PROGRAMS["softmax"].inputs(5, 7)
    e = np.exp(x.numpy() - x.numpy().max(1, keepdims=True))
    np.testing.assert_allclose(PROGRAMS["softmax"].function(x).numpy(), e / e.sum(1, keepdims=True), rtol=1e-5)
    x, weight, bias = PROGRAMS["layer_norm"].inputs(5, 7)
    expected = torch.nn.functional.layer_norm(x, (7,), weight, bias)
    torch.testing.assert_close(PROGRAMS["layer_norm"].function(x, weight, bias), expected)
    q, k, v = PROGRAMS["attention"].inputs(5, 7)
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v)
    torch.testing.assert_close(PROGRAMS["attention"].function(q, k, v), expected)
    x, weight, bias, mean, variance = PROGRAMS["conv_norm"].inputs(5, 7)
    y = torch.nn.functional.conv2d(x, weight, bias, padding=1) - mean.view(3, 1, 1)
    y = y / torch.sqrt(variance.view(3, 1, 1) + 1e-5)
    torch.testing.assert_close(
        PROGRAMS["conv_norm"].function(x, weight, bias, mean, variance), torch.nn.functional.silu(y)
    )
    x, codes, scales, bias = PROGRAMS["quantized"].inputs(20, 16)
    full = torch.relu(x @ (codes * scales) + bias)
    assert (PROGRAMS["quantized"].function(x, codes, scales, bias) - full).abs().max() < 0.05 * full.max()
