"""What the article on the tape says of what is written down and saved, asked of the lab and its recordings.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from labs.models.tensor import tape
from labs.tensors.autograd_tape.examples import EXAMPLES
from tape_article import ARTICLE, grad, pictures, recorded, says, step


def test_what_a_language_model_keeps() -> None:
    says("26 million numbers, 105 MB in float32. All 48 outputs make 5 GB.", "its 6 GB of weights")
    one = 16 * 1024 * 1600
    assert (round(one / 1e6), round(4 * one / 1e6), round(48 * 4 * one / 1e9)) == (26, 105, 5)
    weights = 48 * 12 * 1600**2 + 50257 * 1600  # attention and the two layers behind it, and the table of words
    assert round(4 * weights / 1e9) == 6
    says("Each layer has more than a dozen results besides its output", "more than ten times as much memory")
    kept = 4 * (34 - 2) // 2 + 2  # bytes: the source has 34 with float16, 2 of them masks, and the scores on top
    assert kept / 4 > 1 + 12 and 48 * kept * one > 10 * 4 * weights


def test_the_opening() -> None:
    says(
        "a network of twelve layers that fits on this page, each of them `tanh(h * w)`, on eight numbers.",
        "The eight weights are the same in every layer and take 64 bytes",
    )
    assert "tanh(h * w)" in EXAMPLES["deep"] and "range(12)" in EXAMPLES["deep"]
    deep = pictures("deep")
    w = next(each for each in deep[-1].tensors if each.name == "w")
    assert (w.values.shape, w.bytes) == ([8], 64)
    begun = next(each for each in deep if each.stage == "backward")
    assert begun.saved_bytes == recorded("deep")["most_saved_bytes"] and begun.gradient_bytes == 0


def test_the_steps_of_the_first_figure() -> None:
    says("From step 6 on, gradients flow back", "line 4 leaves four of them: a matrix product, a view")
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
    says("so its number is higher than theirs", "always take the one with the highest number")
    for name in EXAMPLES:
        walked: list[int] = []
        for picture in pictures(name):
            now = next((each for each in picture.records if each.number == picture.now), None)
            if picture.stage != "backward" or not now or now.state != "now":
                walked = []
                continue
            assert all(now.number < each for each in walked)
            walked.append(now.number)
    says("Our library needs thirty lines for this.")
    source = Path(tape.__file__).read_text("utf-8")
    body = source[source.index("def walk(") : source.index("def between(")]
    assert 25 <= len([line for line in body.splitlines() if line.strip()]) <= 35


def test_gradients_add_up() -> None:
    says("A walk **adds** to `.grad`", "w is [2, −1] and the loss is the sum of w²")
    assert grad(pictures("two-backwards")[-1], "w")[0] == 8
    says("Without it, every step would follow the sum of all gradients so far")
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
    says("Line 3 adds, and 0 bytes are saved. Line 4 multiplies, and saves the 48 bytes of both factors.")
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
    assert f"answer={{{answer}}}" in ARTICLE.text
    fixed = "a = ones(1000, requires_grad=True)\nb = ones(1000)\ny = (a * b).sum()\n"
    assert pictures(fixed)[-1].saved_bytes == 8000 and "answer={8000}" in ARTICLE.text


def test_letting_go() -> None:
    says("Watch the bar in *twelve layers* from step 17 on")
    assert step("deep", 17).stage == "backward" and step("deep", 16).stage == "forward"
    assert pictures("deep")[-1].tape_bytes == 0 and pictures("deep")[-1].gradient_bytes == 64
    says("the first is told to keep what was saved, `retain_graph=True`, and so the second goes through.")
    assert pictures("one-walk-too-many")[-1].line == 5  # the third
    says("Delete every name that leads to it, here `loss` and `y`, and its notes are freed")
    last = pictures(EXAMPLES["layer"].replace("loss.backward()\n", "del loss\ndel y\n"))[-1]
    assert all(each.leaf for each in last.records)
