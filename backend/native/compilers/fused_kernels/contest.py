"""Programs of the contest: in our language, in PyTorch, and in NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Name = Literal["chain", "squares", "gelu", "neuron", "columns", "softmax", "layer norm", "linear"]
WIDTH = 1024
"""Columns of every matrix."""


@dataclass(frozen=True)
class Program:
    text: str
    torch: Callable[..., Any]
    numpy: Callable[..., Any]
    call: bool = False
    """One call of PyTorch is all of it."""


def chain(x: Any, y: Any) -> Any:
    import torch

    t = torch.relu(x * y + x)
    t = torch.sigmoid(t * 0.5 + y)
    return t * x - y


def chain_in_numpy(x: Any, y: Any) -> Any:
    t = np.maximum(x * y + x, 0)
    t = 1 / (1 + np.exp(-(t * 0.5 + y)))
    return t * x - y


def squares(x: Any) -> Any:
    e = (x * 0.01).exp()
    for _ in range(4):
        e = e * e
    return e


def squares_in_numpy(x: Any) -> Any:
    e = np.exp(x * 0.01)
    for _ in range(4):
        e = e * e
    return e


def gelu(x: Any) -> Any:
    import torch

    return torch.nn.functional.gelu(x)


def gelu_in_numpy(x: Any) -> Any:
    """With the hyperbolic tangent: NumPy has no error function."""
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


def softmax(x: Any) -> Any:
    return x.softmax(-1)


def softmax_in_numpy(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def norm(x: Any) -> Any:
    import torch

    return torch.nn.functional.layer_norm(x, x.shape[-1:])


def norm_in_numpy(x: Any) -> Any:
    far = x - x.mean(-1, keepdims=True)
    return far / np.sqrt((far * far).mean(-1, keepdims=True) + 1e-5)


def linear(x: Any, w: Any, b: Any) -> Any:
    return gelu(x @ w + b)


PROGRAMS: dict[Name, Program] = {
    "chain": Program(
        "def chain(x: T[R, C], y: T[R, C]):\n"
        "    t = (x * y + x).relu()\n"
        "    t = sigmoid(t * 0.5 + y)\n"
        "    return t * x - y\n",
        chain,
        chain_in_numpy,
    ),
    "squares": Program(
        "def squares(x: T[R, C]):\n    e = exp(x * 0.01)\n    for _ in range(4):\n        e *= e\n    return e\n",
        squares,
        squares_in_numpy,
    ),
    "gelu": Program("def f(x: T[R, C]):\n    return gelu(x)\n", gelu, gelu_in_numpy, call=True),
    "neuron": Program(
        "def neuron(w: T[R, C], x: T[R, C]):\n    return (w * x + 0.5).relu().sum()\n",
        lambda w, x: (w * x + 0.5).relu().sum(),
        lambda w, x: np.maximum(w * x + np.float32(0.5), 0).sum(),
    ),
    "columns": Program(
        "def columns(x: T[R, C]):\n    return x.sum(axis=0)\n", lambda x: x.sum(0), lambda x: x.sum(0), call=True
    ),
    "softmax": Program("def f(x: T[R, C]):\n    return softmax(x, -1)\n", softmax, softmax_in_numpy, call=True),
    "layer norm": Program("def f(x: T[R, C]):\n    return layer_norm(x)\n", norm, norm_in_numpy, call=True),
    "linear": Program(
        "def linear(x: T[R, C], w: T[C, C], b: T[C]):\n    return gelu(x @ w + b)\n",
        linear,
        lambda x, w, b: gelu_in_numpy(x @ w + b),
    ),
}


def written(name: Name, numbers: int, dtype: str) -> str:
    """The program's text for so many numbers in its first input."""
    text = PROGRAMS[name].text
    return text.replace("T[", f"{dtype}[").replace("R,", f"{max(1, numbers // WIDTH)},").replace("C", str(WIDTH))
