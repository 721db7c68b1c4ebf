"""The gradients of the group beside those of one process: the same bits, or a bound that says why not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from native.models.torch_threads import one_thread
from native.pytorch.ddp_overlap.train import Told, flat, loss_of, network, share

UNIT = 2.0**-24
"""The most that rounding to float32 changes a number by, relative to it."""


@dataclass(frozen=True)
class Compared:
    processes_agree: bool
    same_bits: float
    of_bound: float
    whole_same_bits: float
    error: NDArray[np.float32]


def compared(told: list[Told], layers: int) -> Compared:
    """Fields as in the lab's event."""
    with one_thread():  # as in the processes
        shares = [share(rank) for rank in range(len(told))]
        each = np.stack([gradient(layers, x) for x in shares])
        whole = gradient(layers, torch.cat(shares))
        exact = gradient(layers, torch.cat(shares), torch.float64)
    found = told[0].gradient
    in_turn, bound = averaged(each)
    return Compared(
        processes_agree=all(np.array_equal(bits(found), bits(other.gradient)) for other in told),
        same_bits=float(np.mean(bits(found) == bits(in_turn))),
        of_bound=of_bound(found, in_turn, bound),
        whole_same_bits=float(np.mean(bits(found) == bits(whole))),
        error=np.array([distance(found, exact), distance(whole, exact)], np.float32),
    )


def gradient(layers: int, inputs: torch.Tensor, dtype: torch.dtype = torch.float32) -> NDArray[np.float32]:
    """[parameters] all of them, as one process has them after these samples."""
    model = network(layers).to(dtype)
    loss_of(model(inputs.to(dtype))).backward()  # type: ignore[no-untyped-call]
    return flat(model)


def averaged(each: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Of [processes, numbers], summed from the first to the last, and how far two orders can be apart.

    Each is divided before it is added, as DDP does. In any order a sum of n numbers is within (n − 1)u of the
    sum of their amounts from the exact one, to first order; so two orders are within twice that of each other.
    """
    count = np.float32(len(each))
    parts = each / count
    total = parts[0].copy()
    for part in parts[1:]:
        total += part
    less = len(each) - 1
    gamma = less * UNIT / (1 - less * UNIT)
    return total, 2 * gamma * np.abs(parts, dtype=np.float64).sum(0)


def of_bound(found: NDArray[np.float32], in_turn: NDArray[np.float32], bound: NDArray[np.float64]) -> float:
    """The largest difference in parts of its bound; where the bound is 0, there may be none."""
    apart = np.abs(found.astype(np.float64) - in_turn)
    if (apart[bound == 0] > 0).any():
        return float("inf")
    return float((apart / np.where(bound > 0, bound, 1)).max())


def bits(numbers: NDArray[np.float32]) -> NDArray[np.uint32]:
    return numbers.view(np.uint32)


def distance(found: NDArray[np.float32], exact: NDArray[np.float32]) -> float:
    return float(np.linalg.norm(found - exact) / np.linalg.norm(exact))
