"""Layouts, copies and results against NumPy, a rule written down here, oneDNN's own log, and a network in fp64."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from typing import Any

import numpy as np
import pytest
import torch
from native.pytorch.memory_format import Chain, Params, cost, run
from native.pytorch.memory_format.chain import TINY, fed, network
from native.pytorch.memory_format.cost import PAIRS, through
from native.pytorch.memory_format.found import first_sentence
from native.pytorch.memory_format.op import Op
from numpy.lib.stride_tricks import as_strided

FORMATS = ("contiguous", "channels_last")
MIDDLES = ("shuffle_by_hand", "channel_shuffle", "layer_norm", "nothing")
PLACES = ("nowhere", "at_the_input", "before_the_middle", "after_the_middle", "before_flatten")


def drawn(rng: random.Random, **fixed: Any) -> Params:
    values: dict[str, Any] = {
        "input": rng.choice(FORMATS),
        "weights": rng.choice(FORMATS),
        "middle": rng.choice(MIDDLES),
        "place": rng.choice(PLACES),
        "convert": rng.choice(FORMATS),
        "channels": rng.choice((1, 4, 8, 16, 32, 64)),
        "size": rng.choice((1, 8, 16)),
        "batch": rng.choice((1, 2, 3, 9)),
        "pool": rng.choice((1, 2, 4)),
        "view": rng.random() < 0.2,
    }
    return Params(**values | fixed)


EVERY = [drawn(random.Random(seed)) for seed in range(150)]
CLEAR = [  # no size of 1, which would make formats ambiguous
    drawn(random.Random(seed), channels=4, size=8, batch=2, pool=2, input=x, weights=w, middle=middle, place=place)
    for seed, (x, w, middle, place) in enumerate(product(FORMATS, FORMATS, MIDDLES, PLACES))
]


@cache
def looked_at(params: Params) -> list[Chain]:
    """Up to where the timing begins."""
    log = run(params)
    first = next(log)
    return [first, *islice(log, len(first.ops))]


def strides_of(shape: list[int], form: str) -> list[int]:
    """By hand: the last dimension changes fastest, or the channels do."""
    order = [1, 3, 2, 0] if form == "channels_last" else [*range(len(shape))][::-1]
    strides, step = [0] * len(shape), 1
    for dim in order:
        strides[dim] = step
        step *= shape[dim]
    return strides


def says(shape: list[int], strides: list[int]) -> str:
    """The format: where a dimension has one place, its stride does not count."""
    counts = [dim for dim, size in enumerate(shape) if size > 1]
    fits = [
        form
        for form in FORMATS[: 2 if len(shape) == 4 else 1]
        if all(strides_of(shape, form)[dim] == strides[dim] for dim in counts)
    ]
    return "both" if len(fits) == 2 else fits[0] if fits else "neither"


def strides_like_channels_last(shape: list[int], strides: list[int]) -> bool:
    """How torch decides where both formats fit: by the strides alone."""
    least = 0
    for dim in (1, 3, 2, 0):
        if strides[dim] < least or (dim == 0 and least == strides[1]):
            return False
        least = strides[dim] * max(1, shape[dim])
    return strides[1] != 0


def sequence(params: Params, log: list[Chain]) -> Iterator[tuple[Op, list[int], list[int]]]:
    """Each line with the shape and the strides of what it reads."""
    shape = [params.batch, params.channels, params.size, params.size]
    strides = strides_of(shape, params.input)
    for op in log[-1].ops:
        yield op, shape, strides
        shape, strides = op.shape, op.strides


def array(shape: list[int], strides: list[int]) -> np.ndarray:
    return as_strided(np.zeros(1, np.float32), shape, [4 * stride for stride in strides])


def is_view(shape: list[int], strides: list[int], wanted: list[int]) -> bool:
    """What NumPy says."""
    try:
        np.reshape(array(shape, strides), wanted, copy=False)
    except ValueError:
        return False
    return True


def test_formats_are_what_strides_and_numpy_say() -> None:
    for params in EVERY:
        for op, shape, strides in sequence(params, looked_at(params)):
            assert op.before == says(shape, strides), (params, op)
            seen = array(shape, strides)
            assert (op.before in ("contiguous", "both")) == seen.flags.c_contiguous
            if seen.ndim == 4:
                last = seen.transpose(0, 2, 3, 1).flags.c_contiguous
                assert (op.before in ("channels_last", "both")) == last
            if not op.error:
                assert op.after == says(op.shape, op.strides), (params, op)


def test_copies_are_where_a_rule_expects_them() -> None:
    """A convolution takes channels_last if either operand looks like it, and copies what does not lie so."""
    for params in EVERY:
        kernel = [params.channels, params.channels, 3, 3]
        weights = strides_of(kernel, params.weights)
        for op, shape, strides in sequence(params, looked_at(params)):
            here, count = says(shape, strides), 4 * int(np.prod(shape))
            inside = visible = 0
            if op.name.startswith("conv "):
                wants = any(strides_like_channels_last(*each) for each in ((shape, strides), (kernel, weights)))
                fits = ("both", "channels_last" if wants else "contiguous")
                inside += count if here not in fits else 0
                inside += 4 * int(np.prod(kernel)) if says(kernel, weights) not in fits else 0
            elif op.name == "layer norm":
                inside = count if here not in ("contiguous", "both") else 0
            elif op.name in ("reshape", "flatten", "view"):
                wanted = op.shape or [shape[0], -1]
                moved = not is_view(shape, strides, wanted)
                assert bool(op.error) == (moved and "view(" in op.line), (params, op)
                visible = count if moved and not op.error else 0
            elif op.name == "convert" and "contiguous()" in op.line:
                visible = count if here not in ("contiguous", "both") else 0
            elif op.name == "convert":
                visible = count if not strides_like_channels_last(shape, strides) else 0
            assert (op.visible_bytes, op.inside_bytes) == (visible if visible > 4 else 0, inside), (params, op)
            if visible or op.name in ("transpose", "to tokens", "and back"):
                assert op.shares == (not visible), (params, op)


def test_formats_spread_by_one_simple_rule_where_they_are_clear() -> None:
    for params in CLEAR:
        here: str = params.input
        for op in looked_at(params)[-1].ops:
            if op.name.startswith("conv ") and params.weights == "channels_last":
                here = "channels_last"
            elif op.name == "convert":
                here = params.convert
            elif op.name in ("reshape", "flatten"):
                here = "contiguous"
            elif op.name == "and back":
                here = "channels_last"
            elif op.name in ("view", "transpose", "to tokens", "layer norm"):
                continue
            assert op.error or op.after == here, (params, op)


def test_the_small_tensor_goes_the_way_of_the_real_one() -> None:
    """NumPy follows the numbers; where they lie is what the format of the real tensor says."""
    for params in [*CLEAR, *EVERY[::3]]:
        log = looked_at(params)
        c, h, w = (min(a, b) for a, b in zip((params.channels, params.size, params.size), TINY, strict=True))
        assert log[0].tiny == [c, h, w]
        now = np.arange(c * h * w).reshape(1, c, h, w)
        lies = ordered(now, params.input)
        for event in log[1:]:
            op = event.ops[event.at]
            assert event.reads.tolist() == lies.tolist(), (params, op)
            if op.error or op.name == "linear":
                assert event.writes.size == 0
                continue
            now = followed(now, op.name, min(params.pool, params.size))
            if not op.shares:
                lies = ordered(now, op.after)
            assert event.writes.tolist() == lies.tolist(), (params, op)


def ordered(x: np.ndarray, form: str) -> np.ndarray:
    return (x.transpose(0, 2, 3, 1) if form == "channels_last" else x).ravel()


def followed(x: np.ndarray, name: str, pooled: int) -> np.ndarray:
    groups = 2 if x.shape[1] % 2 == 0 else 1
    match name:
        case "view":
            return x.reshape(1, groups, -1, *x.shape[2:])
        case "transpose":
            return x.swapaxes(1, 2)
        case "reshape":
            return x.reshape(1, -1, *x.shape[3:])
        case "shuffle":
            return x.reshape(1, groups, -1, *x.shape[2:]).swapaxes(1, 2).reshape(x.shape)
        case "to tokens":
            return x.transpose(0, 2, 3, 1)
        case "and back":
            return x.transpose(0, 3, 1, 2)
        case "flatten":
            return x.reshape(1, -1)
        case "pool":
            k = min(pooled, x.shape[2])
            high, wide = ([(n * size // k, -(-(n + 1) * size // k)) for n in range(k)] for size in x.shape[2:])
            return np.stack([np.stack([x[..., a:b, c:d].max((2, 3)) for c, d in wide], -1) for a, b in high], -2)
    return x


def test_every_variant_computes_what_fp64_does() -> None:
    with torch.no_grad():
        for params in EVERY[::2]:
            if params.view:
                continue
            exact = Params(middle=params.middle, channels=params.channels, size=params.size, batch=params.batch)
            exact = Params(**{**vars(exact), "pool": params.pool, "weights": "contiguous"})
            expected = through(network(exact, torch.float64), fed(exact, torch.float64))
            result = through(network(params), fed(params))
            torch.testing.assert_close(result.double(), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("form", FORMATS)
def test_onednn_reorders_the_numbers_of_one_format_alone(form: Any, capfd: pytest.CaptureFixture[str]) -> None:
    """Its own log names each reorder with the shape that it reorders."""
    params = Params(input=form, weights=form, middle="nothing", channels=64)
    _, *log = looked_at(params)
    assert log[-1].ops[0].kernel == "mkldnn_convolution"
    assert log[-1].copies == (form == "channels_last")  # of flatten
    capfd.readouterr()
    with torch.no_grad(), torch.backends.mkldnn.verbose(torch.backends.mkldnn.VERBOSE_ON):
        network(params)[0].call(fed(params))
    told = [line for line in capfd.readouterr().out.splitlines() if ",exec," in line]
    assert sum(",convolution," in line for line in told) == 1
    reorders = [line for line in told if ",reorder," in line and "4x64x32x32" in line]
    assert len(reorders) == (2 if form == "contiguous" else 0), told


def test_a_run_times_each_line_and_its_copies() -> None:
    log = list(run(Params()))
    lines = len(log[0].ops)
    assert [event.stage for event in log] == [
        "layouts",
        *["copies"] * lines,
        *["time"] * lines,
        "inside",
        "whole",
    ]
    last = log[-1]
    assert (last.took > 0).all() and (last.inside > 0).all() and (last.whole > 0).all()
    charged = np.array([bool(op.visible_bytes + op.inside_bytes) for op in last.ops])
    assert (np.isfinite(last.copying[:, 1]) == charged).all()
    assert (last.copying[charged, 1] < 5 * last.took[charged, 1]).all()
    assert last.took[0, 1] > 5 * last.took[3, 1], "a convolution takes longer than a view"
    assert last.copies == 4 and last.copied == sum(op.visible_bytes + op.inside_bytes for op in last.ops)


def test_a_view_that_cannot_be_ends_the_network() -> None:
    log = list(run(Params(view=True, batch=1, size=8)))
    last = log[-1]
    assert last.stage == "inside" and last.ops[-1].line == "x.view(n, -1)"
    assert last.ops[-1].error.startswith("view size is not compatible with input tensor's size and stride")
    assert np.isnan(last.whole).all() and np.isnan(last.took[-1]).all()
    assert first_sentence("One. Two.") == "One."


def test_the_copy_inside_is_made_again_as_the_operator_makes_it() -> None:
    with torch.no_grad():
        for x, weights in PAIRS:
            params = Params(input=x, weights=weights)
            again = cost.again(network(params)[0], fed(params))
            assert again.is_contiguous(memory_format=torch.channels_last)
            assert list(again.shape) == ([32, 32, 3, 3] if x == "channels_last" else [4, 32, 32, 32])
