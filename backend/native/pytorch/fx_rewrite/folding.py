"""Batch norm in eval mode is one factor and one offset for each channel: both go into the convolution."""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn


def factor(norm: nn.BatchNorm2d) -> Tensor:
    """[channels] float64"""
    assert norm.running_var is not None
    return norm.weight.double() / torch.sqrt(norm.running_var.double() + norm.eps)


def folded(conv: nn.Conv2d, norm: nn.BatchNorm2d) -> nn.Conv2d:
    """A convolution that does what both did, computed in float64 and rounded once."""
    assert norm.running_mean is not None
    made = copy.deepcopy(conv)
    each = factor(norm)
    bias = torch.zeros(conv.out_channels) if conv.bias is None else conv.bias
    weight = conv.weight.double() * each[:, None, None, None]
    offset = (bias.double() - norm.running_mean.double()) * each + norm.bias.double()
    made.weight = nn.Parameter(weight.to(conv.weight.dtype), requires_grad=False)
    made.bias = nn.Parameter(offset.to(conv.weight.dtype), requires_grad=False)
    return made
