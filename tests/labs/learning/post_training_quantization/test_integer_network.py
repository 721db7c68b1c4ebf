"""A network in integers, against torch in float64 and against torch's int8 kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from native.learning.post_training_quantization import cnn
from native.learning.post_training_quantization import integer_network as integer
from native.models.digits import Digits


def in_integers(
    trained: tuple[cnn.Weights, Digits],
    weight_bits: int = 8,
    activation_bits: int = 8,
    granularity: Any = "tensor",
) -> list[integer.IntegerLayer]:
    network, digits = trained
    ranges = integer.calibrate(network, digits.train_images[:64], activation_bits, 100)
    return [
        integer.quantize_layer(*network[name], weight_bits, granularity, float(scale))
        for name, scale in zip(cnn.LAYERS, ranges.scales, strict=True)
    ]


@pytest.mark.parametrize(("weight_bits", "activation_bits"), [(8, 8), (4, 6), (2, 2)])
@pytest.mark.parametrize("granularity", ["tensor", "channel"])
def test_integer_sums_are_exact(
    trained: tuple[cnn.Weights, Digits], weight_bits: int, activation_bits: int, granularity: str
) -> None:
    """Against torch's float64 convolutions on the same whole numbers, which are exact below 2**53."""
    layers = in_integers(trained, weight_bits, activation_bits, granularity)
    images = trained[1].test_images[:100]
    sums, values = integer.outputs(layers, images, activation_bits)
    top = 2**activation_bits - 1
    x = torch.round(images / layers[0].input_scale).clamp(0, top)
    for name, layer, following in zip(cnn.LAYERS, layers, (*layers[1:], None), strict=True):
        weight, bias = layer.weight.double(), layer.bias.double()
        if name == "fc1":
            x = torch.nn.functional.max_pool2d(x, 2).flatten(1)
        if weight.ndim == 4:
            exact = torch.nn.functional.conv2d(x, weight, bias, padding=1)
            factor = layer.scale.reshape(-1, 1, 1)
        else:
            exact = torch.nn.functional.linear(x, weight, bias)
            factor = layer.scale
        assert sums[name].dtype == torch.int32 and exact.abs().max() < 2**31
        assert torch.equal(sums[name].double(), exact)
        if following is not None:
            # What the sums stand for, through the ReLU, on the grid of the next layer.
            x = torch.round(torch.relu(exact) * (factor / following.input_scale)).clamp(0, top)
            assert torch.equal(values[name], x * following.input_scale)
    assert torch.equal(values["fc2"], exact * layers[-1].scale)


@pytest.mark.filterwarnings("ignore::UserWarning")  # torch's quantized tensors are deprecated, but still an oracle
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("granularity", ["tensor", "channel"])
def test_torchs_int8_kernels_give_the_same_codes(
    trained: tuple[cnn.Weights, Digits], granularity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By QNNPACK: the others add pairs of products in 16 bits on processors without VNNI, and lose what is over."""
    monkeypatch.setattr(torch.backends.quantized, "engine", "qnnpack")
    network, images = trained[0], trained[1].test_images
    layers = in_integers(trained, granularity=granularity)
    _, values = integer.outputs(layers, images, 8)
    codes = integer.to_codes(images, layers[0].input_scale, 8)
    for name, layer, following in zip(cnn.LAYERS[:3], layers[:3], layers[1:], strict=True):
        floats, bias = network[name][0].float(), network[name][1].float()
        if granularity == "tensor":
            weight = torch.quantize_per_tensor(floats, layer.weight_scale.item(), 0, torch.qint8)
        else:
            zeros = torch.zeros(len(layer.weight_scale), dtype=torch.int64)
            weight = torch.quantize_per_channel(floats, layer.weight_scale, zeros, 0, torch.qint8)
        assert torch.equal(weight.int_repr().to(torch.int32), layer.weight)
        x = torch._make_per_tensor_quantized_tensor(codes.to(torch.uint8), layer.input_scale, 0)
        if name == "fc1":
            x = torch.nn.functional.max_pool2d(x, 2).flatten(1)
            packed = torch.ops.quantized.linear_prepack(weight, bias)
            theirs = torch.ops.quantized.linear_relu(x, packed, following.input_scale, 0)
        else:
            packed = torch.ops.quantized.conv2d_prepack(weight, bias, [1, 1], [1, 1], [1, 1], 1)
            theirs = torch.ops.quantized.conv2d_relu(x, packed, following.input_scale, 0)
        codes = torch.round(values[name] / following.input_scale).to(torch.int32)
        # They add the bias as a float and scale in float32, so a value near a tie may fall to the other side.
        off = (theirs.int_repr().to(torch.int32) - codes).abs()
        assert off.max() <= 1 and (off > 0).double().mean() < 2e-3


def test_sums_cannot_overflow() -> None:
    widest = max(int(np.prod(shape[1:])) for shape in cnn.SHAPES.values())
    assert widest * 255 * 127 < 2**24


@pytest.mark.parametrize("bits", range(2, 9))
def test_sizes_count_every_byte(trained: tuple[cnn.Weights, Digits], bits: int) -> None:
    for name, layer in zip(cnn.LAYERS, in_integers(trained, weight_bits=bits, granularity="channel"), strict=True):
        weight, bias = trained[0][name][0].float(), trained[0][name][1].float()
        assert layer.bytes_float == weight.nbytes + bias.nbytes
        packed = np.packbits(np.zeros(weight.numel() * bits, dtype=np.uint8)).nbytes
        assert layer.bytes_integer == packed + layer.bias.nbytes + 4 * len(layer.weight_scale) + 4
