"""What the chapter on mixed precision says, asked of its lab, of its recordings and of torch."""

from __future__ import annotations

import json
import re
import time
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
import torch
from article import CONTENT, Article, recorded
from native.models.torch_threads import one_thread
from native.pytorch.mixed_precision import Params, Trained, run
from native.pytorch.mixed_precision.network import flat
from native.pytorch.mixed_precision.training import Training

ARTICLE = Article("pytorch/14-mixed-precision.mdx")
says = ARTICLE.says
SET = re.compile(r'<Set figure="mixed_precision" ([^>]*)>')
LINK = re.compile(r'(\w+)=["{]([^"}]*)["}]')


@lru_cache(maxsize=16)
def log(**params: Any) -> list[Trained]:
    return [each for each in run(Params(**params)) if isinstance(each, Trained)]


def last(name: str = "default") -> dict[str, Any]:
    return recorded("pytorch/mixed_precision", name)[-1]


def test_the_opening() -> None:
    says("After 40 steps the loss is …. In float32 it was …", "no error, no NaN", "Many were too small")
    end = last()
    assert end["step"] == 40 and end["loss"][39] > 3 * end["reference"][39]
    assert all(each.gradients.nan == each.gradients.infinite == 0 for each in log())
    assert last("one")["gradients"]["lost"] > last("one")["parameters"] / 2


def test_the_format() -> None:
    says("with ten bits for $f$", "Half of $2^{-24}$ and everything below it becomes zero")
    half = np.float16
    assert half(2.0**-25) == 0 and half(2.0**-25 * 1.01) == half(2.0**-24) == half(3 * 2.0**-24) / 3
    assert np.finfo(half).nmant == 10 and (np.finfo(half).minexp, np.finfo(half).maxexp) == (-14, 16)
    says(
        "Because float16 has a largest number, 65,504",
        "The last bit of a number with exponent −14 is ten places",
    )
    assert float(np.finfo(half).max) == 65504
    says("Weights and activations lie well inside")
    for each in log():
        for tally in (each.weights, each.activations):
            assert tally.subnormal < 0.01 * tally.count and tally.lost == tally.infinite == 0
    assert log()[19].gradients.subnormal > 0.3 * log()[19].gradients.count


def test_the_share_of_the_loss() -> None:
    says("as if these 128 images were a part of a batch of two million")
    assert 128 * 2**14 == 2_097_152
    says("In float32 the factor matters little")
    whole = log(precision="float32", share=0)[-1].loss[-1]
    assert abs(whole / log()[-1].reference[-1] - 1) < 0.1
    says("With the whole loss only a handful of gradients are lost")
    assert max(each.gradients.lost for each in log(share=0)) <= 9


def test_what_autocast_lowers() -> None:
    says(
        "the images, four weights, four biases", "`relu` receives float16 and gives float16", "These are the master"
    )
    first = recorded("pytorch/mixed_precision")[0]
    casts = [each for each in first["operations"] if each["sort"] == "cast"]
    assert [each["gives"] for each in casts] == ["float16"] * 9 + ["float32"]
    assert {each["name"] for each in first["operations"] if each["sort"] == "kept"} == {
        "_log_softmax",
        "nll_loss_forward",
    }
    with torch.autocast("cpu", torch.float16):
        x = torch.nn.functional.linear(torch.rand(3, 4), torch.rand(2, 4))
        assert torch.relu(x).dtype == x.dtype == torch.float16
        assert torch.nn.functional.cross_entropy(x, torch.zeros(3).long()).dtype == torch.float32
        assert torch.nn.functional.conv2d(torch.rand(1, 1, 4, 4), torch.rand(1, 1, 2, 2)).dtype == torch.float16
    says("because `weight.grad` is float32. They are not", "A zero in float16 is a zero in float32")
    training = Training(Params())
    training.step()
    gradient = training.weights[0].grad
    assert gradient is not None and gradient.dtype == torch.float32
    assert torch.equal(gradient, gradient.half().float())  # all of them lie on float16's grid


def test_the_scale() -> None:
    says("a power of two changes exponents only".capitalize(), "close to that of float32")
    end = last("scaled")
    assert abs(end["loss"][39] / end["reference"][39] - 1) < 0.05
    normal = torch.rand(1000).half().clamp(min=2.0**-6)
    assert torch.equal((normal * 2.0**-8).float() * 2.0**8, normal.float())


def test_the_infinity() -> None:
    says("gradients of the first step are infinite", "and as many weights become NaN", "That run will not recover")
    assert last("infinite")["gradients"]["infinite"] == last("infinite")["broken"] > 0
    assert last("after")["broken"] > 0.8 * last("after")["parameters"]
    assert {each.stage for each in log(scaling="static", exponent=36)} == {"broken"}
    says("and the first three steps are skipped on the way down")
    stages = [each["stage"] for each in recorded("pytorch/mixed_precision", "skipping")[1:]]
    assert stages[:4] == ["skipped"] * 3 + ["updated"] and stages.count("skipped") == last("skipping")["skipped"]
    says("In the figure the interval is 4", "PyTorch's default is 2,000", "of 40 steps are skipped")
    assert Params().growth == 4 and torch.amp.GradScaler("cpu").get_growth_interval() == 2000
    assert last("skipping")["loss"][39] > 1.2 * last("scaled")["loss"][39]


def scaled_once(factor: float, clip: bool = False) -> tuple[torch.nn.Parameter, torch.amp.GradScaler]:
    weight = torch.nn.Parameter(torch.ones(1))
    scaler = torch.amp.GradScaler("cpu")
    optimizer = torch.optim.SGD([weight], lr=1.0)
    scaler.scale((weight * factor).sum()).backward()
    if clip:
        torch.nn.utils.clip_grad_norm_([weight], 1.0)
    scaler.step(optimizer)
    scaler.update()
    return weight, scaler


def test_around_the_scaler() -> None:
    says("A scale that falls in every step is: then the NaN does not come from the scale")
    weight, scaler = scaled_once(float("nan"))
    assert weight.item() == 1 and scaler.get_scale() == 2.0**15
    says("so a `clip_grad_norm_` at that place clips everything")
    assert scaled_once(0.5)[0].item() == 0.5
    assert 1 - scaled_once(0.5, clip=True)[0].item() < 1e-4  # the gradient of 0.5 was far below the limit of 1


def test_bfloat16() -> None:
    says("No gradient is subnormal, none is infinite", "eight for the exponent, as float32 does, and only seven")
    events = log(precision="bfloat16")
    assert all(each.gradients.subnormal == each.gradients.infinite == each.gradients.nan == 0 for each in events)
    assert abs(last("bfloat16")["loss"][39] / last("bfloat16")["reference"][39] - 1) < 0.1
    says("Between 1 and 2 the next bfloat16 number is $2^{-7}$ away")
    one = torch.ones(1, dtype=torch.bfloat16)
    assert (one + 2.0**-7 > one).all() and (one + 2.0**-9 == one).all()
    says("and some of the updates change nothing", "In these 40 steps the loss does not suffer")
    says("but the number of swallowed updates grows, as more and more of the updates are small")
    counts = [each["swallowed"] for each in recorded("pytorch/mixed_precision", "stored")[1:]]
    assert counts[0] < 0.5 * counts[19] < counts[39]
    assert last("stored")["swallowed"] > 0.1 * last("stored")["parameters"]
    assert abs(last("stored")["loss"][39] / last("bfloat16")["loss"][39] - 1) < 0.05


@pytest.mark.alone
def test_why_they_are_swallowed() -> None:
    says("8,314 weights and biases, and the last of 40 steps changes them by a few thousandths at most")
    says("Most weights are below one eighth, where the next bfloat16 number is less than a thousandth away")
    with one_thread():
        training = Training(Params(precision="bfloat16"))
        for _ in range(39):
            training.step()
        before = flat(training.weights).clone()
        training.step()
    change = (flat(training.weights) - before).abs()
    assert len(change) == last("stored")["parameters"] == 8314
    assert 0.001 < change.max() < 0.01
    assert (before.abs() < 1 / 8).float().mean() > 0.5 and 2.0**-4 * 2.0**-7 < 0.001


def took(precision: Any) -> float:
    with one_thread():
        training = Training(Params(precision=precision))
        times = []
        for _ in range(30):
            images, labels = training.batches.next()
            start = time.perf_counter()
            training.forward(images.float(), labels)[1].backward()
            times.append(time.perf_counter() - start)
    return float(np.median(times))


def test_no_speed_is_claimed() -> None:
    says("autocast makes this small network slower", "ten casts")
    assert took("float16") > took("float32")
    assert recorded("pytorch/mixed_precision")[0]["casts"] == 10


def test_links_lead_to_the_steps_they_mean() -> None:
    assert '<Step figure="mixed_precision" n={1}>' in ARTICLE.text
    assert recorded("pytorch/mixed_precision")[0]["kind"] == "traced"
    links = [dict(LINK.findall(each)) for each in SET.findall(ARTICLE.text)]
    assert len(links) == 6
    for link in links:  # each says all that another may have changed
        assert {"precision", "scaling", "share", "master"} <= link.keys()
        assert link["scaling"] == "none" or "exponent" in link
    assert [each.get("step", "") for each in links] == ["", "41", "2", "2", "21", "41"]
    assert "Mixed precision" not in json.loads((CONTENT / "pytorch/series.json").read_text())["planned"]
