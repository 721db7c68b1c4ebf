"""What is known of one line of the network."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Op:
    """One line of the network."""

    name: str
    line: str
    """As Python"""
    shape: list[int]
    """Of the result"""
    strides: list[int]
    """Of the result, in numbers"""
    before: str
    """The format of what it reads: contiguous, channels_last, both or neither"""
    after: str
    """The format of its result"""
    shares: bool = False
    """The result lies at the same address"""
    kernel: str = ""
    """Of a convolution: torch's function that computed it, once it was watched"""
    visible_bytes: int = 0
    """Copied by an operator that a TorchDispatchMode sees"""
    inside_bytes: int = 0
    """Copied inside of an operator, seen by the profiler"""
    weights_copied: bool = False
    """What is copied inside are the weights"""
    error: str = ""
