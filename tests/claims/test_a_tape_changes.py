"""What the article on the tape says of what is written over and computed again, asked of the lab and of PyTorch.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test.
"""

from __future__ import annotations

import numpy as np
import pytest
import torch
from labs.contract import LabError
from labs.tensors.autograd_tape.examples import EXAMPLES
from tape_article import ARTICLE, grad, pictures, recorded, says, step


def test_repeating() -> None:
    says(
        "the bias of three numbers is first read as two rows, and `expand` is a note of its own",
        "the **sum** over rows",
    )
    last = pictures("broadcast")[-1]
    assert "expand" in [each.name for each in last.records]
    assert grad(last, "bias") == [1 + 4, 2 + 5, 3 + 6]


def test_versions() -> None:
    says("`z = y * y` saved `y` at version 0", "Change `y * y` to `exp(y)` and it goes through")
    assert pictures("changed-too-early")[-1].stage == "stopped"
    assert pictures(EXAMPLES["changed-too-early"].replace("y * y ", "exp(y)"))[-1].stage == "done"
    says("`row += 1` raises the version of both", "One `+=` in line 5 leaves three notes.")
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
        assert line in ARTICLE.text
        end = pictures(f"{begin}{line}\ns.sum().backward()\n")[-1]
        assert (end.stage == "done") == fine


def test_where_nothing_is_written() -> None:
    says(
        "the line `w -= 0.1 * w.grad` leaves no note",
        "the library refuses to change a leaf in place",
        "The version still rises",
    )
    written = [each for each in pictures("training") if each.line == 9]
    assert [next(one.version for one in each.tensors if one.name == "w") for each in written] == [1, 2, 3, 4]
    assert not any(each.state == "new" for picture in written for each in picture.records)
    outside = EXAMPLES["training"].replace("    with no_grad():\n        w -=", "    w -=")
    end = pictures(outside)[-1]
    assert end.trouble and "cannot be changed in place" in end.trouble.says
    says("reads the same bytes as `y`, at the same version, and has no history")
    y, fixed = (
        next(each for each in pictures("detach")[-1].tensors if each.name == name) for name in ("y", "fixed")
    )
    assert (y.storage, y.version) == (fixed.storage, fixed.version) and not fixed.origin


def test_a_walk_that_is_written_down() -> None:
    says("$x^3$ at 2 has the slope $3x^2 = 12$. The slope of that slope is $6x = 12$, too, and the next slope is 6")
    last = pictures("slope-of-slope")[-1]
    assert last.output == "12. 12. 6.\n"
    says("the program writes one operation, the first walk three, the second three more on top")
    new = [
        sum(each.state == "new" and not each.leaf for each in picture.records)
        for picture in pictures("slope-of-slope")
        if picture.stage == "forward" and picture.line in (2, 3, 4)
    ]
    assert new == [1, 3, 3]


def test_checkpoints() -> None:
    plain, spared = pictures("deep")[-1], pictures("checkpoints")[-1]
    assert (plain.peak_bytes, spared.peak_bytes) == (
        recorded("deep")["peak_bytes"],
        recorded("checkpoints")["peak_bytes"],
    )
    says("24 more, two for each of twelve layers, which is exactly one more forward pass")
    assert spared.backward_operations - plain.backward_operations == 24 == 2 * 12
    says("The gradient is the same to the last bit")
    assert grad(plain, "w") == grad(spared, "w")
    says("smallest at $k = \\sqrt n$. A hundred layers then need the memory of twenty")
    assert min(range(1, 101), key=lambda k: 100 / k + k) == 10 and 100 / 10 + 10 == 20
    says("Watch the tape's share of the bar rise at each section and fall after it")
    made = pictures("checkpoints")
    assert step("checkpoints", 12).tape_bytes > step("checkpoints", 11).tape_bytes
    assert made[19].stage == "backward"  # the step that the figure begins with


def test_what_it_costs() -> None:
    says("So the gradient costs a small multiple of the program itself.")
    for name in ("layer", "save-or-not", "broadcast", "deep", "written-view"):
        last = pictures(name)[-1]
        assert last.backward_arithmetic <= 4 * last.forward_arithmetic, name
    assert recorded("deep")["forward_arithmetic"] == pictures("deep")[-1].forward_arithmetic


def test_a_corner() -> None:
    says(
        "`x = tensor([0.], requires_grad=True)` and `relu(x).sum().backward()`",
        "so nudging to both sides gives 0.5. The tape says 0.",
    )
    (check,) = pictures("x = tensor([0.], requires_grad=True)\nrelu(x).sum().backward()\n")[-1].checks
    assert check.tape and check.moved and check.agree is False
    assert check.tape.rows == [[0.0]] and check.moved.rows[0][0] == pytest.approx(0.5)


def test_names_in_pytorch() -> None:
    says(
        "| its number | `grad_fn._sequence_nr()` |",
        "those to a leaf end in `AccumulateGrad`",
        "`grad_fn._saved_self`, `_saved_result`",
    )
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    first, second = x * x, torch.exp(x)
    assert first.grad_fn is not None and second.grad_fn is not None
    assert second.grad_fn._sequence_nr() > first.grad_fn._sequence_nr()
    assert type(first.grad_fn.next_functions[0][0]).__name__ == "AccumulateGrad"
    assert torch.equal(first.grad_fn._saved_self, x) and torch.equal(second.grad_fn._saved_result, second)
    assert x._version == 0
    says("in a linear layer the product and the bias are one note, `addmm`")
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
    says("Code that the figure does not support gets an error with its line.")
    with pytest.raises(LabError, match=r"^Line 2, column 1: while is not taken here"):
        pictures("x = 1\nwhile x:\n    pass\n")
