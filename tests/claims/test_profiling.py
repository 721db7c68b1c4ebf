"""What the chapter on profiling says, asked of its recordings, of its lab and of torch."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache

import numpy as np
import torch
from article import CONTENT, Article, recorded
from native.models.torch_threads import one_thread
from native.pytorch.profiler_trace import Params, record
from native.pytorch.profiler_trace.programs import BATCH, EVERY, PROGRAMS
from native.pytorch.profiler_trace.spans import Spans, rows, spans

ARTICLE = Article("pytorch/15-profiling.mdx")
says = ARTICLE.says
LAB = "pytorch/profiler_trace"


@cache
def found(params: Params) -> Spans:
    with one_thread():
        _, profiler = record.traced(params)
    return spans(profiler.events())


def calls(params: Params) -> dict[str, int]:
    return {each.name: each.calls for each in rows(found(params))}


def test_the_opening() -> None:
    says("The recording began with the first step, and in its first step the program reads its data, once")
    first, later = recorded(LAB, "from_the_first")[-1], recorded(LAB)[-1]
    assert first["rows"][0]["name"] == "load" and first["rows"][0]["share"] > 50
    assert all(each["name"] != "load" for each in later["rows"][:5])
    says("In every other step, `load` only takes a slice of a tensor")
    assert {"aten::slice", "aten::as_strided"} <= calls(Params()).keys()
    assert [each["phase"] for each in first["steps"][:3]] == ["active", "active", "after"]


def test_names_and_nesting() -> None:
    of = found(Params())
    around: list[str] = []
    seen = set()
    for name, depth in zip(of.name, of.depth, strict=True):
        del around[depth:]
        around.append(of.names[name])
        seen.add(" > ".join(around[1:]))
    says("`linear` in `forward`, `addmm` in `linear`")
    assert "forward > aten::linear > aten::addmm" in seen
    says("has a span there, with the operators that it calls below it")
    node = "autograd::engine::evaluate_function: AddmmBackward0"
    assert f"backward > {node} > AddmmBackward0 > aten::mm" in seen


def test_self_times_count_each_moment_once() -> None:
    says("What remains is the time of the outermost spans")
    of = found(Params())
    assert int(of.own.astype(int).sum()) == int(of.took[of.depth == 0].astype(int).sum())
    assert of.took.astype(int).sum() > 2 * of.own.astype(int).sum()
    says("`validate` takes long, but most of that time is spent in the operators that it calls")
    validate = next(each for each in rows(of) if each.name == "validate")
    assert validate.own < 0.5 * validate.total


def test_what_the_schedule_hides() -> None:
    says("Every fourth step of the program ends with a validation")
    assert EVERY == 4
    says("Record step 3 alone, and `validate` is not in the trace")
    assert "validate" not in calls(Params(active=1)) and "validate" in calls(Params())
    steps = recorded(LAB)[-1]["steps"]
    says("Step 1 took … ms, the other steps between … and … ms")
    rest = sorted(each["ms"] for each in steps[1:])
    assert rest[0] == steps[5]["ms"] and rest[-1] == steps[3]["ms"] < steps[0]["ms"] / 2


def test_the_first_step_does_more() -> None:
    says("reads data, allocates memory for the first time, and gives the optimizer its state")
    program = PROGRAMS["healthy"]()
    assert program.data is None and not program.optimizer.state
    program.step()
    assert program.data is not None and len(program.optimizer.state) == 6


def test_the_cost_is_a_cost_per_span() -> None:
    says("The profiler charges by the span", "and pays accordingly")
    healthy, many = recorded(LAB)[-1], recorded(LAB, "compared_c")[-1]
    assert many["spans"][1] > 2.5 * healthy["spans"][1]
    more = [each["cost"][1, 1] - each["cost"][0, 1] for each in (healthy, many)]
    assert more[1] > 1.5 * more[0] > 0
    says("a trace exaggerates code that consists of many small operators")
    slower = [each["cost"][1, 1] / each["cost"][0, 1] for each in (healthy, many)]
    assert slower[1] > slower[0]
    for each in (healthy, many):
        off, on, _, stack = each["cost"][:, 1]
        assert off < on < stack
    says("Without it a step takes … ms, with it … ms, and with stacks … ms")


def test_shapes_hold_references() -> None:
    says("the profiler holds references to tensors for a while, which can cause additional copies")
    text = " ".join((torch.profiler.profile.__doc__ or "").split())
    assert "temporarily hold references to the tensors" in text and "extra tensor copies" in text


def test_a_schedule_is_as_the_chapter_says() -> None:
    says("`warmup` steps that are recorded and thrown away")
    of = calls(Params(wait=0, warmup=2, active=1, steps=3))
    assert of["load"] == 1


def test_the_code_records_a_whole_round() -> None:
    says("Without `profiler.step()` the schedule never moves on, and there is nothing to print")
    says("Without `repeat=1` it starts again after six steps, and drops what it has recorded")
    code = ARTICLE.text.partition("```python\n")[2].partition("```")[0]
    setting = "import torch\nbatches, step = [torch.ones(1, 2)] * 7, torch.nn.Linear(2, 2)\n"

    def steps(code: str) -> list[str]:
        done = subprocess.run([sys.executable, "-c", setting + code], capture_output=True, text=True, check=False)
        return [line.split()[-1] for line in done.stdout.splitlines() if line.strip().startswith("aten::linear ")]

    assert steps(code) == ["4"]
    assert steps(code.replace("        profiler.step()\n", "")) == []
    assert steps(code.replace(", repeat=1", "")) == []


def test_what_the_programs_do() -> None:
    says("A span that is long and almost empty".lower())
    shares = recorded(LAB, "compared_a")[-1]["differences"]
    assert shares[0]["name"] == "load" and shares[0]["here"] > 20 * shares[0]["healthy"]
    of = found(Params(program="A", wait=1, warmup=0, active=1, steps=2))
    load = of.names.index("load")
    at = int(np.flatnonzero(of.name == load)[0])
    assert of.own[at] > 0.9 * of.took[at]
    inside = calls(Params(program="A", wait=1, warmup=0, active=1, steps=2, with_stack=True))
    assert any("<listcomp>" in each or "numbers" in each for each in inside)

    says("almost the same spans as before, some of them longer")
    healthy, b = (calls(Params(program=each)) for each in ("healthy", "B"))
    for name in ("aten::mm", "aten::addmm", "aten::relu", "aten::mul", "backward"):
        assert healthy[name] == b[name], name
    assert recorded(LAB, "compared_b")[-1]["differences"][0]["name"] == "aten::mm"
    shown = found(Params(program="B", record_shapes=True)).shapes
    assert any("double 64×256" in each for each in shown)
    says("computes two layers in float64")
    kinds = [each.weight.dtype for each in PROGRAMS["B"]().net.children()]
    assert kinds == [torch.float32, torch.float64, torch.float64]

    says("many more spans than before, each of them short")
    c = calls(Params(program="C"))
    assert c["aten::item"] == 2 * BATCH


def test_how_many_spans() -> None:
    says("About seven more for each row")
    params = {each: Params(program=each, wait=1, warmup=0, active=1, steps=2) for each in ("healthy", "C")}  # type: ignore[arg-type]
    more = len(found(params["C"]).took) - len(found(params["healthy"]).took)
    assert 6.5 * BATCH < more < 8 * BATCH
    says("64 times select, select, eq and item")
    of, plain = calls(params["C"]), calls(params["healthy"])
    assert BATCH == of["aten::item"] == of["aten::_local_scalar_dense"] == 64
    assert of["aten::select"] - plain.get("aten::select", 0) == 2 * BATCH
    assert of["aten::eq"] == BATCH


def test_links_lead_to_the_steps_they_mean() -> None:
    assert ARTICLE.text.count("<Set ") <= len(ARTICLE.plain.split()) // 100
    assert "Profiling" not in json.loads((CONTENT / "pytorch/series.json").read_text())["planned"]
