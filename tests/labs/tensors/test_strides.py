"""Chains of views against PyTorch and NumPy: shape, strides, offset, elements, and who shares memory with whom."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from labs.contract import LabError
from labs.models.tensor.layout import Layout
from labs.tensors.strides import EXAMPLES, LINE, Params, Picture, run
from labs.tensors.strides.follow import blocked

CHAINS = 6000
pytestmark = pytest.mark.filterwarnings("ignore:The use of `x.T`", "ignore:Tensor.T is deprecated")


def pictures(**params: Any) -> list[Picture]:
    return list(run(Params(**params)))


def operations(**params: Any) -> list[Picture]:
    """Without the walk."""
    return [*itertools.takewhile(lambda each: each.stage != "walk", run(Params(**params)))]


def factors(size: int, rng: random.Random) -> list[int]:
    shape = []
    while size > 1 and len(shape) < 3:
        shape.append(rng.choice([n for n in range(1, size + 1) if size % n == 0]))
        size //= shape[-1]
    return rng.sample([*shape, size], len(shape) + 1)


def piece(tensor: torch.Tensor, rng: random.Random) -> str:
    """One more operation that may be done, or refused."""
    dims = tensor.dim()
    some = [rng.randrange(-dims, dims) for _ in range(2)] if dims else [0, 0]
    key = ", ".join(
        rng.choice(["1:", ":-1", "::2", "1::2", ":", "0", "-1", "None"] + ["..."] * (n == 0))
        for n in range(rng.randint(1, 3))
    )
    shape = ", ".join(map(str, factors(tensor.numel(), rng)))
    wide = ", ".join(str(n if n != 1 else rng.randint(1, 3)) for n in tensor.shape)
    return rng.choice(
        [
            f".reshape({shape})",
            f".view(({shape},))",
            ".flatten()",
            ".T",
            ".mT" if dims else ".T",
            f".transpose({some[0]}, {some[1]})",
            f".permute({tuple(rng.sample(range(dims), dims))})",
            f".flip({some[0]})",
            f".unsqueeze({some[0]})",
            ".squeeze()",
            f".squeeze({some[0]})",
            f".expand(2, {wide})" if wide and rng.random() < 0.4 else f".expand({wide or 2})",
            f"[{key}]",
            ".contiguous()",
            f".unfold({some[0]}, 2, 1)",
        ]
    )


def drawn(seed: int) -> str:
    """A chain that PyTorch can follow but, maybe, for its last part."""
    rng = random.Random(seed)
    count = rng.choice([1, 4, 6, 12, 24, 30, 36])
    text = f"arange({count})"
    for _ in range(rng.randint(1, 5)):
        tensor = eval(text, {"arange": torch.arange})
        longer = text + piece(tensor, rng)
        try:
            after = eval(longer, {"arange": torch.arange})
        except (RuntimeError, IndexError):
            return longer
        if after.numel() > 64 or after.dim() > 5:
            break
        text = longer
    return text


def steps(strides: Any, shape: Any) -> list[int]:
    """The strides that are stepped over: a dimension of length 1 may have any."""
    return [stride for stride, n in zip(strides, shape, strict=True) if n > 1]


def test_1500_chains_are_pytorchs() -> None:
    outcomes: dict[str, int] = {}
    for seed in range(CHAINS):
        text = drawn(seed)
        try:
            expected = eval(text, {"arange": torch.arange})
        except (RuntimeError, IndexError):
            expected = None
        try:
            found = operations(chain=text, dtype="int64")
        except LabError:
            assert expected is None, text
            continue
        shown = found[-1]
        outcomes[shown.outcome] = outcomes.get(shown.outcome, 0) + 1
        assert (shown.outcome == "refused") == (expected is None), text
        if expected is None:
            continue
        assert shown.shape == list(expected.shape), text
        assert [int(shown.numbers[p]) for p in shown.places] == expected.flatten().tolist(), text
        if expected.numel():
            assert shown.contiguous == expected.is_contiguous(), text
            assert steps(shown.strides, shown.shape) == steps(expected.stride(), expected.shape), text
            assert shown.offset == expected.storage_offset(), text
            assert shown.bytes.tobytes() == bytes(expected.untyped_storage().tolist()), text
    assert min(outcomes[each] for each in ("view", "copy", "refused", "same")) > 10, outcomes


def test_each_step_shares_memory_where_pytorch_does() -> None:
    for seed in range(400):
        text = drawn(seed)
        try:
            found = operations(chain=text, dtype="int64")
        except LabError:
            continue
        before = None
        for shown in found:
            if shown.outcome == "refused":
                continue
            base = eval(text[: shown.begin] or "None", {"arange": torch.arange}) if shown.begin else None
            if base is not None and base.numel():
                after = eval(f"base{text[shown.begin : shown.end]}", {"base": base})
                shares = after.untyped_storage().data_ptr() == base.untyped_storage().data_ptr()
                assert (shown.outcome in ("view", "same")) == shares, text[: shown.end]
                assert before is not None and (shown.storage == before.storage) == shares
            before = shown


NUMPYS = {
    "[::-1, 1:]": lambda x: x[::-1, 1:],
    ".flip(1)": lambda x: np.flip(x, 1),
    ".flip(0, 1).T": lambda x: np.flip(x, (0, 1)).T,
    ".T.reshape(24)": lambda x: x.T.reshape(24),
    ".flip(0).reshape(2, 2, 6)": lambda x: np.flip(x, 0).reshape(2, 2, 6),
    "[:, ::-2].contiguous()": lambda x: np.ascontiguousarray(x[:, ::-2]),
}


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("rest", NUMPYS)
def test_numpys_rules(rest: str, dtype: Any) -> None:
    array = np.arange(24).astype(dtype).reshape(4, 6)
    expected = NUMPYS[rest](array)
    shown = operations(chain=f"arange(24).reshape(4, 6){rest}", dtype=dtype, library="NumPy")[-1]
    assert tuple(shown.shape) == expected.shape
    assert [n * shown.itemsize for n in shown.strides] == list(expected.strides)
    assert (shown.storage == 0) == np.shares_memory(expected, array)
    items = np.frombuffer(shown.bytes.tobytes(), dtype)
    assert items[shown.places].tolist() == expected.ravel().tolist()
    assert [float(each) for each in shown.numbers] == items.tolist()


def test_a_negative_step_is_refused_by_pytorch() -> None:
    with pytest.raises(ValueError, match="step must be greater than zero"):
        torch.arange(24)[::-1]
    assert pictures(chain="arange(24)[::-1]")[-1].stage == "refused"
    assert pictures(chain="arange(24)[::-1]", library="NumPy")[1].outcome == "view"


@settings(max_examples=300)
@given(st.lists(st.integers(1, 4), max_size=4), st.data())
def test_what_blocks_a_view_is_found_exactly_where_there_is_none(lengths: list[int], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(lengths))))
    keys = tuple(data.draw(st.sampled_from([slice(None), slice(None, None, 2)])) for _ in lengths)
    layout = Layout.rows(lengths)[keys].permute(order)
    shape, left = [], layout.size
    while left > 1:
        shape.append(data.draw(st.sampled_from([n for n in range(2, left + 1) if left % n == 0])))
        left //= shape[-1]
    assert (blocked(layout, tuple(shape)) is None) == (layout.reshape(shape) is not None)


@pytest.mark.parametrize("chain", EXAMPLES.values())
@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64"])
def test_the_walk_counts_lines(chain: str, dtype: Any) -> None:
    found = pictures(chain=chain, dtype=dtype)
    walked = [each for each in found if each.stage == "walk"]
    line = [int(place) * found[-1].itemsize // LINE for place in found[-1].places]
    for n, each in enumerate(walked):
        assert each.at == n and each.walked == n + 1
        assert each.places[n] == each.offset + sum(i * s for i, s in zip(each.index, each.strides, strict=True))
        assert np.ravel_multi_index(each.index, each.shape) == n
        assert each.lines == len({*line[: n + 1]})
        assert each.fetches == 1 + sum(a != b for a, b in itertools.pairwise(line[: n + 1]))
    if walked:
        assert [each.stage for each in found[-2:]] == ["walk", "end"]
        assert len(walked) == len(line) and found[-1].fetches == walked[-1].fetches


def test_the_chosen_element_stays_within() -> None:
    assert pictures(element=63)[0].at == 23
    assert pictures(element=0)[2].index == [0, 0]
    nothing = pictures(chain="arange(24)[5:5]")
    assert [each.stage for each in nothing] == ["storage", "operation"] and nothing[-1].at is None


@pytest.mark.parametrize(
    ("chain", "says"),
    [
        ("", r"Column 1 .* begins with arange"),
        ("x.reshape(4, 6)", "Column 1 "),
        ("arange(0)", "1 to 64 here"),
        ("arange(65)", "1 to 64 here"),
        ("arange(24", r"Column 10 .* expected \) after the number"),
        ("arange(24).sum()", "Column 12 .* sum is none of the operations"),
        ("arange(24).reshape(5, 5)", "Column 11 .* cannot have the shape"),
        ("arange(24)[24]", "index 24 is out of bounds"),
        ("arange(24)[::0]", "must not be 0"),
        ("arange(24)[1:2:3:4]", "three numbers at most"),
        ("arange(24)[1 2]", "Column 14 "),
        ("arange(24)[]", "expected an index"),
        ("arange(24).transpose(0)", "transpose takes 2 numbers"),
        ("arange(24).reshape((4, 6), 1)", "or one tuple"),
        ("arange(24).as_strided((3,), 1)", "a shape, strides and an offset"),
        ("arange(24).as_strided((4,), (8,))", "element 24 of a storage of 24"),
        ("arange(24).as_strided((4,), (8, 1))", "1 lengths need as many strides"),
        ("arange(24).expand(4, 24)", "64 elements at most"),
        ("arange(24) + 1", r"Column 12 .* '\+' has no meaning"),
        ("arange(24).T é", "'é' has no meaning"),
        ("arange(99999999)", "too large"),
        ("arange(8).flip(0, 0)", "twice"),
        ("arange(8).diagonal()", "two dimensions"),
        ("arange(8).unfold(0, 9, 1)", "do not fit 8"),
    ],
)
def test_what_cannot_be_followed_is_refused_with_its_column(chain: str, says: str) -> None:
    with pytest.raises(LabError, match=says):
        pictures(chain=chain)


@pytest.mark.parametrize("chain", ["arange(3).expand(-1,3)", "arange(3).expand(2,-1,3)"])
def test_a_negative_length_is_advice(chain: str) -> None:
    try:
        *_, end = run(Params(chain=chain))
    except LabError as wrong:
        assert "negative" in str(wrong)
    else:
        assert end.outcome == "refused"
