"""All ways give one result, kernels give one another's bits, and times are of the turns that were shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from labs.contract import LabError
from native.models import softcap_kernel
from native.models.torch_threads import one_thread
from native.pytorch import checkpointing
from native.pytorch.ways_timed import Params, Timed, deep, run, works
from native.pytorch.ways_timed.story import quartiles
from torch import nn
from torch.nn import functional
from torch.utils.flop_counter import FlopCounterMode

pytestmark = pytest.mark.xdist_group("ways_timed")


def story(**params: Any) -> list[Timed]:
    return list(run(Params(**{"size": "4 K", "repetitions": 3, "inductor": False, **params})))


@pytest.mark.parametrize("work", ["convolution", "softcap", "checkpoint"])
def test_a_row_for_each_way_and_a_dot_for_each_turn(work: Any) -> None:
    log = story(work=work)
    names = [each.name for each in log[-1].ways]
    assert [event.stage for event in log] == ["made"] * len(names) + ["turn"] * 3 + ["worth"]
    for count, event in enumerate(log[: len(names)], 1):
        assert [each.name for each in event.ways] == names[:count] and event.now == names[count - 1]
        assert np.isnan(event.turns).all() and np.isnan(event.took).all()
    for turn, event in enumerate(log[len(names) : -1]):
        assert np.isfinite(event.turns[:, : turn + 1]).all() and np.isnan(event.turns[:, turn + 1 :]).all()
        assert event.now == names[int(event.turns[:, turn].argmin())]
    end = log[-1]
    np.testing.assert_allclose(end.took[:, 1], np.sort(end.turns, 1)[:, 1], rtol=1e-6)
    np.testing.assert_allclose(end.gain[:, 1], np.sort(end.turns[0] / end.turns, 1)[:, 1], rtol=1e-6)
    assert (end.turns > 0).all() and end.gain[0].tolist() == [1, 1, 1]
    assert end.now == ("yours" if work == "checkpoint" else names[int(end.gain[:, 1].argmax())])
    assert all(each.error < 2e-6 and each.seconds == 0 for each in end.ways)


def test_every_checkpoint_gives_the_same_gradient() -> None:
    """To the bit, and that of one product after the other, written out."""
    x = works.given("checkpoint", 1 << 12)
    with one_thread():
        made = {
            each.name: each.call(x) for each in works.ways("checkpoint", x, compiling=False, own="2 s3 f1 k1 2")
        }
        chain, h, steps = deep.chain(len(x)), x, list[tuple[torch.Tensor, torch.Tensor]]()
        for weight in chain.weights:
            steps.append((h, h @ weight.detach()))
            h = functional.gelu(steps[-1][1])
        g = chain.direction
        for weight, (before, z) in zip(reversed(chain.weights), reversed(steps), strict=True):
            slope = torch.erfc(-z / 2**0.5) / 2 + z * torch.exp(-z * z / 2) / (2 * torch.pi) ** 0.5
            last, g = before.T @ (g * slope), g * slope @ weight.detach().T
    assert [*made] == ["all", "threes", "best", "one", "selective", "files", "yours"]
    assert all(torch.equal(each, made["all"]) for each in made.values())
    torch.testing.assert_close(made["all"], last, rtol=1e-4, atol=1e-3)


def test_what_is_kept_and_what_is_done_again() -> None:
    """Products of a step, by torch's own count: nine forward, seventeen back, and what is done again."""
    x, each = works.given("checkpoint", 1 << 12), 2 * 64**3
    made = works.ways("checkpoint", x, compiling=False, own="2 s2 f1 k1 3")
    calls = {way.name: way.call for way in made}
    for name, again in {"all": 0, "threes": 9, "best": 7, "one": 9, "selective": 0, "files": 0, "yours": 5}.items():
        call = calls[name]
        with FlopCounterMode(display=False) as counter:
            call(x)
        assert counter.get_total_flops() == (9 + 17 + again) * each, name


@pytest.mark.parametrize("rows", [64, 1024])
def test_peaks_are_those_of_the_first_figure(rows: int) -> None:
    """Block by block: what ``checkpointing`` counts for its default network, which is this one."""
    x = works.given("checkpoint", rows * deep.WIDTH)
    block = x.numel() * x.element_size()
    with one_thread():
        blocks = {each.name: each.peak / block for each in deep.ways(x, "4 3 k2")}
        costs = {
            each.policy: each.peak / (16 * 1024)
            for each in list(checkpointing.run(checkpointing.Params()))[-1].costs
        }
        whole = list(checkpointing.run(checkpointing.Params(length=9)))[-1].costs[1].peak / (16 * 1024)
    policies = {"all": "none", "threes": "every", "best": "best", "selective": "selective", "files": "offload"}
    assert {name: costs[policy] for name, policy in policies.items()} | {
        "one": whole,
        "yours": costs["yours"],
    } == blocks


def test_the_peak_and_the_time_of_the_readers_segments() -> None:
    end = story(work="checkpoint", segments="1 f8")[-1]
    assert end.ways[-1].name == end.now == "yours" and end.ways[-1].does == "1: a checkpoint, 8: in files"
    assert len(end.peak) == len(end.ways) and 0 < end.peak[-1] < end.peak[0]
    ratio = np.median(end.turns[-1] / end.turns[0])
    assert f"{ratio:.3g} times as long" in str(end.text) and end.gain[-1, 1] == pytest.approx(1 / ratio)
    assert set(story(work="softcap")[-1].peak) == {0}


def test_words_of_segments() -> None:
    def kept(text: str) -> list[tuple[int, str]]:
        return [(each.stop - each.start, each.keeps) for each in deep.chosen(text)]

    assert kept("4 s3,f2") == [(4, "input"), (3, "products"), (2, "files")]
    assert kept("") == kept(" , ") == [(9, "all")]
    assert kept("k04 99 3") == [(4, "all"), (5, "input")]
    for word in ("0", "-1", "k", "ks2", "3f", "1.5", "٣", "100", "\x00"):
        with pytest.raises(LabError, match="is no segment: write lengths"):
            story(work="checkpoint", segments=f"2 {word}")


def test_quartiles_of_no_turns_are_not_known() -> None:
    assert np.isnan(quartiles(np.zeros((2, 0), np.float32))).all()
    assert quartiles(np.array([[4, 1, 2, 3, 5]], np.float32)).tolist() == [[2, 3, 4]]


def test_the_fold_is_the_formula() -> None:
    """Against the batch norm, written out; and there is none in the folded graph."""
    x = works.given("convolution", 1 << 12)
    assert x.numel() == 1 << 12
    made = {each.name: each for each in works.ways("convolution", x, compiling=False)}
    block = works.Block().eval()
    conv, norm = block.conv, block.norm
    assert norm.running_mean is not None and norm.running_var is not None
    y = functional.conv2d(x, conv.weight, conv.bias, padding=1)
    y = (y - norm.running_mean.view(-1, 1, 1)) / torch.sqrt(norm.running_var.view(-1, 1, 1) + norm.eps)
    y = y * norm.weight.view(-1, 1, 1) + norm.bias.view(-1, 1, 1)
    for each in made.values():
        torch.testing.assert_close(each.call(x), y / (1 + torch.exp(-y)), rtol=1e-4, atol=1e-5)
    folded: Any = made["folded"].call
    assert not [each for each in folded.modules() if isinstance(each, nn.BatchNorm2d)]
    both: Any = made["silu"].call
    assert "silu" in both.code and "sigmoid" not in both.code


@pytest.mark.parametrize("n", [0, 1, 7, 8, 19, 1000])
def test_three_kernels_give_the_same_bits(n: int) -> None:
    x = 40 * torch.randn(2 * n, generator=torch.Generator().manual_seed(n))
    for each in (x, x[::2], x.view(2, n).mT):
        right = softcap_kernel.call("right", each, 30.0)
        for name in softcap_kernel.TIMED:
            assert softcap_kernel.call(name, each, 30.0).equal(right), name


@pytest.mark.parametrize("work", ["convolution", "softcap"])
def test_what_inductor_makes_is_right_too(work: Any) -> None:
    """Both compilations of the convolution live beside each other."""
    x = works.given(work, 1 << 12)
    with one_thread(), torch.no_grad():
        made = [each for each in works.ways(work, x, compiling=True) if each.seconds]
        right = works.exact(work, x)
        assert [each.name for each in made] == {
            "convolution": ["compiled", "frozen"],
            "softcap": ["inductor"],
        }[work]
        for each in made:
            torch.testing.assert_close(each.call(x).double(), right, rtol=1e-4, atol=1e-5)
