"""What a figure shows of a network, its segments and its memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Policy = Literal["none", "every", "sqrt", "yours", "best", "selective", "offload"]
POLICIES: tuple[Policy, ...] = ("none", "every", "sqrt", "yours", "best", "selective", "offload")
Row = Literal["z", "h", "dz", "dh"]
State = Literal["kept", "passing", "again", "gradient", "file"]


@dataclass(frozen=True)
class Block:
    """A storage: the result of an operator."""

    key: str
    row: Row
    """z is the product of a layer, h its output, dz and dh are the gradients of these"""
    layer: int
    bytes: int
    state: State
    """kept since forward, soon gone, computed again, a gradient, or in a file"""
    now: bool
    """Whether the operator of this moment wrote it"""


@dataclass(frozen=True)
class Segment:
    """Some layers in a row."""

    start: int
    """How many layers stand before it"""
    stop: int
    checkpointed: bool
    """False where every node keeps what it saves"""


@dataclass(frozen=True)
class Cost:
    """What a policy costs, over a whole run."""

    policy: Policy
    peak: int
    """Bytes"""
    again: float
    """Work of the matrix products that are computed again, as a share of those of forward"""
    moved: int
    """Bytes written to files and read from them"""
