"""The programs that can be lowered: each a function on tensors, with the shapes that it is given."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch

Name = Literal["matmul_relu", "matmul_gelu", "chain", "distance", "blur", "softmax", "layer_norm", "attention"]
Shape = tuple[int, ...]


@dataclass(frozen=True)
class Program:
    function: Callable[..., torch.Tensor]
    shapes: Callable[[int], tuple[Shape, ...]]
    """Of its inputs, for a size n."""
    work: Callable[[int], int]
    """Operations on floats that its results take: a multiplication is one, and so is an exponential."""

    @property
    def source(self) -> str:
        return inspect.getsource(self.function).replace(": Any", "").replace(" -> Any", "")


def matmul_relu(x: Any, w: Any, b: Any) -> Any:
    return torch.relu(x @ w + b)


def matmul_gelu(x: Any, w: Any, b: Any) -> Any:
    return torch.nn.functional.gelu(x @ w + b)


def chain(x: Any, w: Any, b: Any) -> Any:
    return torch.relu(x * w + b) * 2 + x


def distance(x: Any, y: Any) -> Any:
    d = x - y
    return (d * d).sum(1)


def blur(x: Any, across: Any, down: Any) -> Any:
    rows = torch.conv2d(x, across)
    return torch.conv2d(rows, down)


def softmax(x: Any) -> Any:
    e = torch.exp(x - x.amax(1, keepdim=True))
    return e / e.sum(1, keepdim=True)


def layer_norm(x: Any, w: Any, b: Any) -> Any:
    c = x - x.mean(1, keepdim=True)
    v = (c * c).mean(1, keepdim=True)
    return c * torch.rsqrt(v + 1e-5) * w + b


def attention(q: Any, k: Any, v: Any) -> Any:
    s = q @ k.T / 8
    e = torch.exp(s - s.amax(1, keepdim=True))
    return (e / e.sum(1, keepdim=True)) @ v


PROGRAMS: dict[Name, Program] = {
    "matmul_relu": Program(matmul_relu, lambda n: ((n, n), (n, n), (n,)), lambda n: 2 * n**3 + 2 * n**2),
    "matmul_gelu": Program(matmul_gelu, lambda n: ((n, n), (n, n), (n,)), lambda n: 2 * n**3 + 6 * n**2),
    "chain": Program(chain, lambda n: ((n, n), (n, n), (n,)), lambda n: 5 * n**2),
    "distance": Program(distance, lambda n: ((n, n), (n, n)), lambda n: 3 * n**2),
    "blur": Program(
        blur,
        lambda n: ((1, 1, n, n), (1, 1, 1, 3), (1, 1, 3, 1)),
        lambda n: 6 * n * (n - 2) + 6 * (n - 2) ** 2,
    ),
    "softmax": Program(softmax, lambda n: ((n, n),), lambda n: 5 * n**2),
    "layer_norm": Program(layer_norm, lambda n: ((n, n), (n,), (n,)), lambda n: 7 * n**2 + 4 * n),
    "attention": Program(attention, lambda n: ((n, 64), (n, 64), (n, 64)), lambda n: 256 * n**2 + 6 * n**2),
}


def inputs(program: Program, n: int) -> list[torch.Tensor]:
    """The same ones at each call."""
    random = torch.Generator().manual_seed(0)
    return [torch.randn(shape, generator=random) for shape in program.shapes(n)]
