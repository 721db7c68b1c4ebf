"""What a policy keeps of each segment of a chain, and what the nodes of a graph save."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from native.models import private
from native.models.chain import Chain
from native.models.chain_pieces import Keeps, Piece
from native.models.watch import Watch
from native.pytorch.checkpointing.pictures import Policy, Segment

BYTES = 4


def pieces(plan: Sequence[Segment], policy: Policy) -> list[Piece]:
    checkpoint: Keeps = "products" if policy == "selective" else "input"
    rest: Keeps = "files" if policy == "offload" else "all"
    return [Piece(each.start, each.stop, checkpoint if each.checkpointed else rest) for each in plan]


def saves(chain: Chain) -> dict[str, tuple[str, list[str]]]:
    """For each result: the node behind it, and what this saved, read from the node."""
    with Watch(chain.x, chain.weights) as watch:
        h = chain.forward([Piece(0, chain.layers, "all")])
        node: Any = h.grad_fn
        found = {}
        for layer in range(chain.layers, 0, -1):
            found[f"h{layer}"] = (node.name(), [watch.name(private.kept(node, "self"))])
            node = node.next_functions[0][0]
            # Layer 1 keeps no weight: the input wants no gradient.
            inputs = (private.kept(node, "self"), private.kept(node, "mat2"))
            found[f"z{layer}"] = (
                node.name(),
                [watch.name(each, given=True) for each in inputs if each is not None],
            )
            node = node.next_functions[0][0]
    return found
