"""What the chapter on saved state says, asked of its lab and of torch."""

from __future__ import annotations

import json
import math
import runpy
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any, Literal

import pytest
import torch
from article import CONTENT, Article, recorded
from native.models.torch_threads import one_thread
from native.pytorch.checkpointing import Params, Passing, plans, run
from native.pytorch.checkpointing.pictures import Policy, Segment
from native.pytorch.checkpointing.story import widths
from native.pytorch.ways_timed import Params as WaysParams
from native.pytorch.ways_timed import deep, works
from torch import nn
from torch.utils.checkpoint import checkpoint

ARTICLE = Article("pytorch/12-backward-and-saved-state.mdx")
says = ARTICLE.says
KIB = 1024


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    with one_thread():
        yield


@lru_cache
def log(
    policy: Policy = "every", length: int = 3, layers: int = 9, shape: Literal["even", "hourglass"] = "even"
) -> list[Passing]:
    return list(run(Params(policy=policy, length=length, layers=layers, shape=shape)))


def even(layers: int) -> plans.Sizes:
    return plans.sizes([1] * (layers + 1), 1, 1)


def names(step: Passing, state: str) -> set[str]:
    return {f"{each.row}{each.layer}" for each in step.blocks if each.state == state}


def test_one_checkpoint_around_all() -> None:
    says("the peak is the same, to the byte", "and every product of forward is computed twice")
    whole, plain = log(length=9), log("none")
    assert whole[-1].peak == plain[-1].peak and whole[-1].again == 1
    says("After the forward pass almost all activations are gone", "only the input and the output are kept")
    first = next(each for each in whole if each.stage == "again")
    assert names(first, "kept") == {"h9"}


def test_what_each_node_saves() -> None:
    says("so GeluBackward0 saves $z$", "so MmBackward0 saves the $h$ of the layer before")
    steps = {f"{each.layer} {n % 2}": str(each.text) for n, each in enumerate(log("none")[:18])}
    assert "MmBackward0 saves h4 and W5" in steps["5 0"] and "GeluBackward0 saves z5" in steps["5 1"]
    says("here of 16 KiB", "a node lets go of them as soon as it has run in backward")
    assert {block.bytes for each in log("none") for block in each.blocks} == {16 * KIB}
    says("The peak is the first moment of backward, when all blocks are there and the first gradient as well")
    peak = next(each for each in log("none") if each.alive == log("none")[-1].peak)
    assert peak.stage == "backward" and len(peak.blocks) == 19 and names(peak, "gradient") == {"dz9"}


def test_what_a_checkpoint_keeps() -> None:
    says("the last `gelu` of a segment is not computed twice")
    again = [f"{each.blocks[-1].row}{each.layer}" for each in log() if each.stage == "again"]
    assert again == [f"{row}{n}" for n in (7, 8, 9, 4, 5, 6, 1, 2, 3) for row in "zh" if row == "z" or n % 3]
    says("only one segment is full at a time", "The gradients of the weights are the same, bit for bit")
    segments = [{(each.layer - 1) // 3 for each in step.blocks if each.state == "again"} for step in log()]
    assert max(map(len, segments)) == 1 and all(each.equal for each in log())
    says("adds 9 products to 26, about a third")
    assert 3 * 9 - 1 == 26 and 0.3 < 9 / 26 < 0.36


def test_the_formula() -> None:
    says("Of the last segment it holds $k$ products, $k - 1$ outputs inside, and the first gradient")
    peak = next(each for each in log() if each.alive == log()[-1].peak)
    assert (names(peak, "kept"), names(peak, "gradient")) == ({"h3", "h6", "h9"}, {"dz9"})
    assert names(peak, "again") == {"z7", "h7", "z8", "h8", "z9"}
    says("The count is exact if $k$ divides $n$", "The minimum lies at $k = \\sqrt{n/2}$")
    for n in range(2, 60):
        for k in (k for k in range(1, n + 1) if n % k == 0):
            assert plans.peak(plans.every(n, k), even(n)) == n // k + 2 * k
    says("The best equal segments have", "and $32/4 + 2 \\cdot 4 = 16$. Unequal segments need 14")
    peaks = {k: plans.peak(plans.every(32, k), even(32)) for k in range(1, 33)}
    assert min(peaks.values()) == peaks[4] == 16 and [k for k in peaks if peaks[k] == 16] == [4]
    assert plans.peak(plans.best(even(32)), even(32)) == 14


def test_beat_the_rule() -> None:
    """By hand: what the three guesses and the answer take, and that nothing takes less."""
    says("with a peak of 138 KiB", "the ends are eight times as wide as the waist")
    wide = widths(16, 64, "hourglass")
    assert max(wide) == wide[0] == wide[-1] == 8 * min(wide)
    of = plans.sizes(wide, 64, 4)

    def peak(text: str) -> float:
        return plans.peak(plans.chosen(text, 16), of) / KIB

    assert peak("4 4 4 4") == 138 and peak("3 3 3 3 3 1") == 126
    says("With 6, 4 and 6 the peak is 156 KiB", "The other two ways take 124 and 104 KiB")
    assert [peak(each) for each in ("6,4,6", "1,2,3,4,3,2,1", "3,6,4,2,1")] == [156, 124, 104]
    says("96 KiB: segments of 2, 5, 5, 2 and 1 layers, and a last layer that keeps all")
    assert plans.chosen("2 5 5 2 1 k1", 16) == plans.best(of) and peak("2 5 5 2 1 k1") == 96
    for policy, link in (("best", "layers={16} step={33}"), ("yours", "layers={16} step={40}")):
        assert link in ARTICLE.text
        linked = list(run(Params(policy=policy, segments="4 4 4 4", shape="hourglass", layers=16)))  # type: ignore[arg-type]
        assert linked[int(link[-3:-1]) - 1].alive == linked[-1].peak
    shown = list(run(Params(policy="yours", segments="6,4,6", shape="hourglass", layers=16)))
    top = next(each for each in shown if each.alive == shown[-1].peak)
    assert top.stage == "backward" and {b.layer for b in top.blocks if b.state == "again"} == {*range(11, 17)}


def test_unequal_segments() -> None:
    says("the borders of later segments are already gone", "$M$ needs to be about $2\\sqrt{n}$")
    for n in (32, 50):
        most = plans.peak(plans.best(even(n)), even(n))
        uniform = min(plans.peak(plans.every(n, k), even(n)) for k in range(1, n + 1))
        assert 2 * math.sqrt(n) < most < uniform <= 2 * math.sqrt(2 * n) + 1
    says("Here that gives segments of 3, 2 and 2 layers", "The last two layers keep all")
    assert log("best")[-1].segments == [
        Segment(0, 3, True), Segment(3, 5, True), Segment(5, 7, True), Segment(7, 9, False),
    ]  # fmt: skip
    says(
        "segments of four take 138 KiB, segments of three 126, and the best ones 96",
        "Narrow places make cheap borders",
    )
    costs = {each.policy: each.peak / KIB for each in log("best", 3, 16, "hourglass")[-1].costs}
    assert (costs["sqrt"], costs["every"], costs["best"]) == (138, 126, 96)


def test_selective() -> None:
    says(
        "a product here takes 128 operations", "Both results have the same size", "and no product is computed again"
    )
    assert 2 * Params().width == 128
    assert log("selective")[-1].again == 0
    again = {block.row for each in log("selective") for block in each.blocks if block.state == "again"}
    assert again == {"h"}
    says("Three of three. The other two save nothing at all", "In blocks the peak is $n + n/k + k$")
    peaks = {k: log("selective", k)[-1].peak // (16 * KIB) for k in (1, 3, 9)}
    assert peaks == {k: 9 + 9 // k + k for k in peaks} and peaks[1] == peaks[9] == 19 > peaks[3]


def test_files() -> None:
    says("one writes a file and the other reads it", "are moved, half of them out and half of them back")
    cost = next(each for each in recorded("pytorch/checkpointing")[-1]["costs"] if each["policy"] == "offload")
    assert cost["moved"] == 2 * 17 * 16 * KIB and cost["peak"] == 4 * 16 * KIB and cost["again"] == 0


def test_dropout() -> None:
    says("checkpoints restore the state of the random generator", "then gradients are wrong, and nothing says so")
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 64), nn.Dropout(0.5), nn.Linear(64, 64))
    x = torch.ones(8, 64)

    def gradient(forward: Any) -> Any:
        torch.manual_seed(1)
        model.zero_grad()
        forward(x).sum().backward()
        return model[0].weight.grad.clone()

    right = gradient(model)
    wrapped = partial(checkpoint, model, use_reentrant=False)
    assert torch.equal(gradient(wrapped), right)
    assert not torch.allclose(gradient(partial(wrapped, preserve_rng_state=False)), right)


def test_batch_norm_and_reentrant() -> None:
    says("sees each batch twice, and moves its running statistics twice")
    model = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
    checkpoint(model, torch.randn(8, 4), use_reentrant=False).sum().backward()
    assert model[1].num_batches_tracked == 2
    says("PyTorch 2.13 warns and takes the old implementation, which returns an output without a gradient")
    with (
        pytest.warns(UserWarning, match="use_reentrant parameter should be passed"),
        pytest.warns(UserWarning, match="Gradients will be None"),
    ):
        result = checkpoint(model, torch.randn(8, 4))
    assert not result.requires_grad and model[0].weight.requires_grad


def test_links_lead_to_the_steps_they_mean() -> None:
    def step(policy: Policy, length: int = 3) -> Passing:
        found = ARTICLE.text.split(f'policy="{policy}" length={{{length}}} step={{')
        if len(found) == 1:
            found = ARTICLE.text.split(f'policy="{policy}" step={{')
        return log(policy, length)[int(found[1].partition("}")[0]) - 1]

    assert len(names(step("none"), "kept")) == 18
    for policy, length in (("every", 9), ("best", 3), ("selective", 3)):
        shown = step(policy, length)
        assert shown.alive == log(policy, length)[-1].peak and shown.stage == "backward"
    assert len(names(step("offload"), "file")) > 10 and names(step("offload"), "again")
    assert "Backward and saved state" not in json.loads((CONTENT / "pytorch/series.json").read_text())["planned"]


def test_task_counts_what_the_lab_counts() -> None:
    peak_blocks = runpy.run_path(str(CONTENT / "pytorch/tasks/peak_blocks.py"))["peak_blocks"]
    for lengths in ((3, 3, 3), (9,), (4, 3, 2), (1, 1), (5, 1, 2)):
        starts = [sum(lengths[:n]) for n in range(len(lengths))]
        plan = [Segment(at, at + length, True) for at, length in zip(starts, lengths, strict=True)]
        assert peak_blocks(lengths) == plans.peak(plan, even(sum(lengths)))


def test_what_a_step_takes() -> None:
    says("with 1,024 rows", "With 64 rows, as in the first figure", "a price that does not depend on its size")
    assert works.given("checkpoint", 1 << 16).shape == (1024, deep.WIDTH) and Params().layers == deep.LAYERS
    assert works.given("checkpoint", 1 << 12).shape == (Params().rows, Params().width)
    took = {}
    for name in ("checkpoint", "checkpoint_small"):
        end = recorded("pytorch/ways_timed", name)[-1]
        took[name] = dict(zip([each["name"] for each in end["ways"]], end["took"][:, 1], strict=True))
        assert min(took[name], key=took[name].__getitem__) == "all"
    more = {name: each["threes"] / each["all"] for name, each in took.items()}
    assert more["checkpoint_small"] > more["checkpoint"]
    says("All seven ways give the same gradients, bit for bit")  # tests/labs/pytorch/test_ways_timed.py
    says("The last row starts with the segments `4 3 k2`", "That is faster than three checkpoints")
    says(
        "two layers fewer are computed again, and there is one checkpoint fewer",
        "It costs one more block at the peak",
    )
    assert WaysParams().segments == Params().segments == "4 3 k2"
    assert took["checkpoint"]["all"] < took["checkpoint"]["yours"] < took["checkpoint"]["threes"]
    end = recorded("pytorch/ways_timed", "checkpoint")[-1]
    peak = dict(zip(took["checkpoint"], end["peak"], strict=True))
    assert peak["yours"] - peak["threes"] == 1024 * deep.WIDTH * 4
    again = {
        name: sum(each.stop - each.start for each in deep.chosen(text) if each.keeps == "input")
        for name, text in {"yours": "4 3 k2", "threes": "3 3 3"}.items()
    }
    assert again["threes"] - again["yours"] == 2
    assert [sum(each.keeps == "input" for each in deep.chosen(text)) for text in ("4 3 k2", "3 3 3")] == [2, 3]
    assert [each.keeps for each in deep.chosen("4 s3 f2")] == ["input", "products", "files"]
