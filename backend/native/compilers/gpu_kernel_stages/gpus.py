"""The GPUs that a time is predicted for, by what their makers publish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Name = Literal["H100", "H200", "A100", "RTX 4090"]


@dataclass(frozen=True)
class Gpu:
    arch: int
    multiprocessors: int
    lanes: int
    """Multiply-adds of float32 that a multiprocessor does in a cycle"""
    flops: float
    """Operations of float32 a second, a multiply-add counting as two; no tensor cores"""
    bandwidth: float
    """Bytes a second between memory and GPU"""

    @property
    def clock(self) -> float:
        """Cycles a second: those that the published speed implies."""
        return self.flops / (2 * self.lanes * self.multiprocessors)


GPUS: dict[Name, Gpu] = {
    "H100": Gpu(90, 132, 128, 67e12, 3.35e12),
    "H200": Gpu(90, 132, 128, 67e12, 4.8e12),
    "A100": Gpu(80, 108, 64, 19.5e12, 2.039e12),
    "RTX 4090": Gpu(89, 128, 128, 82.6e12, 1.008e12),
}
"""SXM modules, the A100 with 80 GB. NVIDIA's data sheets of the three, and its white paper on Ada."""
