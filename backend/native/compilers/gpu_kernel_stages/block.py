"""The transformer block: in the small tensor language, in PyTorch, and numbers to try it with."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, get_args

from labs.models.fusing.loops import Kernel, Product, Store, statements

WIDTH, DEEP = 512, 64
"""Of a token, and the most of a head"""
Value = Literal["n", "qkv", "a", "y", "m", "u", "out"]
VALUES: tuple[Value, ...] = get_args(Value)
"""What the lines of the program name, in their order; its result is called out"""
TEXT = """\
def heads(x):
    return x.reshape({tokens}, {heads}, {deep}).permute(1, 0, 2)

def block(x: f32[{tokens}, {width}], g: f32[{width}], wqkv: f32[{width}, {triple}], wo: f32[{width}, {width}],
          h: f32[{width}], w1: f32[{width}, {hidden}], w2: f32[{hidden}, {width}]):
    n = rms_norm(x, g)
    qkv = n @ wqkv
    q, k, v = heads(qkv[:, :{width}]), heads(qkv[:, {width}:{double}]), heads(qkv[:, {double}:])
    a = softmax(q @ k.transpose(-1, -2) / sqrt({deep}), -1) @ v
    y = x + a.permute(1, 0, 2).reshape({tokens}, {width}) @ wo
    m = rms_norm(y, h)
    u = gelu(m @ w1)
    return y + u @ w2
"""


def heads(width: int) -> int:
    return -(-width // DEEP)


def text(tokens: int, width: int = WIDTH) -> str:
    """``width`` must be a multiple of its number of heads."""
    sizes = {"double": 2 * width, "triple": 3 * width, "hidden": 4 * width}
    return TEXT.format(tokens=tokens, width=width, heads=heads(width), deep=width // heads(width), **sizes)


def named(line: str) -> Value | None:
    """The value that a line of the program names."""
    found = "out" if line.strip().startswith("return y") else line.strip().partition(" = ")[0]
    return next((each for each in VALUES if each == found), None)


def shapes(source: str) -> dict[str, tuple[int, ...]]:
    """Of the inputs."""
    found = re.findall(r"(\w+): f32\[([\d, ]+)\]", source)
    return {name: tuple(map(int, sizes.split(", "))) for name, sizes in found}


def inputs(source: str, seed: int, device: str = "cpu") -> dict[str, Any]:
    """Tensors of float32; weights are so small that no value grows on its way through the block."""
    import torch

    random = torch.Generator(device).manual_seed(seed)
    found = {}
    for name, shape in shapes(source).items():
        scale = shape[0] ** -0.5 if name.startswith("w") else 1.0
        found[name] = torch.randn(shape, generator=random, device=device) * scale
    return found


def in_torch(given: dict[str, Any]) -> dict[Value, Any]:
    """The block by PyTorch's own functions, in the type of its inputs."""
    from torch.nn import functional

    x = given["x"]
    tokens, width = x.shape
    n = functional.rms_norm(x, (width,), given["g"], 1e-6)
    qkv = n @ given["wqkv"]
    q, k, v = (each.reshape(tokens, heads(width), -1).transpose(0, 1)[None] for each in qkv.split(width, -1))
    a = functional.scaled_dot_product_attention(q, k, v)[0].transpose(0, 1).reshape(tokens, width)
    y = x + a @ given["wo"]
    m = functional.rms_norm(y, (width,), given["h"], 1e-6)
    u = functional.gelu(m @ given["w1"])
    return {"n": n, "qkv": qkv, "a": a, "y": y, "m": m, "u": u, "out": y + u @ given["w2"]}


def apart(given: dict[str, Any], makers: Mapping[str, Kernel], memory: Mapping[str, Any]) -> dict[str, float]:
    """For each value how far a kernel's result is from PyTorch's in float64, as a share of the largest number."""
    import torch

    with torch.no_grad():
        exact = in_torch({name: each.double() for name, each in given.items()})
    found: dict[str, float] = {}
    for value in exact:
        if kernel := makers.get(value):
            want = exact[value].reshape(-1)
            got = torch.as_tensor(memory[written(kernel)], device=want.device).double()
            found[value] = float((got - want).abs().max() / want.abs().max())
    return found


def written(kernel: Kernel) -> str:
    """The buffer that a kernel makes for others."""
    shared = {each.name for each in kernel.buffers if each.role != "local"}
    stores = [each.buffer for each in statements(kernel.body) if isinstance(each, Store)]
    products = [each.out.buffer for each in statements(kernel.body) if isinstance(each, Product)]
    return next(each for each in (*reversed(stores), *products) if each in shared)
