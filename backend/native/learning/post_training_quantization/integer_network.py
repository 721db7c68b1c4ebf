"""The digit network in whole numbers: integer weights times integer activations, summed in int32.

Weights are symmetric and signed, activations unsigned with zero point 0 (pixels and the output of a ReLU are never
negative), so a product of codes is a product of values but for one factor, and no zero point enters the sums:

    value = s_x q_x · s_w q_w + b   =>   acc = sum q_x q_w + round(b / (s_x s_w)),   value = s_x s_w acc

The next layer's codes are ``clip(round(acc · s_x s_w / s_y), 0, top)``: the clip at zero *is* the ReLU. Every sum
is exact: 512 products of at most 255 · 127 stay below 2²⁴, int32 holds 2³¹, and torch multiplies int32 as int32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from labs.models import quantize as q
from labs.models.proportion import wilson
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F  # noqa: N812, torch's own convention

from native.learning.post_training_quantization.cnn import LAYERS, Weights
from native.learning.post_training_quantization.cnn import outputs as float_outputs

ACTIVATIONS = ("image", "conv1", "conv2", "fc1")  # what enters conv1, conv2, fc1 and fc2
BINS = 64


@dataclass(frozen=True)
class Calibration:
    """What is known of the ACTIVATIONS: arrays ``[4]``, the histograms ``[4, BINS]`` from 0 to ``largest``."""

    largest: NDArray[np.float32]
    top: NDArray[np.float32]  # the value of the highest code
    scales: NDArray[np.float32]
    beyond: NDArray[np.float32]  # share of values above ``top``
    histograms: NDArray[np.int32]


def calibrate(weights: Weights, images: Tensor, bits: int, keep: float) -> Calibration:
    """Run the float network and cover ``keep`` percent of each activation's values with 2ⁿ codes from zero up."""
    seen = {"image": images} | float_outputs(weights, images)
    values = [seen[name].float().numpy().ravel() for name in ACTIVATIONS]
    largest = np.array([v.max() for v in values])
    top = np.array([np.percentile(v, keep) for v in values], dtype=np.float32)
    top[top == 0] = 1.0  # a silent layer: any scale restores its zeros
    reach = np.where(largest == 0, 1.0, largest)
    return Calibration(
        largest=largest,
        top=top,
        scales=top / np.float32(2**bits - 1),
        beyond=np.array([np.mean(v > t) for v, t in zip(values, top, strict=True)], dtype=np.float32),
        histograms=np.stack(
            [np.histogram(v, BINS, (0, float(r)))[0] for v, r in zip(values, reach, strict=True)]
        ).astype(np.int32),
    )


@dataclass(frozen=True)
class IntegerLayer:
    """One layer. ``weight`` int32 codes shaped as the original, ``bias`` int32 ``[outputs]``."""

    weight: Tensor
    bias: Tensor
    weight_scale: Tensor  # float64, [1] or [outputs]
    input_scale: float
    sqnr: float  # of the weights, dB
    bytes_float: int  # weights and bias
    bytes_integer: int  # packed codes, int32 bias, float32 scales of the weights and of the input

    @property
    def scale(self) -> Tensor:
        """What one unit of the accumulator is worth, float64 ``[1]`` or ``[outputs]``."""
        return self.weight_scale * self.input_scale

    @property
    def restored(self) -> Tensor:
        """The weights that the codes stand for, float64."""
        return self.weight * self.weight_scale.reshape(-1, *[1] * (self.weight.ndim - 1))


def quantize_layer(
    weight: Tensor, bias: Tensor, bits: int, granularity: q.Granularity, input_scale: float
) -> IntegerLayer:
    blocks = q.blocks_of(weight.flatten(1).float().numpy(), granularity)
    grid = q.fit(*q.widen(*q.spread(blocks), "symmetric"), bits, "symmetric")
    codes = q.quantize(blocks, grid)
    scale = torch.from_numpy(grid.scale[:, 0])
    return IntegerLayer(
        weight=torch.from_numpy(codes.reshape(weight.shape)).to(torch.int32),
        bias=torch.round(bias / (scale * input_scale)).to(torch.int32),
        weight_scale=scale,
        input_scale=input_scale,
        sqnr=q.sqnr(blocks, q.restore(codes, grid) - blocks),
        bytes_float=4 * (weight.numel() + bias.numel()),
        bytes_integer=(weight.numel() * bits + 7) // 8 + 4 * (bias.numel() + len(scale) + 1),
    )


def to_codes(values: Tensor, scale: float, bits: int) -> Tensor:
    """Unsigned codes of non-negative values, int32."""
    return torch.round(values / scale).clamp(0, 2**bits - 1).to(torch.int32)


def accumulate(layer: IntegerLayer, codes: Tensor) -> Tensor:
    """The sums of one layer, int32: ``[n, outputs]``, or ``[n, outputs, 8, 8]`` for a convolution."""
    weight = layer.weight.flatten(1).T
    if layer.weight.ndim == 2:
        return codes @ weight + layer.bias
    windows = F.pad(codes, (1, 1, 1, 1)).unfold(2, 3, 1).unfold(3, 3, 1)  # [n, inputs, 8, 8, 3, 3]
    n, inputs, height, width = windows.shape[:4]
    patches = windows.permute(0, 2, 3, 1, 4, 5).reshape(n * height * width, inputs * 9)
    sums = patches @ weight + layer.bias
    return sums.reshape(n, height, width, -1).permute(0, 3, 1, 2)


def requantize(sums: Tensor, layer: IntegerLayer, output_scale: float, bits: int) -> Tensor:
    """From sums to the codes of the next layer; limiting them to 0 and above applies the ReLU on the way."""
    factor = layer.scale / output_scale
    factor = factor.reshape(-1, 1, 1) if sums.ndim == 4 else factor
    return torch.round(sums.double() * factor).clamp(0, 2**bits - 1).to(torch.int32)


def outputs(
    layers: Sequence[IntegerLayer], images: Tensor, bits: int
) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """All layers on images ``[n, 1, 8, 8]``: (accumulators int32, values float64 that they stand for)."""
    sums: dict[str, Tensor] = {}
    values: dict[str, Tensor] = {}
    codes = to_codes(images, layers[0].input_scale, bits)
    for name, layer, following in zip(LAYERS, layers, (*layers[1:], None), strict=True):
        if name == "fc1":
            codes = F.max_pool2d(codes.double(), 2).to(torch.int32).flatten(1)  # codes keep the order of values
        sums[name] = accumulate(layer, codes)
        if following is None:
            values[name] = sums[name].double() * layer.scale
        else:
            codes = requantize(sums[name], layer, following.input_scale, bits)
            values[name] = codes.double() * following.input_scale
    return sums, values


@dataclass(frozen=True)
class Verdict:
    """How well scores ``[n, 10]`` name the digits."""

    digits: NDArray[np.int32]  # [n]
    hits: NDArray[np.bool_]  # [n]
    loss: float  # mean cross-entropy

    @property
    def correct(self) -> int:
        return int(self.hits.sum())

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.correct, len(self.hits))


def judge(scores: Tensor, labels: Tensor) -> Verdict:
    digits = scores.argmax(1)
    loss = F.cross_entropy(scores, labels).item()
    return Verdict(digits.numpy().astype(np.int32), (digits == labels).numpy(), loss)


def hardest(scores: Tensor, float_hits: NDArray[np.bool_], integer_hits: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Images in the order: spoiled by rounding, repaired by rounding, wrong in both, right; close calls first."""
    group = np.where(integer_hits, np.where(float_hits, 3, 1), np.where(float_hits, 0, 2))
    best = scores.topk(2, dim=1).values.numpy()
    return np.lexsort((best[:, 0] - best[:, 1], group))
