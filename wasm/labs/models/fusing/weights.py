"""What an operation costs, in additions of the same width."""

from __future__ import annotations

WEIGHTS = {
    **{"exp": 10, "log": 12, "sin": 15, "cos": 15, "tanh": 14, "sigmoid": 14, "erf": 14, "gelu": 16, "pow": 25},
    **{"sqrt": 4, "rsqrt": 6, "div": 4, "prod": 1},
}
MONOIDS = {"softmax": 12, "moments": 8}
"""A step of an online reduction: softmax takes an exponential."""


def weight(op: str) -> int:
    return WEIGHTS.get(op, 1)
