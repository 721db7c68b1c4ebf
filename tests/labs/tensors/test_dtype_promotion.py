"""Promotion against PyTorch and NumPy: every type beside every other, in every role, and thousands of sums."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from labs.contract import LabError
from labs.models.decimals import exactly
from labs.models.tensor.dtypes import DTYPES, promote
from labs.tensors.dtype_promotion import DIGITS, Bits, Params, Picture, run
from labs.tensors.dtype_promotion.promotion import HOWS, LATE, Side, numpys, pytorchs
from labs.tensors.dtype_promotion.said import numpys_reason, pytorchs_reason

SUMS = 4000
# PyTorch's own refusals of types that it got late, in its words: it promotes them beside floats only, and does not
# add up a sum whose type is one of them. The lab has to say the same; nothing of ours is left to be written.
PYTORCH_PROMOTES_NONE = "^Promotion for uint16, uint32, uint64 types is not supported"
PYTORCH_ADDS_NONE = "^\"add_stub\" not implemented for 'UInt(16|32|64)'"
SIDES = [Side(dtype, how) for dtype in DTYPES.values() for how in HOWS]


def pictures(**params: Any) -> list[Picture]:
    return list(run(Params(**params)))


def of_torch(side: Side, value: Any = 1) -> Any:
    if side.how == "number":
        return type(side.python)(value)
    return torch.tensor(value if side.how == "0-d" else [value], dtype=getattr(torch, side.dtype.name))


def test_every_pair_in_every_role_is_pytorchs() -> None:
    refused = 0
    for left, right in product(SIDES, repeat=2):
        try:
            expected = str(torch.result_type(of_torch(left), of_torch(right))).removeprefix("torch.")
        except RuntimeError:
            expected = None
            refused += 1
        found = pytorchs(left, right)
        assert (found and found.name) == expected, (left, right)
        assert (found is None) == pytorchs_reason(left, right).startswith("it promotes uint16")
    assert 0 < refused < len(SIDES) ** 2 / 4


def test_every_pair_of_types_is_torchs_promote_types() -> None:
    for left, right in product(DTYPES.values(), repeat=2):
        found = pytorchs(Side(left, "array"), Side(right, "array"))
        try:
            expected = torch.promote_types(getattr(torch, left.name), getattr(torch, right.name))
        except RuntimeError:
            assert found is None
        else:
            assert found and str(expected) == f"torch.{found.name}"


def test_every_pair_in_every_role_is_numpys() -> None:
    for left, right in product(SIDES, repeat=2):
        operands = [
            each.python if each.how == "number" else np.ones(() if each.how == "0-d" else 1, each.dtype.numpy)
            for each in (left, right)
        ]
        assert numpys(left, right) == np.add(*operands).dtype.name
        if "number" not in (left.how, right.how):
            found = promote(left.dtype, right.dtype)
            assert numpys(left, right) == found.name
            holds = found.holds(left.dtype) and found.holds(right.dtype)
            assert ("rounds" in numpys_reason(left, right)) == (not holds)


def drawn(rng: random.Random, side: Side) -> str:
    if side.kind > 1:
        scale = 10 ** rng.uniform(-3, 4.8)  # where a float16 holds no odd numbers any more, too
        return repr(rng.choice([0.1, -2.5, 1.0, 300.25, 65504.0, 1e-3, rng.uniform(-scale, scale)]))
    if side.kind == 0:
        return rng.choice("01")
    top = 2 ** (63 if side.how == "number" else side.dtype.whole) - 1
    low = -top - 1 if side.dtype.signed or side.how == "number" else 0
    return str(rng.choice([1, top, max(low, -1), low, rng.randint(low, top), min(top, 300), min(top, 2049)]))


def value_of(number: Any) -> str:
    real = complex(number).real if isinstance(number, complex) else number
    if math.isfinite(real):
        return exactly(Fraction(real), DIGITS)
    return "NaN" if math.isnan(real) else "∞" if real > 0 else "−∞"


def same(shown: Bits, expected: torch.Tensor) -> bool:
    return shown.value == value_of(expected.item()) and (
        expected.dtype.is_complex or shown.bits == bits_of(expected)
    )


def bits_of(tensor: torch.Tensor) -> str:
    return "".join(f"{byte:08b}" for byte in bytes(tensor.reshape(1).view(torch.uint8).tolist())[::-1])


@pytest.mark.filterwarnings("ignore:overflow encountered", "ignore:ComplexHalf support is experimental")
def test_4000_sums_are_pytorchs_and_numpys() -> None:
    rng = random.Random(3)
    refused = {"PyTorch": 0, "NumPy": 0}
    for _ in range(SUMS):
        left, right = rng.choice(SIDES), rng.choice(SIDES)
        if left.how == right.how == "number":
            continue
        texts = drawn(rng, left), drawn(rng, right)
        shown = pictures(
            left=left.dtype.name,
            left_as=left.how,
            left_value=texts[0],
            right=right.dtype.name,
            right_as=right.how,
            right_value=texts[1],
        )[-1]
        values = [
            float(text) if side.kind > 1 else int(text) for text, side in zip(texts, (left, right), strict=True)
        ]
        torchs, theirs = shown.answers
        found = pytorchs(left, right)
        if found is None or found.name in LATE:
            with pytest.raises(RuntimeError, match=PYTORCH_ADDS_NONE if found else PYTORCH_PROMOTES_NONE):
                of_torch(left, values[0]) + of_torch(right, values[1])
            assert torchs.sum is None and torchs.type == (found.name if found else "")
            assert ("lacks it" in torchs.why) == (found is not None)
            refused["PyTorch"] += found is None
        else:
            expected = of_torch(left, values[0]) + of_torch(right, values[1])
            assert torchs.sum and torchs.type == str(expected.dtype).removeprefix("torch.")
            assert same(torchs.sum, expected), (left, right, texts, torchs.sum, expected)
        operands = [
            type(side.python)(value)
            if side.how == "number"
            else np.array(value if side.how == "0-d" else [value], side.dtype.numpy)
            for side, value in zip((left, right), values, strict=True)
        ]
        try:
            total = np.add(*operands)
        except OverflowError:
            assert theirs.type == "" and "does not fit" in theirs.why
            refused["NumPy"] += 1
        else:
            assert theirs.sum and theirs.sum.value == value_of(total.reshape(()).item())
            assert theirs.type == total.dtype.name
    assert min(refused.values()) > 10


def test_what_is_lost_is_named() -> None:
    shown = pictures()[-1]
    torchs, theirs = shown.answers
    assert (torchs.type, theirs.type) == ("float32", "float64")
    assert torchs.left and (torchs.left.value, torchs.left.lost) == ("2147483648", "+1")
    assert theirs.left and theirs.left.lost == "" and theirs.sum and theirs.sum.value == "2147483647.5"
    assert torchs.left.bits == "0" + "10011110" + "0" * 23 and torchs.left.fields == [1, 8, 23]
    assert shown.left.bits == "0" + "1" * 31 and shown.exact == "2147483647.5"
    gone = pictures(left="int64", right="float16", left_value="70001")[-1].answers[0]
    assert gone.left and (gone.left.value, gone.left.lost) == ("∞", "all of it")


def test_a_bit_belongs_to_one_field() -> None:
    for dtype in DTYPES:
        shown = pictures(left=dtype, left_value="1")[-1]
        for bits in (shown.left, *(each for answer in shown.answers for each in (answer.left, answer.sum) if each)):
            assert len(bits.bits) == sum(bits.fields), (dtype, bits)


def test_the_table() -> None:
    for left, right in product(HOWS, repeat=2):
        shown = pictures(left_as=left, right_as=right, left_value="1", right_value="1")[-1]
        assert len(shown.pytorch) == len(shown.numpy) == len(shown.rows) * len(shown.columns)
        at = shown.row * len(shown.columns) + shown.column
        assert shown.numpy[at] == shown.answers[1].type and shown.pytorch[at] == shown.answers[0].type
        assert shown.differ == sum(a != b for a, b in zip(shown.pytorch, shown.numpy, strict=True))
    assert [each.stage for each in pictures()] == ["left", "right", "pytorch", "numpy", "convert", "sum", "table"]


@pytest.mark.parametrize("text", ["", "nan", "1/3", "0x10", "--1", "1e9999", "٣"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(LabError, match=r"On the left, .* is no number"):
        pictures(left_value=text)


@pytest.mark.parametrize(
    ("dtype", "typed", "value", "lost"),
    [
        ("int8", "200", "127", "−73"),
        ("uint8", "-1", "0", "+1"),
        ("int32", "2.5", "2", "−0.5"),
        ("bool", "7", "1", "−6"),
        ("float16", "70000", "65504", "−4496"),
        ("float16", "0.1", "0.0999755859375", "−0.000024414…"),
        ("complex64", "-2.5", "−2.5", ""),
    ],
)
def test_a_typed_number_is_stored_as_its_type_can(dtype: Any, typed: str, value: str, lost: str) -> None:
    left = pictures(left=dtype, left_value=typed)[0].left
    assert (left.type, left.value, left.lost) == (dtype, value, lost)


def test_what_is_beyond_all_numbers_has_its_sign() -> None:
    *_, end = run(
        Params(
            left="float16",
            left_as="array",
            left_value="1",
            right="float16",
            right_as="number",
            right_value="-1e308",
        )
    )
    assert [answer.sum.value for answer in end.answers if answer.sum and answer.library == "PyTorch"] == ["−∞"]
    both = Params(
        left="float16",
        left_as="number",
        left_value="1e308",
        right="float16",
        right_as="number",
        right_value="-1e308",
    )
    *_, end = run(both)
    assert "∞" not in {answer.sum.value for answer in end.answers if answer.sum}
