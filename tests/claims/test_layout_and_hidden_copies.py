"""What the chapter on memory formats says, asked of its lab, its recordings, and torch."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest
import torch
from article import Article, recorded
from native.pytorch.memory_format import Chain, Params, run
from native.pytorch.memory_format.chain import fed, network
from native.pytorch.memory_format.op import Op
from torch.autograd import profiler
from torch.utils._python_dispatch import TorchDispatchMode

says = Article("pytorch/03-layout-and-hidden-copies.mdx").says


def measured(field: str, recording: str = "default") -> Any:
    """Medians."""
    return np.asarray(recorded("pytorch/memory_format", recording)[-1][field])[:, 1]


def looked_at(**params: Any) -> Chain:
    """With every copy found, and nothing timed."""
    log = run(Params(**params))
    first = next(log)
    *_, last = islice(log, len(first.ops))
    return last


def op(event: Chain, name: str) -> Op:
    return next(each for each in event.ops if each.name == name)


def copying(event: Chain) -> list[str]:
    return [each.name for each in event.ops if each.visible_bytes + each.inside_bytes]


def test_converting_made_it_slower() -> None:
    says("Now it takes", "which is still more than at first", "Now the conversion pays.")
    neither, weights, _, both = measured("whole")
    assert neither < both < weights
    for recording in ("kept", "straight"):
        whole = measured("whole", recording)
        assert whole[3] < whole[0]
    says("more than both convolutions gain")
    contiguous, last = measured("inside", "both")
    names = [each["name"] for each in recorded("pytorch/memory_format", "both")[-1]["ops"]]
    assert measured("copying", "both")[names.index("conv 2")] > 2 * (contiguous - last) > 0


def test_two_orders() -> None:
    says("$(CHW, HW, W, 1)$", "$(CHW, 1, WC, C)$", "160, 1, 40, 8")
    c, h, w = 8, 4, 5
    x = torch.zeros(2, c, h, w)
    assert x.stride() == (c * h * w, h * w, w, 1)
    last = x.to(memory_format=torch.channels_last)
    assert last.stride() == (c * h * w, 1, w * c, c) == (160, 1, 40, 8)


def test_how_a_format_spreads() -> None:
    says(
        "Batch norm, ReLU and pooling keep the format that they get",
        "if its input *or* its weights have the strides of that format",
    )
    for x, weights in ((a, b) for a in ("contiguous", "channels_last") for b in ("contiguous", "channels_last")):
        event = looked_at(input=x, weights=weights)
        first = op(event, "conv 1")
        assert (first.after == "channels_last") == ("channels_last" in (x, weights))
        for name in ("batch norm", "relu", "pool"):
            assert op(event, name).before == op(event, name).after
    says("The input arrives contiguous, so the", "first convolution copies it")
    event = looked_at()
    assert op(event, "conv 1").inside_bytes == 4 * 4 * 32 * 32 * 32
    says("only the first of them copies")
    straight = looked_at(middle="nothing")
    assert [name for name in copying(straight) if name.startswith("conv")] == ["conv 1"]


def test_the_shuffle_goes_back() -> None:
    says("`view` and `transpose` move no number", "The copy is contiguous, whatever `reshape` was given")
    for form in ("contiguous", "channels_last"):
        event = looked_at(input=form, weights=form)
        assert op(event, "view").shares and op(event, "transpose").shares
        assert op(event, "reshape").visible_bytes and op(event, "reshape").after == "contiguous"
    says("the copy in the first convolution is gone and the one in the second stays")
    assert copying(looked_at(input="channels_last")) == ["reshape", "conv 2", "flatten"]
    says("writes its result in the format that it was given")
    for form in ("contiguous", "channels_last"):
        shuffle = op(looked_at(input=form, weights=form, middle="channel_shuffle"), "shuffle")
        assert shuffle.before == shuffle.after == form


def test_who_sees_a_copy() -> None:
    says("`reshape` and `flatten` show up as `clone`", "The copies of a convolution do not")

    class Heard(TorchDispatchMode):  # type: ignore[no-untyped-call]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            names.append(func._schema.name)
            return func(*args, **(kwargs or {}))

    lines = {line.name: line for line in network(Params())}
    x, names = fed(Params(input="channels_last")), list[str]()
    with torch.no_grad(), Heard():  # type: ignore[no-untyped-call]
        lines["flatten"].call(x)
    assert "aten::clone" in names
    names.clear()
    x = fed(Params())
    with torch.no_grad(), Heard():  # type: ignore[no-untyped-call]
        lines["conv 1"].call(x)
    assert names == ["aten::convolution"]
    says("inside `aten::_convolution` it lists `aten::contiguous` and `aten::clone`")
    with torch.no_grad(), profiler.profile() as profile:
        lines["conv 1"].call(x)
    parents = {each.name: each.cpu_parent and each.cpu_parent.name for each in profile.function_events or ()}
    assert parents["aten::contiguous"] == "aten::_convolution" and parents["aten::clone"] == "aten::contiguous"


def test_onednn_reorders(capfd: pytest.CaptureFixture[str]) -> None:
    says("reorders its input before and its result after", "In channels_last it reorders neither")
    for form, expected in (
        ("contiguous", ["reorder", "convolution", "reorder"]),
        ("channels_last", ["convolution"]),
    ):
        params = Params(input=form, weights=form)
        with torch.no_grad():
            call, x = network(params)[0].call, fed(params)
            capfd.readouterr()
            with torch.backends.mkldnn.verbose(torch.backends.mkldnn.VERBOSE_ON):
                call(x)
        ran = [line.split(",") for line in capfd.readouterr().out.splitlines() if ",exec," in line]
        kinds = [row[5] for row in ran if row[5] == "convolution" or "4x32x32x32" in row]
        assert kinds == expected
    inside = measured("inside")
    assert inside[1] < inside[0]


def test_layer_norm_works_the_other_way_round() -> None:
    says("yields exactly that, as a view", "the layer norm first copies", "gives a tensor in channels_last")
    event = looked_at(weights="contiguous", middle="layer_norm")
    assert op(event, "layer norm").inside_bytes and op(event, "and back").after == "channels_last"
    says("the next convolution converts its weights, in every pass")
    assert op(event, "conv 2").weights_copied
    event = looked_at(input="channels_last", middle="layer_norm")
    assert op(event, "to tokens").shares and op(event, "to tokens").after == "contiguous"
    assert copying(event) == ["flatten"]


def test_both_at_once() -> None:
    says("A tensor with", "one channel", "images of one pixel", "the weights of a 1 × 1 convolution")
    for shape in ((4, 1, 32, 32), (4, 32, 1, 1), (32, 16, 1, 1)):
        x = torch.zeros(shape)
        assert x.is_contiguous() and x.is_contiguous(memory_format=torch.channels_last)
        assert x.contiguous(memory_format=torch.channels_last) is x
        says("`x.to(memory_format=torch.channels_last)` writes the strides of channels_last")
        _, c, h, w = shape
        assert x.to(memory_format=torch.channels_last).stride() == (c * h * w, 1, w * c, c)
    says("It returns `x`. A convolution that gets it looks at its strides and takes it for contiguous.")
    one, weights = torch.zeros(4, 1, 32, 32), torch.zeros(8, 1, 3, 3)
    plain = torch.nn.functional.conv2d(one.contiguous(memory_format=torch.channels_last), weights)
    written = torch.nn.functional.conv2d(one.to(memory_format=torch.channels_last), weights)
    assert plain.is_contiguous()
    assert not written.is_contiguous() and written.is_contiguous(memory_format=torch.channels_last)


def test_where_to_convert() -> None:
    says("adds a copy and saves none", "so the total stays the same")
    plain, before, after = (
        looked_at(input="channels_last", place=place, convert=form)
        for place, form in (
            ("nowhere", "channels_last"),
            ("before_the_middle", "contiguous"),
            ("after_the_middle", "channels_last"),
        )
    )
    assert before.copied > plain.copied == after.copied
    assert copying(before) == ["convert", "reshape", "conv 2", "flatten"]
    assert copying(after) == ["reshape", "convert", "flatten"]


def test_the_steps_that_the_article_points_at() -> None:
    log = list(islice(run(Params()), 7))
    assert log[1].ops[log[1].at].name == "conv 1" and log[6].ops[log[6].at].name == "reshape"
    assert np.array_equal(log[1].reads, np.arange(24))
