"""What the article on torch.compile says, asked of recordings, of PyTorch, and of the lab."""

from __future__ import annotations

import importlib.util
import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from article import Article, recorded
from native.compilers.compile_stages import calls
from native.compilers.compile_stages.programs import PROGRAMS

LAB = "compilers/compile_stages"
ARTICLE = Article("compilers/01-what-torch-compile-does.mdx")
says = ARTICLE.says


def stages(name: str = "default") -> list[dict[str, Any]]:
    return recorded(LAB, name)


def last(kind: str, name: str = "default") -> dict[str, Any]:
    return next(event for event in reversed(stages(name)) if event["kind"] == kind)


def texts(event: dict[str, Any]) -> str:
    return "\n".join(row["text"] for row in event["rows"])


def test_the_program_of_the_article_is_the_lab_s() -> None:
    code = re.search(r"```python\n(def chain.*?)```", ARTICLE.text, re.S)
    assert code and code[1].split() == inspect.getsource(PROGRAMS["chain"].function).split("  # type")[
        0
    ].split() + (inspect.getsource(PROGRAMS["chain"].function).split("]\n", 1)[1].split())


def test_the_chain_is_faster_with_fewer_bytes_after_seconds() -> None:
    says("makes it … times as fast.", "moves an eighth of the bytes and is not eight times as fast")
    says("That takes … seconds, which … calls earn back.")
    worth = last("worth")
    assert worth["kernels"] == 1 and worth["eager_kernels"] == 7
    assert worth["speedup"] > 1.5 and worth["compile_seconds"] > 1 and worth["pays_after"] > 100
    says("That the program is not eight times as fast")
    assert worth["speedup"] < 8 and worth["eager_bytes"] == 8 * worth["bytes"] == 16 * 512 * 256 * 4


def test_the_steps_that_the_words_lead_to() -> None:
    names = [event["stage"] for event in stages()]
    places = {2: "bytecode", 3: "graph", 6: "loops", 9: "assembly", 10: "rewritten", 11: "guards", 12: "again"}
    places |= {13: "graph", 18: "cpp", 21: "guards", 23: "calls", 8: "cpp"}
    assert {n: names[n - 1] for n in places} == places
    back = {4: "joint", 5: "forward", 6: "backward", 8: "loops", 9: "fused", 10: "cpp"}
    assert {n: stages("softmax_gradients")[n - 1]["stage"] for n in back} == back
    assert stages("branch")[2]["stage"] == stages("talks")[2]["stage"] == "break"
    assert stages("always")[12]["stage"] == "calls"
    for name, step in (("attention", 7), ("custom", 7), ("mlp", 9)):
        assert stages(name)[step - 1]["stage"] == "fused"
    asked = recorded("compilers/trace_or_script")
    assert [(asked[n - 1]["stage"], asked[n - 1]["asked"]) for n in (8, 13, 16, 19)] == [
        ("trace", 1),
        ("script", 1),
        ("export", -1),
        ("compile", 1),
    ]
    says("answers −2 −4 where Python says 1 2")
    says("Scripted, the function is right. Compiled, it is right too, as two *graphs*", "and refuses.")
    says("PyTorch warns while it traces; the wrong answer comes without a word.")
    traced, wrong = asked[5], asked[7]
    assert any("might cause the trace to be incorrect" in note for note in traced["notes"][1])
    assert wrong["notes"][1] == traced["notes"][1]
    assert asked[7]["answers"][1][1] == "-2 -4" and asked[7]["answers"][0][1] == "1 2"
    assert asked[18]["code"][4].count("# graph") == 2


def test_tracing_and_scripting_are_deprecated() -> None:
    says("Both still exist and are deprecated.")
    notes = recorded("compilers/trace_or_script")[-1]["notes"]
    assert all(any("deprecated" in note for note in notes[way]) for way in (1, 2))


def test_a_loop_is_traced_for_one_number_of_dimensions() -> None:
    says("the trace is wrong on every input with another number of them")
    from native.compilers.trace_or_script import Params, run

    *_, found = run(Params(program="dimensions", example=1))
    shown = recorded("compilers/trace_or_script", "dimensions")[10 - 1]
    assert shown["verdicts"][1] == found.verdicts[1], "the step that the words lead to shows all of them"
    dims = [3 if "|" in text else 2 if ";" in text else 1 for text in found.inputs]
    assert found.verdicts[1] == ["right" if each == dims[0] else "wrong" for each in dims]


def test_guards_of_the_first_and_the_second_compilation() -> None:
    says("`x` is a tensor of 32-bit floats, with this shape and these strides; nobody asks for its gradient")
    says("`torch.relu` is still the function that it was")
    says("The new guards ask only that the number is at least two.")
    first, second = (event for event in stages() if event["stage"] == "guards")
    assert "x is a tensor of float32, [512, 256], strides (256, 1), and no gradient of it is asked for" in texts(
        first
    )
    assert "torch.relu is the same object as before" in texts(first)
    assert "[any, 256]" in texts(second) and "2 <= x's rows holds" in texts(second)
    says("In the second graph the number of rows is a letter, and in the C++ code made from it an argument")
    assert re.search(r"f32\[s\d+, 256\]", texts(stages()[12]))
    assert re.search(r"const int64_t ks\d", texts(stages()[17]))


def test_guards_are_checked_in_well_under_a_millisecond() -> None:
    says("checked before every call, in well under a millisecond")
    function = torch.compile(PROGRAMS["chain"].function, backend="eager")
    torch._dynamo.reset()
    x = torch.randn(2, 2)
    function(x)

    def rounds(count: int) -> None:
        for _ in range(count):
            function(x)

    from native.models.timing import timed

    assert timed(rounds, 5, 0.1).median < 1e-3, "guards, new bytecode and the operations together"


def test_how_often_it_is_compiled() -> None:
    says("So of the eleven calls in the last step, … cause a compilation")
    assert last("calls")["compiled"] == 2 and len(last("calls")["calls"]) == 11
    says("With `dynamic=False`, no size may be left open.", "So a benchmark that calls one such function")
    says("This limit is called `recompile_limit`.", "for eight of them and eager PyTorch for the rest")
    assert torch._dynamo.config.recompile_limit == 8
    says("saves the second compilation")
    assert last("calls", "always")["compiled"] == 1
    never = last("calls", "never")
    assert [each["done"] for each in never["calls"]] == ["compiled"] * 8 + ["Python"] * 3


@pytest.mark.parametrize("dynamic", [True, False])
def test_the_task_does_as_dynamo_does(dynamic: bool) -> None:
    path = Path(__file__).parents[2] / "content/compilers/tasks/called_again.py"
    spec = importlib.util.spec_from_file_location("called_again", path)
    assert spec and spec.loader
    task = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(task)
    sizes = [5, 5, 7, 9, 5, 7, *range(11, 20), 5]
    found = calls.again(
        lambda function, rows: function(torch.randn(rows, 3)),
        PROGRAMS["chain"].function,
        sizes,
        None if dynamic else False,
    )
    assert [each.done for each in found] == list(task.called_again(sizes, dynamic))


def test_a_branch_makes_two_graphs_and_a_print_as_well() -> None:
    says("So there are … graphs now", "A call of `print` in the middle of a function has the same effect.")
    assert last("worth", "branch")["graphs"] == last("worth", "talks")["graphs"] == 2
    says("`fullgraph=True` turns a break into an error")
    torch._dynamo.reset()
    with pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(PROGRAMS["branch"].function, backend="eager", fullgraph=True)(torch.randn(3))


def test_the_exponential_is_computed_again() -> None:
    says("Look for the exponential, operation 3: it is not kept. The backward graph computes it again.")
    forward, backward = (stages("softmax_gradients")[n] for n in (4, 5))
    assert any(row["operations"] == [2] and "aten.exp" in row["text"] for row in backward["rows"])
    assert "exp" not in forward["rows"][-1]["text"], "what is returned is kept"
    says("For softmax of 512 × 256 floats")
    assert forward["rows"][-1]["text"].strip() == "return div, primals_1, amax, sum_1"
    assert "f32[512, 256]" in forward["rows"][0]["text"] and (512 * 256 * 4, 512 * 4) == (512 * 1024, 2 * 1024)


def test_loops_and_fusion() -> None:
    says(
        "are already one loop before the step that is called fusion", "and becomes four loops", "It fuses all four."
    )
    assert sum(row["head"] for row in stages()[5]["rows"]) == 1
    loops, fused = (stages("softmax_gradients")[n]["rows"] for n in (7, 8))
    assert sum(row["head"] for row in loops) == 4
    assert [row["text"] for row in fused if row["text"].startswith("fused")] == ["fused: op0, op1, op2, op3"]
    says("keeps the exponentials in a buffer that fits into the nearest cache")
    assert "local_buffer_data_0" in texts(stages("softmax_gradients")[9])
    says("sixteen floats at a time on this machine")
    assert "x1+=16" in texts(stages("softmax_gradients")[9])
    says("`torch.sqrt` is one instruction, `vsqrtps`, on sixteen numbers", "Follow operation 7 of our chain")
    roots = [row for row in stages()[8]["rows"] if "vsqrtps" in row["text"]]
    assert roots and all("zmm" in row["text"] and row["operations"] == [6] for row in roots)


def test_most_of_the_time_is_the_compiler_of_cpp() -> None:
    says("and most of the seconds go there")
    seconds = {event["stage"]: event["seconds"] for event in stages()[:11]}
    assert seconds["assembly"] - seconds["cpp"] > 0.5 * seconds["guards"]


def test_matrix_products_are_calls_to_a_library() -> None:
    says("Matrix products are not rewritten.", "so the loop ends before it and another begins after")
    for name in ("attention", "mlp"):
        shown = next(event for event in stages(name) if event["stage"] == "cpp")
        assert "extern_kernels." in texts(shown) and "cpp_fused" in texts(shown)
    shown = texts(next(event for event in stages("custom") if event["stage"] == "cpp"))
    assert "torch.ops.underhood.clamped" in shown and shown.count("// cpp_fused") == 2


def test_what_the_table_says() -> None:
    says("On one core of this server, for three small programs", "there is little left to gain")
    chain, softmax, attention = (last("worth", name) for name in ("default", "softmax_gradients", "attention"))
    assert attention["speedup"] < softmax["speedup"] and attention["speedup"] < chain["speedup"]
    assert attention["speedup"] < 1.5
    for worth in (chain, softmax, attention):
        assert worth["difference"] < 1e-5


def test_when_compiling_has_paid() -> None:
    says("Compiling has paid for itself after", "calls of the same shape; for the chain that is …")
    worth = last("worth")
    saved = (worth["eager_ms"] - worth["compiled_ms"]) / 1e3
    assert worth["pays_after"] - 1 < worth["compile_seconds"] / saved <= worth["pays_after"]


def test_layer_normalisation_is_one_kernel() -> None:
    says("Guess how many Inductor makes of it", "One. Both means are sums along the row")
    assert last("worth", "layer_norm")["kernels"] == 1


def test_what_was_published() -> None:
    """Ansel et al., abstract: 2.27x inference and 1.41x training geometric mean speedup, A100, 180+ models."""
    says("2.27 times as fast in inference and 1.41 times in training, as geometric means", "more than 180 models")
    says("released on 15 March 2023", "announced on 2 December 2022", "released with PyTorch 2.0 on 15 March 2023")
