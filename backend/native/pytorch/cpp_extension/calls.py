"""What is done with a library once it is linked: load it, call its operator, compare its results with torch's."""

from __future__ import annotations

import ctypes
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from native.models import private
from native.pytorch.cpp_extension.source import TAKES

if TYPE_CHECKING:
    from native.pytorch.cpp_extension import Params

A = 0.75
SEED = 5
TOLERANCES = (1.3e-6, 1e-5)
"""Of torch.testing for float32: relative, absolute. (Its own function takes a second when first called.)"""


def load(library: Path, binding: str) -> dict[str, Any]:
    """As ``torch.ops.load_library`` does, which always binds every symbol at once; or lazily."""
    loader = ctypes.CDLL(None)
    loader.dlopen.restype, loader.dlerror.restype = ctypes.c_void_p, ctypes.c_char_p
    begun = time.perf_counter()
    at = loader.dlopen(os.fsencode(library), os.RTLD_LAZY if binding == "lazy" else os.RTLD_NOW)
    seconds = time.perf_counter() - begun
    if not at:
        return {"seconds": seconds, "error": loader.dlerror().decode()}
    return {"seconds": seconds, "at": ctypes.c_size_t.from_address(at).value}  # what a handle points to begins so


def registered(op: str) -> list[str]:
    """Its schema, and where its kernels were registered, as torch tells it."""
    kept = [line for line in private.dumped(f"underhood::{op}") if re.match(r"(schema|CPU|CUDA)\b", line)]
    return [re.sub(r" :: .*", "", line) for line in kept]


def operator(op: str) -> Any:
    return getattr(torch.ops.underhood, op)


def given(op: str, x: torch.Tensor, y: torch.Tensor) -> tuple[Any, ...]:
    return (x, y, A) if len(TAKES[op]) > 1 else (x,)


def reference(op: str, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """By torch's own operators."""
    match op:
        case "scale_add":
            return torch.add(y, x, alpha=A if x.is_floating_point() else 0)
        case "relu_squared":
            return torch.relu(x).square()
    flat = x.reshape(-1)
    return torch.dot(flat, flat)


def inputs(n: int, seed: int = SEED) -> tuple[torch.Tensor, torch.Tensor]:
    made = torch.Generator().manual_seed(seed)
    x, y = (torch.randn(n, generator=made) for _ in range(2))
    return x, y


def first(params: Params) -> dict[str, Any]:
    """The first call: torch looks the operator up, and a loader that binds lazily the symbols."""
    x, y = inputs(params.n)
    begun = time.perf_counter()
    try:
        operator(params.op)(*given(params.op, x, y))
    except RuntimeError as error:
        return {"seconds": time.perf_counter() - begun, "error": sentence(str(error))}
    return {"seconds": time.perf_counter() - begun}


def cases(seed: int = SEED) -> dict[str, tuple[torch.Tensor, torch.Tensor]]:
    """Tensors that a kernel may get. None of them leads one that reads n floats in a row out of its memory."""
    x, y = inputs(24, seed)
    return {
        "float32, 24": (x, y),
        "float32, 2 × 3 × 4": (x.view(2, 3, 4), y.view(2, 3, 4)),
        "float32, no numbers": (x[:0], y[:0]),
        "float32, one number": (x[0], y[0]),
        "float64, 24": (x.double(), y.double()),
        "float32, transposed": (x.view(4, 6).T, y.view(4, 6).T.contiguous()),
        "float32, every second": (x[::2], y[:12]),
    }


def checks(params: Params, seed: int = SEED) -> list[dict[str, str]]:
    """What the operator makes of each of them, beside what torch does."""
    return [_check(params.op, name, *pair) for name, pair in cases(seed).items()]


def _check(op: str, name: str, x: torch.Tensor, y: torch.Tensor) -> dict[str, str]:
    expected = reference(op, x, y)
    row = {"name": name, "outcome": "equal", "expected": _some(expected), "got": ""}
    try:
        made = operator(op)(*given(op, x, y))
        row["got"] = _some(made)
        if made.shape != expected.shape or not torch.allclose(made, expected.float(), *TOLERANCES):
            row["outcome"] = "wrong"
    except RuntimeError as error:
        row |= {"outcome": "refused", "got": sentence(str(error))}
    return row


def _some(tensor: torch.Tensor) -> str:
    """Its first numbers."""
    return ", ".join(f"{number:.3g}" for number in tensor.reshape(-1)[:3].tolist()) or "none"


def sentence(message: str) -> str:
    """What follows in torch's longer messages is a table, or a place in its sources."""
    return message.partition(". ")[0].partition("\n")[0].partition("Exception raised")[0].strip().rstrip(".") + "."
