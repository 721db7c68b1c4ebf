"""What the chapter on why to look inside says, asked of its recordings and of torch."""

from __future__ import annotations

import numpy as np
import torch
from article import Article, recorded
from native.pytorch.dispatch_overhead import LAYERS

says = Article("pytorch/01-why-look-inside.mdx").says
LAB = "pytorch/dispatch_overhead"


def layers(name: str = "default") -> dict[str, float]:
    last = recorded(LAB, name)[-1]
    return dict(zip(LAYERS, last["took"][:, 1].tolist(), strict=True)) | {"call": float(last["call"][1])}


def test_what_a_call_takes() -> None:
    says("more than a hundred times as long as the additions alone", "**Python** takes almost nothing")
    took = layers()
    assert took["call"] > 100 * took["arithmetic"]
    assert took["Python"] < 0.03 * took["call"]
    says("**Preparation** is the largest layer", "it is one of the smallest layers")
    order = sorted((time, name) for name, time in took.items() if name not in ("call", "unexplained"))
    assert order[-1][1] == "preparation"
    assert "arithmetic" in {name for _, name in order[:3]}


def test_what_is_subtracted_from_what() -> None:
    says(
        "`x.is_same_size(y)` takes the same arguments",
        "The difference is only … ns, far less than the parsing",
        "`torch.add(x, y, out=None)` makes a result and `torch.add(x, y, out=z)` makes none",
    )
    took = layers()
    assert 0 < 3 * took["dispatch"] < took["parsing"]
    assert took["memory"] > 0 and took["object"] > 0
    x, y, z = torch.ones(3, 4).chunk(3)
    assert x.is_same_size(y) and not x.is_same_size(torch.ones(2))
    assert torch.add(x, y, out=z) is z and torch.add(x, y, out=None) is not z
    differences = {event["stage"]: event["difference"] for event in recorded(LAB)}
    assert differences["dispatch"] == "at::_ops::add_out::call(x, y, z) − at::cpu::add_out(z, x, y)"
    assert differences["memory"] == "at::cpu::add(x, y) − at::cpu::add_out(z, x, y)"


def test_no_difference_has_the_method_of_the_sign() -> None:
    says("No call here measures, for instance, how `+` finds the method `__add__` of a tensor")
    assert not any("__add__" in event["difference"] for event in recorded(LAB))
    assert type(torch.ones(1).__add__) is not type((1).__add__)


def test_autograds_layer() -> None:
    says("the layer grows to … ns")
    assert layers("recording")["autograd"] > 1.5 * layers()["autograd"]
    says("the dispatcher skips the check")
    x = torch.ones(3)
    with torch.inference_mode():
        made = x + x
    assert made.is_inference()


def test_when_it_matters() -> None:
    says("With 65,536 numbers the same line takes … ns", "Below about ten thousand, everything around")
    large = layers("large")
    assert large["arithmetic"] > 0.5 * large["call"]
    last = recorded(LAB)[-1]
    assert 5_000 < last["crossover"] < 60_000
    says("is many times faster")
    apart, once = last["many"][:, 1]
    assert apart > 10 * once


def test_the_exercises() -> None:
    says("7 of 1,800 ns are saved, 0.4 %", "Sixteen times as many numbers take more than sixteen times as long")
    assert round(100 * 7 / 1800, 1) == 0.4
    by_size = recorded(LAB)[-1]["by_size"][:, 1, 1]
    sizes = recorded(LAB)[-1]["sizes"].tolist()
    assert by_size[sizes.index(4096)] > 16 * by_size[sizes.index(256)]
    says("three arrays of 16 KiB no longer fit into the first cache together")
    assert 4096 * 4 == 16 << 10 and 3 * 16 > 32
    assert np.isfinite(by_size).all()
