"""What content/tensors/02-a-tape.mdx says, asked of the lab, of its recordings and of PyTorch.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from labs.contract import LabError, unpack
from labs.models.tensor import tape
from labs.models.traced.examples import EXAMPLES
from labs.tensors.autograd_tape import Params, Picture, run

ROOT = Path(__file__).parents[2]
ARTICLE = (ROOT / "content/tensors/02-a-tape.mdx").read_text("utf-8")


def says(*sentences: str) -> None:
    """The article says so, whatever its line breaks and wherever its words lead."""
    plain = re.sub(r"</?(Term|Step|Set|Gloss|Cite)\b[^>]*>", "", ARTICLE)
    flat = re.sub(r"\s+", " ", plain)
    for sentence in sentences:
        assert sentence in flat, f"the article no longer says {sentence!r}: let this test follow it"


@lru_cache(maxsize=64)
def pictures(name: str) -> list[Picture]:
    return list(run(Params(source=EXAMPLES.get(name, name))))


def recorded(name: str) -> dict[str, Any]:
    """The last picture of a recording."""
    log = json.loads((ROOT / f"content/recordings/tensors/autograd_tape/{name}.json").read_text("utf-8"))
    return unpack([event for event in log["events"] if event["kind"] == "picture"][-1])


def step(name: str, n: int) -> Picture:
    return pictures(name)[n - 1]


def grad(picture: Picture, name: str) -> list[Any]:
    found = next(each for each in picture.tensors if each.name == name).grad
    assert found
    return found.rows[0]


def test_the_opening() -> None:
    says(
        "Twelve layers, each of them `tanh(h * w)`, on eight numbers.",
        "The weights are eight numbers as well, 64 bytes",
    )
    assert "tanh(h * w)" in EXAMPLES["deep"] and "range(12)" in EXAMPLES["deep"]
    deep = pictures("deep")
    w = next(each for each in deep[-1].tensors if each.name == "w")
    assert (w.values.shape, w.bytes) == ([8], 64)
    begun = next(each for each in deep if each.stage == "backward")
    assert begun.saved_bytes == recorded("deep")["most_saved_bytes"] and begun.gradient_bytes == 0


def test_the_steps_of_the_first_figure() -> None:
    says("From step 6 on, gradients flow back", "line 4 leaves four of them: a product of matrices, a reading")
    assert step("layer", 5).stage == "forward" and step("layer", 6).stage == "backward"
    new = [each for each in step("layer", 4).records if each.state == "new"]
    assert [each.name for each in new] == ["matmul", "reshape", "add", "tanh"]
    says("so at step 9 the multiplication passes two shares to the same `tanh`")
    now = next(each for each in step("layer", 9).records if each.state == "now")
    assert now.name == "mul" and len(set(now.edges)) == 1 and len(now.shares) == 2
    says("An input that wants no gradient, such as `x`, gets no edge", "not written down at all")
    assert [0 in each.edges for each in new] == [True, False, False, False]
    assert not pictures("x = tensor([1.])\ny = x * x\n")[-1].records
    assert step("layer", 16).stage == "done"
    says("For six weights that is twelve runs")
    assert sum(int(np.prod(each.shape)) for each in step("layer", 16).records if each.leaf) == 6


def test_numbers_grow_and_the_walk_goes_by_falling_ones() -> None:
    says("so its number is higher than theirs", "Whoever goes by falling numbers")
    for name in EXAMPLES:
        walked: list[int] = []
        for picture in pictures(name):
            now = next((each for each in picture.records if each.number == picture.now), None)
            if picture.stage != "backward" or not now or now.state != "now":
                walked = []
                continue
            assert all(now.number < each for each in walked)
            walked.append(now.number)
    says("Our library needs thirty lines for it.")
    source = Path(tape.__file__).read_text("utf-8")
    body = source[source.index("def walk(") : source.index("def between(")]
    assert 25 <= len([line for line in body.splitlines() if line.strip()]) <= 35


def test_gradients_add_up() -> None:
    says("It is 8, not 4.", "w is [2, −1] and the loss is the sum of w²")
    assert grad(pictures("two-backwards")[-1], "w")[0] == 8
    says("without it every step would be taken along the sum of all gradients so far")
    forgotten = EXAMPLES["training"].replace("    w.grad = None\n", "")
    assert forgotten != EXAMPLES["training"]
    assert pictures(forgotten)[-1].output != pictures("training")[-1].output


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("a + b", []),
        ("a * b", ["a", "b"]),
        ("a @ b", ["a", "b"]),
        ("exp(a)", ["y"]),
        ("tanh(a)", ["y"]),
        ("relu(a)", ["y"]),
        ("sin(a)", ["a"]),
        ("a.sum()", []),
        ("a.reshape(4)", []),
        ("a[0]", []),
    ],
)
def test_the_table_of_what_is_saved(line: str, kept: list[str]) -> None:
    says("| Operation | What it passes back for $g$ | It saves |")
    make = "{} = tensor([[1., 2.], [3., 4.]], requires_grad=True)\n"
    last = pictures(f"{make.format('a')}{make.format('b')}y = {line}\n")[-1]
    found = {saved.of for record in last.records for saved in record.saved}
    assert found == set(kept)


def test_save_or_not() -> None:
    says("Line 3 adds, and 0 bytes are saved. Line 4 multiplies, and the 48 bytes of both factors are.")
    assert (step("save-or-not", 3).line, step("save-or-not", 3).saved_bytes) == (3, 0)
    assert (step("save-or-not", 4).line, step("save-or-not", 4).saved_bytes) == (4, 48)
    assert step("save-or-not", 4).tape_bytes == 0
    says("So `w @ x` keeps `x`, for the gradient of `w`, but not `w`.")
    matmul = next(each for each in step("layer", 4).records if each.name == "matmul")
    assert [each.of for each in matmul.saved] == ["x"]
    says("and each adds 64 bytes instead of 128")
    forward = [each.saved_bytes for each in pictures("deep") if each.line == 9][1:]
    assert {after - before for before, after in pairwise(forward)} == {64}


@pytest.mark.parametrize(
    ("line", "answer"),
    [("(a + b).sum()", 0), ("(a * b).sum()", 16000), ("exp(a * b).sum()", 24000)],
)
def test_the_bytes_of_the_exercise(line: str, answer: int) -> None:
    says(f"`{line}` saves <Blank")
    both = "a = ones(1000, requires_grad=True)\nb = ones(1000, requires_grad=True)\n"
    assert pictures(f"{both}y = {line}\n")[-1].saved_bytes == answer
    assert f"answer={{{answer}}}" in ARTICLE
    fixed = "a = ones(1000, requires_grad=True)\nb = ones(1000)\ny = (a * b).sum()\n"
    assert pictures(fixed)[-1].saved_bytes == 8000 and "answer={8000}" in ARTICLE


def test_letting_go() -> None:
    says("Watch the bar in twelve layers from step 17 on")
    assert step("deep", 17).stage == "backward" and step("deep", 16).stage == "forward"
    assert pictures("deep")[-1].tape_bytes == 0 and pictures("deep")[-1].gradient_bytes == 64
    says("the first is told to keep what was saved, `retain_graph=True`, and so the second goes through.")
    assert pictures("one-walk-too-many")[-1].line == 5  # the third
    says("delete `loss`, and its notes go")
    last = pictures(EXAMPLES["layer"].replace("loss.backward()\n", "del loss\ndel y\n"))[-1]
    assert all(each.leaf for each in last.records)


def test_repeating() -> None:
    says(
        "the bias of three numbers is first read as two rows, and `expand` is a record of its own",
        "the **sum** over rows",
    )
    last = pictures("broadcast")[-1]
    assert "expand" in [each.name for each in last.records]
    assert grad(last, "bias") == [1 + 4, 2 + 5, 3 + 6]


def test_versions() -> None:
    says("`z = y * y` saved `y` at version 0", "Change `y * y` to `exp(y)` and it goes through")
    assert pictures("changed-too-early")[-1].stage == "stopped"
    assert pictures(EXAMPLES["changed-too-early"].replace("y * y ", "exp(y)"))[-1].stage == "done"
    says("`row += 1` raises the version of both", "Look at what line 5 writes, three notes for one `+=`")
    picture = step("written-view", 5)
    assert picture.line == 5
    new = [each.name for each in picture.records if each.state == "new"]
    assert new == ["add", "overwrite", "view"]
    assert {each.version for each in picture.tensors if each.name in ("y", "row")} == {1}
    overwrite = next(each for each in picture.records if each.name == "overwrite")
    made = {each.number: each.name for each in picture.records}
    assert [made[edge] for edge in overwrite.edges] == ["mul", "add"]


def test_the_words_of_pytorch() -> None:
    says("*One of the variables needed for gradient computation has been modified by an inplace operation*")
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    z = y * y
    y += 1
    with pytest.raises(RuntimeError) as refused:
        z.sum().backward()
    words = str(refused.value)
    assert words.startswith("one of the variables needed for gradient computation has been modified by an inplace")
    says("with the type, the operation that made it, and both versions")
    assert "FloatTensor" in words and "output 0 of Add" in words
    assert "version 1; expected version 0" in words


def test_the_choice() -> None:
    says("h = x * 2 and then s = sigmoid(h), both with a history.")
    begin = "x = tensor([1., 2.], requires_grad=True)\nh = x * 2\ns = sigmoid(h)\n"
    for line, fine in (("h += 1", True), ("s += 1", False), ("s[0] = 0.", False)):
        assert line in ARTICLE
        end = pictures(f"{begin}{line}\ns.sum().backward()\n")[-1]
        assert (end.stage == "done") == fine


def test_where_nothing_is_written() -> None:
    says(
        "the line `w -= 0.1 * w.grad` leaves no record",
        "the library refuses to change a leaf at all",
        "The version still rises",
    )
    written = [each for each in pictures("training") if each.line == 9]
    assert [next(one.version for one in each.tensors if one.name == "w") for each in written] == [1, 2, 3, 4]
    assert not any(each.state == "new" for picture in written for each in picture.records)
    outside = EXAMPLES["training"].replace("    with no_grad():\n        w -=", "    w -=")
    end = pictures(outside)[-1]
    assert end.trouble and "cannot be changed in place" in end.trouble.says
    says("reads the very same bytes as `y`, at the same version, and has no history")
    y, fixed = (
        next(each for each in pictures("detach")[-1].tensors if each.name == name) for name in ("y", "fixed")
    )
    assert (y.storage, y.version) == (fixed.storage, fixed.version) and not fixed.origin


def test_a_walk_that_is_written_down() -> None:
    says("$x^3$ at 2 has the slope $3x^2 = 12$, that the slope $6x = 12$, and that the slope 6")
    last = pictures("slope-of-slope")[-1]
    assert last.output == "12. 12. 6.\n"
    says("one operation, then four, then four more on top")
    new = [
        sum(each.state == "new" and not each.leaf for each in picture.records)
        for picture in pictures("slope-of-slope")
        if picture.stage == "forward" and picture.line in (2, 3, 4)
    ]
    assert new == [1, 4, 4]


def test_checkpoints() -> None:
    plain, spared = pictures("deep")[-1], pictures("checkpoints")[-1]
    assert (plain.peak_bytes, spared.peak_bytes) == (
        recorded("deep")["peak_bytes"],
        recorded("checkpoints")["peak_bytes"],
    )
    says("24 more, two for each of twelve layers, exactly one more pass forwards")
    assert spared.backward_operations - plain.backward_operations == 24 == 2 * 12
    says("The gradient is the same to the last bit")
    assert grad(plain, "w") == grad(spared, "w")
    says("smallest at $k = \\sqrt n$. A hundred layers then need the memory of twenty")
    assert min(range(1, 101), key=lambda k: 100 / k + k) == 10 and 100 / 10 + 10 == 20
    says("Watch the tape's share of the bar rise at each section and fall behind it")
    made = pictures("checkpoints")
    assert step("checkpoints", 12).tape_bytes > step("checkpoints", 11).tape_bytes
    assert made[19].stage == "backward"  # the step that the figure begins with


def test_what_it_costs() -> None:
    says("So the gradient costs a small constant times the program itself.")
    for name in ("layer", "save-or-not", "broadcast", "deep", "written-view"):
        last = pictures(name)[-1]
        assert last.backward_arithmetic <= 4 * last.forward_arithmetic, name
    assert recorded("deep")["forward_arithmetic"] == pictures("deep")[-1].forward_arithmetic


def test_a_corner() -> None:
    says(
        "`x = tensor([0.], requires_grad=True)` and `relu(x).sum().backward()`",
        "so the difference says 0.5. The tape says 0.",
    )
    (check,) = pictures("x = tensor([0.], requires_grad=True)\nrelu(x).sum().backward()\n")[-1].checks
    assert check.tape and check.moved and check.agree is False
    assert check.tape.rows == [[0.0]] and check.moved.rows[0][0] == pytest.approx(0.5)


def test_names_in_pytorch() -> None:
    says(
        "its number is `_sequence_nr`",
        "a leaf's is called `AccumulateGrad`",
        "`grad_fn._saved_self` or `_saved_result`",
    )
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    first, second = x * x, torch.exp(x)
    assert first.grad_fn is not None and second.grad_fn is not None
    assert second.grad_fn._sequence_nr() > first.grad_fn._sequence_nr()
    assert type(first.grad_fn.next_functions[0][0]).__name__ == "AccumulateGrad"
    assert torch.equal(first.grad_fn._saved_self, x) and torch.equal(second.grad_fn._saved_result, second)
    assert x._version == 0
    says("a linear layer is one note, not a product, a view and a sum")
    linear = torch.nn.functional.linear(torch.ones(1, 3), torch.ones(2, 3, requires_grad=True), torch.ones(2))
    assert type(linear.grad_fn).__name__ == "AddmmBackward0"
    says("Numbers are 64-bit floats here unless a `dtype` is given, 32-bit ones in PyTorch.")
    assert torch.tensor([1.0]).dtype == torch.float32
    assert pictures("x = tensor([1.])\n")[-1].tensors[0].values.dtype == "float64"


def test_which_saves_least() -> None:
    says("The first: `x` and `sigmoid(x)`, 128 bytes.", "The second saves `x`, `exp(-x)` and `1 + exp(-x)`.")
    found = [pictures(name)[-1].most_saved_bytes for name in ("swish", "swish-by-exp", "swish-by-tanh")]
    assert found[0] == 128 == min(found) and found[1] == 3 * 64 and found[2] > 128
    ends = [pictures(name)[-1].checks[0].tape for name in ("swish", "swish-by-exp", "swish-by-tanh")]
    for end in ends[1:]:
        assert end and ends[0]
        np.testing.assert_allclose(end.rows, ends[0].rows, rtol=1e-12)  # type: ignore[arg-type]


def test_what_is_not_taken_says_so() -> None:
    says("What is not taken says so with its line.")
    with pytest.raises(LabError, match=r"^Line 2, column 1: while is not taken here"):
        pictures("x = 1\nwhile x:\n    pass\n")
