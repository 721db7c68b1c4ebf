"""What content/tensors/01-strides-and-views.mdx says, asked of the labs, of PyTorch and of NumPy.

Every test first looks its words up in the article, so that a sentence cannot change or go without its test.
"""

from __future__ import annotations

import ctypes
import re
import timeit
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from article import Article, recorded
from labs.tensors import broadcasting, dtype_promotion, strides

ROOT = Path(__file__).parents[2]
ARTICLE = Article("tensors/01-strides-and-views.mdx")
says = ARTICLE.says


def chain(text: str, **params: Any) -> list[strides.Picture]:
    return list(strides.run(strides.Params(chain=strides.EXAMPLES.get(text, text), **params)))


def last(text: str, **params: Any) -> strides.Picture:
    return [each for each in chain(text, **params) if each.stage != "walk"][-1]


def sums(**params: Any) -> broadcasting.Picture:
    *_, found = broadcasting.run(broadcasting.Params(**params))
    return found


def types(left: str, right: str, **params: Any) -> list[dtype_promotion.Answer]:
    *_, found = dtype_promotion.run(dtype_promotion.Params(left=left, right=right, **params))  # type: ignore[arg-type]
    return found.answers


def shared(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


def test_the_gigabyte() -> None:
    says("A square matrix with 16,384 rows of floats takes a gigabyte", "become (1, 16,384)")
    x = torch.empty(16384, 16384, device="meta")
    assert x.numel() * x.element_size() == 2**30
    assert (x.stride(), x.T.stride()) == ((16384, 1), (1, 16384))
    says(
        "a step down is 65,536 bytes. A column lies in 16,384 lines",
        "a megabyte has to be fetched for 64 kilobytes",
    )
    assert 16384 * 4 == 65536 == 2**16 and 16384 * 64 == 2**20 and 16384 * 4 == 64 * 1024
    lines = {i * 65536 // 64 for i in range(16384)}
    assert len(lines) == 16384 and len({line % 64 for line in lines}) == 1  # the sets of a first cache of 64 sets


def test_a_transpose_takes_as_long_whatever_it_transposes() -> None:
    says("in the time that they take for a matrix with two rows")

    def least(x: torch.Tensor | np.ndarray[Any, Any]) -> float:
        return min(timeit.repeat(lambda: x.T, number=200, repeat=20))

    for large, small in (
        (torch.empty(4096, 4096), torch.empty(2, 2)),
        (np.empty((4096, 4096), np.float32), np.empty((2, 2), np.float32)),
    ):
        assert least(large) < 5 * least(small)  # to copy 64 MB takes a thousand times as long


def test_the_first_figure() -> None:
    found = chain("transpose")
    says("(24,), stride (1,)", "so the strides are (6, 1)", "shape (6, 4), strides (1, 6)")
    assert [(each.shape, each.strides) for each in found[:3]] == [([24], [1]), ([4, 6], [6, 1]), ([6, 4], [1, 6])]
    says("Element [1, 3] is now at $0 + 1 \\cdot 1 + 3 \\cdot 6 = 19$, where [3, 1] was before")
    x = torch.arange(24).reshape(4, 6)
    assert x.T[1, 3] == x[3, 1] == 19 and shared(x, x.T)
    assert (found[2].at, found[2].index) == (7, [1, 3])
    stages = [each.stage for each in found]
    assert chain("transpose_then_reshape")[3].outcome == "copy" and "step={4}" in ARTICLE.text
    assert chain("eight_columns", dtype="float64")[11].stage == "walk" and "step={12}" in ARTICLE.text
    assert stages[:4] == ["storage", "operation", "operation", "walk"] and "step={3}" in ARTICLE.text


def test_what_is_only_arithmetic() -> None:
    says("`[:, ::2]` doubles a stride", "elements out of six numbers", "has the stride 7")
    assert last("every_second_column").strides == [6, 2]
    x = torch.arange(24).reshape(4, 6)
    assert x[1:].storage_offset() == x.stride(0) and x[2].shape == (6,) and x[2].storage_offset() == 12
    assert last("expand").strides == [1, 0] and len(last("expand").numbers) == 6
    assert last("windows").outcome == "view" and len(set(last("windows").places)) == 12
    assert last("diagonal").strides == [7]
    assert np.diagonal(np.arange(36).reshape(6, 6)).tolist() == last("diagonal").places.tolist()
    says("That is NumPy. PyTorch has no negative strides, and copies")
    assert last("flip", library="NumPy").strides == [6, -1] and last("flip").outcome == "copy"
    array = np.arange(24)
    assert np.shares_memory(array, np.flip(array))
    assert not shared(x, x.flip(1)) and "makes a copy" in str(torch.flip.__doc__)


def test_views_share() -> None:
    says("x.T[0] = 1 # writes the first column of x")
    x = torch.zeros(4, 6)
    x.T[0] = 1
    assert x[:, 0].tolist() == [1] * 4 and x.sum() == 4
    says("Keep `batch[0]` of a batch of one gigabyte, throw the batch away, and the gigabyte stays", "releases it")
    batch = torch.empty(64, 1024)
    assert batch[0].untyped_storage().nbytes() == 64 * 4096 and batch[0].clone().untyped_storage().nbytes() == 4096
    says('"more than one element of the written-to tensor refers to a single memory location"')
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        torch.zeros(3, 1).expand(3, 4).add_(1)
    says("`numpy.broadcast_to` gives an array that can only be read")
    assert not np.broadcast_to(np.zeros((3, 1)), (3, 4)).flags.writeable


def test_copy_or_view() -> None:
    says("strides are (1, 4, 12)", "But it is 1. No single stride does this, and 96 bytes are copied")
    found = chain("transpose_then_reshape")
    assert (found[2].shape, found[2].strides) == ([4, 3, 2], [1, 4, 12])
    assert found[3].outcome == "copy" and found[3].copied == 96 and found[3].blocked == [0, 1]
    assert last("view_refuses").stage == "refused"
    says("are views: the first cuts a dimension in two, the second swaps two")
    assert {each.outcome for each in chain("attention_heads")[1:]} == {"view"}
    heads = torch.arange(48.0).reshape(3, 8, 2).transpose(0, 1)
    says("written with `@`, is a new tensor with the heads in front")
    mixed = (heads @ heads.transpose(1, 2)).softmax(-1) @ heads
    assert mixed.shape == heads.shape and mixed.is_contiguous() and not shared(mixed, heads)
    says("Moving its heads back is a view again, but joining them into one row is a copy")
    back = mixed.transpose(0, 1)
    assert shared(mixed, back) and not shared(mixed, back.reshape(3, 16))


def test_what_it_costs() -> None:
    rows, columns = (last(f"eight_{name}", dtype="float64") for name in ("rows", "columns"))
    says("at every single step, although the lines are the same")
    assert (rows.fetches, rows.lines, columns.fetches, columns.lines) == (8, 8, 64, 8)
    says("On a contiguous tensor it does nothing")
    assert last("arange(6).contiguous()").outcome == "same"
    x = torch.arange(6)
    assert x.contiguous() is x
    assert last("contiguous").copied == 96


def test_a_row_and_a_column() -> None:
    says(
        "Their strides become (3, 0, 1) and (0, 1, 0)",
        "in 68 bytes; copied into the shape of the result they would take 480",
    )
    found = sums()
    assert [each.strides for each in found.operands] == [[3, 0, 1], [0, 1, 0]]
    assert (found.result, found.elements, found.held, found.copied) == ([4, 5, 3], "60", "68 bytes", "480 bytes")
    assert [len(each.numbers) for each in found.operands] == [12, 5]
    says("A 6 does not fit a 2", "(4, 3) and (4,) are refused, since 3 meets 4")
    assert sums(a="6", b="2").stage == sums(a="4 3", b="4").stage == "refused"
    assert sums(a="4 3", b="4 1").result == [4, 3]
    says("each number of $a$ gets 5, and each number of $b$ gets 12")
    assert [set(each.gradient) for each in found.operands] == [{"5"}, {"12"}]
    stages = [each.stage for each in broadcasting.run(broadcasting.Params())]
    assert [stages[n - 1] for n in (1, 4, 5, 6, 7)] == ["align", "dimension", "strides", "read", "gradient"]


def test_ten_billion_by_accident() -> None:
    says("The result is (n, n)", "there are ten billion differences, which take 40 gigabytes")
    found = sums(a="100000 1", b="100000")
    assert (found.elements, found.size) == ("10,000,000,000", "40 GB")
    says("the network learns from it: it learns to predict the mean of all targets")
    torch.manual_seed(0)
    target, prediction = torch.randn(32) + 3, torch.zeros(32, 1, requires_grad=True)
    optimiser = torch.optim.SGD([prediction], lr=8)
    for _ in range(200):
        optimiser.zero_grad()
        difference = prediction - target
        assert difference.shape == (32, 32)
        (difference**2).mean().backward()
        optimiser.step()
    assert torch.allclose(prediction, target.mean().expand(32, 1), atol=1e-4)


def test_types_of_sums() -> None:
    says("becomes 2,147,483,648", "an index of 70,001 becomes infinite: float16 ends at 65,504")
    torchs, theirs = types("int32", "float32")
    assert (torchs.type, theirs.type) == ("float32", "float64")
    assert torchs.left and torchs.left.value == "2147483648"
    index = types("int64", "float16", left_value="70001", right_value="1")[0]
    assert index.left and index.left.value == "∞"
    assert torch.tensor(70001).to(torch.float16).isinf() and torch.finfo(torch.float16).max == 65504
    says("make int16, the smallest type that holds both", "NumPy takes float64, which rounds, and PyTorch refuses")
    assert [each.type for each in types("uint8", "int8", left_value="200", right_value="-1")] == ["int16"] * 2
    assert [each.type for each in types("uint64", "int64", left_value="1", right_value="1")] == ["", "float64"]
    says("A float16 tensor stays float16, whatever whole numbers are added")
    for whole in ("int8", "int32", "int64", "uint8", "bool"):
        assert types(whole, "float16", left_value="1", right_value="1")[0].type == "float16"
    says("Within a kind the two libraries agree, except that PyTorch does not promote uint16")
    wholes = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
    for kind in (wholes, ["float16", "float32", "float64"], ["complex64", "complex128"]):
        for left in kind:
            for right in kind:
                torchs, theirs = types(left, right, left_value="1", right_value="1")
                assert torchs.type in ("", theirs.type)
    stages = [each.stage for each in dtype_promotion.run(dtype_promotion.Params())]
    assert [stages[n - 1] for n in (3, 4, 5)] == ["pytorch", "numpy", "convert"]


def test_numbers_of_pythons() -> None:
    says("is float64 in NumPy and float32, the default, in PyTorch")
    number = {"left_value": "1", "right_as": "number", "right_value": "0.1"}
    assert [each.type for each in types("int32", "float64", **number)] == ["float32", "float64"]
    for one in (torch.ones(2, dtype=torch.int16), np.ones(2, np.int16)):
        assert (one + 1).dtype == one.dtype
    for half in (torch.ones(2, dtype=torch.float16), np.ones(2, np.float16)):
        assert (half * 0.5).dtype == half.dtype
    says("In PyTorch 64. In NumPy as many as an address")
    assert (torch.ones(2, dtype=torch.bool) + 1).dtype == torch.int64
    assert (np.ones(2, bool) + 1).dtype == np.intp and np.intp().itemsize == ctypes.sizeof(ctypes.c_void_p)
    says("int32 and a float64 without dimensions make float64. In NumPy it counts like any other array")
    scalar = {"left_value": "0.1", "right_as": "0-d", "right_value": "0.1"}
    assert [each.type for each in types("float32", "float64", **scalar)] == ["float32", "float64"]
    says("NumPy raises an OverflowError. PyTorch takes the low eight bits, 44, and adds them: 200 + 300 is 244")
    with pytest.raises(OverflowError):
        np.array([200], np.uint8) + 300
    assert (torch.tensor([200], dtype=torch.uint8) + 300).item() == 244 and 300 % 256 == 44
    torchs, theirs = types("uint8", "int64", left_value="200", right_as="number", right_value="300")
    assert torchs.sum and torchs.sum.value == "244" and theirs.type == ""


def test_the_exercises() -> None:
    x = torch.arange(24).reshape(4, 6)
    answers = re.findall(r'label="(x[^"]*)" answer="(view|copy)"', ARTICLE.text)
    assert len(answers) == 7
    for text, answer in answers:
        assert shared(x, eval(text, {"x": x})) == (answer == "view"), text
        assert last(f"arange(24).reshape(4, 6){text[1:]}").outcome == answer
    y = torch.arange(24).reshape(2, 3, 4).permute(2, 0, 1)[1:]
    assert (y.shape, y.stride(), y.storage_offset(), y[2, 1, 2]) == ((3, 2, 3), (1, 12, 4), 1, 23)
    says("16 times, for 64 numbers")
    assert last("arange(64).reshape(16,4).T", dtype="float32").fetches == 16
    says("24 numbers, 96 bytes. The second copies the 12 that are left, 48 bytes")
    copied = [last(text).copied for text in re.findall(r'<Option set="chain=(\S+) dtype', ARTICLE.text)]
    assert copied == [96, 48, 0]
    options = re.findall(r"<Option( right)? says=[^>]*>`(\(.*?\))` and `(\(.*?\))`", ARTICLE.text)
    assert len(options) == 6
    for right, a, b in options:
        assert (sums(a=a, b=b).stage != "refused") == bool(right), (a, b)
    for shape, gradient in (((3,), [8.0] * 3), ((), 24.0)):
        w = torch.zeros(shape, requires_grad=True)
        (torch.zeros(8, 3) + w).sum().backward()
        assert w.grad is not None and w.grad.tolist() == gradient


@pytest.mark.parametrize(
    ("name", "path", "number"),
    [
        ("copied", "copied", 96),
        ("eight_rows", "fetches", 8),
        ("eight_columns", "fetches", 64),
        ("expanded", "walked", 24),
    ],
)
def test_the_recordings_are_of_what_the_text_says(name: str, path: str, number: int) -> None:
    assert recorded("tensors/strides", name)[-1][path] == number and f'recording="{name}"' in ARTICLE.text
